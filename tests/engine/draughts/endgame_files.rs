//! Files of the endgame database: created, interrupted, opened, damaged.

use super::position;
use farboard::draughts::endgames::{BuildError, Endgames, FileError, FileProblem, FolderError, generate};
use std::collections::BTreeMap;
use std::fs::{self, Permissions};
use std::ops::ControlFlow;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A temporary folder; removed when dropped.
struct Folder(PathBuf);

impl Folder {
    /// A new folder with all positions of up to three pieces.
    fn filled(name: &str) -> Folder {
        let folder = Folder::missing(name);
        generate(&folder.0, 3, 2, &mut |_, _| ControlFlow::Continue(())).expect("a folder");
        folder
    }

    /// A path where no folder exists.
    fn missing(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("farboard-endgames-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        Folder(path)
    }

    fn open(&self) -> Result<Endgames, FolderError> {
        let mut endgames = Endgames::default();
        endgames.open(&self.0).map(|()| endgames)
    }

    /// Replaces the contents of a file.
    fn change(&self, name: &str, change: impl FnOnce(&mut Vec<u8>)) {
        let path = self.0.join(name);
        let mut bytes = fs::read(&path).expect("a file");
        change(&mut bytes);
        fs::remove_file(&path).expect("a folder");
        fs::write(&path, bytes).expect("a folder");
        fs::set_permissions(&path, Permissions::from_mode(0o444)).expect("a file");
    }

    /// The problem of the only bad file, the same for opening the folder and for continuing to fill
    /// it.
    fn problem(&self, name: &str) -> FileProblem {
        let mut problem = None;
        let go_on = generate(&self.0, 3, 1, &mut |_, _| ControlFlow::Continue(()));
        for outcome in [self.open(), go_on] {
            match outcome {
                Err(FolderError::File(error)) => {
                    assert_eq!(error.path, self.0.join(name));
                    assert!(error.to_string().contains(name), "{error}");
                    problem = Some(error.problem);
                }
                other => panic!("{other:?}"),
            }
        }
        problem.expect("the same problem both times")
    }

    /// All slice files.
    fn files(&self) -> BTreeMap<PathBuf, Vec<u8>> {
        let paths = fs::read_dir(&self.0).expect("a folder").map(|entry| entry.expect("an entry").path());
        let slices = paths.filter(|path| path.extension().is_some_and(|extension| extension == "endgame"));
        slices.map(|path| (path.file_name().map(PathBuf::from).unwrap(), fs::read(&path).unwrap())).collect()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

const SLICE: &str = "KKvM.endgame";

#[test]
fn written_files_are_read_back() {
    let folder = Folder::filled("read");
    let endgames = folder.open().expect("all is well");
    assert_eq!((endgames.max_pieces(), endgames.len()), (3, 199_520));
    let memory =
        Endgames::build(3, 1, &mut |_, _| ControlFlow::Continue(())).expect("building is not stopped");
    for fen in ["W:WK1,K2:BK32", "B:WK1,K2:BK32", "W:W21,22:B1", "B:W21:B12,K17", "W:WK1:B13"] {
        let value = endgames.probe(&position(fen));
        assert!(value.is_some(), "{fen}");
        assert_eq!(value, memory.probe(&position(fen)), "{fen}");
    }
}

#[test]
fn an_interrupted_run_continues_and_ends_with_the_same_files() {
    let (whole, parts) = (Folder::filled("whole"), Folder::missing("parts"));
    let mut runs = 0;
    let mut done_before = 0;
    loop {
        // Each run stops after some more slices, the largest two of which have 52,080 positions,
        // and leaves a file as if it had been stopped while writing.
        let mut begin = None;
        let mut watch = |done, _| {
            let begin = *begin.get_or_insert(done);
            if done > begin + 55_000 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let outcome = generate(&parts.0, 3, 1, &mut watch);
        let begin = begin.expect("progress was reported");
        assert!(begin >= done_before, "run {runs}: finished files are unchanged");
        done_before = begin;
        runs += 1;
        match outcome {
            Ok(_) => break,
            Err(FolderError::Build(BuildError::Aborted)) => {}
            Err(error) => panic!("{error}"),
        }
        fs::write(parts.0.join("MMvM.part"), "half").expect("a folder");
        assert!(runs < 100);
    }
    assert!(runs > 2, "{runs} runs");
    assert!(whole.files() == parts.files());
}

#[test]
fn a_missing_file_is_made_again() {
    let folder = Folder::filled("missing");
    let files = folder.files();
    fs::remove_file(folder.0.join(SLICE)).expect("a file");
    assert_eq!(folder.open().expect("the others").probe(&position("W:WK1,K2:B12")), None);
    generate(&folder.0, 3, 1, &mut |_, _| ControlFlow::Continue(())).expect("a folder");
    assert!(folder.files() == files);
}

#[test]
fn a_file_of_another_length_is_refused() {
    let folder = Folder::filled("length");
    let expected = folder.files()[Path::new(SLICE)].len() as u64;
    for len in [0, 1, 8, 20, 63, 64, expected as usize - 1] {
        folder.change(SLICE, |bytes| bytes.truncate(len));
        let problem = folder.problem(SLICE);
        let FileProblem::Length { expected: wanted, found } = problem else { panic!("{len}: {problem:?}") };
        assert_eq!((wanted, found), (expected, len as u64));
        fs::remove_file(folder.0.join(SLICE)).expect("a file");
        generate(&folder.0, 3, 1, &mut |_, _| ControlFlow::Continue(())).expect("a folder");
    }
    folder.change(SLICE, |bytes| bytes.push(0));
    assert!(matches!(folder.problem(SLICE), FileProblem::Length { .. }));
}

#[test]
fn any_changed_byte_is_noticed() {
    let folder = Folder::filled("bits");
    let mut kinds = [0; 4];
    for offset in (0..64).chain([64, 1000, 9000]) {
        folder.change(SLICE, |bytes| bytes[offset] ^= 4);
        let kind = match folder.problem(SLICE) {
            FileProblem::Foreign => 0,
            FileProblem::Version(_) => 1,
            FileProblem::OtherSlice => 2,
            FileProblem::Damaged => 3,
            other => panic!("{offset}: {other:?}"),
        };
        kinds[kind] += 1;
        folder.change(SLICE, |bytes| bytes[offset] ^= 4);
    }
    assert_eq!(kinds, [8, 4, 20, 35]);
    assert!(folder.open().is_ok());
}

#[test]
fn a_file_under_another_name_is_refused() {
    let folder = Folder::filled("name");
    fs::rename(folder.0.join("KKvK.endgame"), folder.0.join(SLICE)).expect("a folder");
    assert!(matches!(folder.problem(SLICE), FileProblem::OtherSlice));
    fs::remove_file(folder.0.join(SLICE)).expect("a file");
    fs::create_dir(folder.0.join(SLICE)).expect("a folder");
    assert!(matches!(folder.problem(SLICE), FileProblem::NotAFile));
}

#[test]
fn a_file_that_others_can_change_is_refused() {
    let folder = Folder::filled("writable");
    let path = folder.0.join(SLICE);
    assert_eq!(
        fs::metadata(&path).expect("a file").permissions().mode() & 0o222,
        0,
        "the file is not write-protected"
    );
    for mode in [0o664, 0o646] {
        fs::set_permissions(&path, Permissions::from_mode(mode)).expect("a file");
        assert!(matches!(folder.problem(SLICE), FileProblem::WritableByOthers));
    }
    fs::set_permissions(&path, Permissions::from_mode(0o644)).expect("a file");
    assert!(folder.open().is_ok());
}

#[test]
fn a_folder_that_cannot_be_used_is_an_error() {
    let mut endgames = Endgames::default();
    // A file is not a folder, not even for root.
    for path in ["/dev/null", "/dev/null/endgames"] {
        assert!(matches!(endgames.open(Path::new(path)), Err(FolderError::System(..))), "{path}");
        let outcome = generate(Path::new(path), 2, 1, &mut |_, _| ControlFlow::Continue(()));
        assert!(matches!(outcome, Err(FolderError::System(..))), "{path}: {outcome:?}");
    }
    let folder = Folder::missing("empty");
    assert!(matches!(endgames.open(&folder.0), Err(FolderError::System(..))));
    fs::create_dir(&folder.0).expect("a folder");
    assert!(matches!(endgames.open(&folder.0), Err(FolderError::Empty(_))));
    assert!(endgames.is_empty());
    // The path of the first file is taken.
    fs::create_dir_all(folder.0.join("KvK.part/in the way")).expect("a folder");
    let outcome = generate(&folder.0, 2, 1, &mut |_, _| ControlFlow::Continue(()));
    let Err(FolderError::File(FileError { problem: FileProblem::System(_), .. })) = outcome else {
        panic!("{outcome:?}")
    };
}

#[test]
fn two_programs_do_not_write_to_a_folder() {
    let folder = Folder::missing("busy");
    let mut inner = None;
    let mut watch = |_, _| {
        inner.get_or_insert_with(|| generate(&folder.0, 2, 1, &mut |_, _| ControlFlow::Continue(())));
        ControlFlow::Continue(())
    };
    generate(&folder.0, 2, 1, &mut watch).expect("the first");
    assert!(matches!(inner, Some(Err(FolderError::Busy(_)))), "{inner:?}");
}

#[test]
fn the_command_creates_the_files() {
    let folder = Folder::missing("command");
    let run = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_farboard"));
        let output = command.arg("endgames").arg(&folder.0).args(arguments).output().expect("it starts");
        (
            output.status.success(),
            [output.stdout, output.stderr].map(|text| String::from_utf8(text).expect("text")),
        )
    };
    let (ok, [out, err]) = run(&["--pieces", "2", "--threads", "1"]);
    assert!(ok && out == "3488 positions of up to 2 pieces\n" && err.contains("[####"), "{out}{err}");
    let (ok, [out, err]) = run(&["--pieces", "3"]);
    assert!(ok && out == "199520 positions of up to 3 pieces\n", "{out}{err}");
    folder.change(SLICE, |bytes| bytes[100] ^= 1);
    let (ok, [_, err]) = run(&["--pieces", "3"]);
    assert!(!ok && err.contains("KKvM.endgame: damaged; delete it and run"), "{err}");
    assert!(!run(&["--pieces", "7"]).0);
}
