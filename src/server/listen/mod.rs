//! Listeners: their sockets, their policies, and the banner that says how to reach them.

pub(super) mod acceptor;
mod banner;
mod bind;
pub(super) mod descriptors;
mod inherit;
pub(super) mod listener;
mod policy;

pub use banner::banner;
pub use bind::{BindError, bind, bind_beside};
pub use descriptors::provide_descriptors;
pub use inherit::{InheritError, InheritedSockets};
pub use policy::ListenerPolicy;
