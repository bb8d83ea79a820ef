//! Reloading the configuration while engines run.

use super::hosting_server::{exists, wait_until};
use super::program::Program;

#[test]
fn sessions_keep_their_engine_and_new_ones_get_the_reloaded_one() {
    let server = Program::start("behaves", "reload");
    let mut first = server.analysis();
    first.thinking();
    let before = server.engines();
    server.reload("behaves", "");
    let mut second = server.analysis();
    second.thinking();
    let both = server.engines();
    assert!(before.iter().all(|engine| both.contains(engine)), "{before:?} were killed needlessly");

    server.reload("behaves", "share_table = true");
    let mut third = server.analysis();
    third.thinking();
    assert!(server.engines().iter().any(|engine| !both.contains(engine)), "a changed engine is another one");
    first.thinking();
    second.thinking();
    drop((first, second));
    wait_until("the unused engine has exited", || !both.iter().any(|&one| exists(one)));
    third.thinking();
}
