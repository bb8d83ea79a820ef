//! farboard
fn main() {}
