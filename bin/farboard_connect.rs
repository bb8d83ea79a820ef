//! farboard_connect
fn main() {}
