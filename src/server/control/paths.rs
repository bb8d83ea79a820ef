//! Default path of the control socket: in a folder that only the server's user can write to.

use rustix::process::geteuid;
use std::env;
use std::fs::{self, DirBuilder};
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::{Path, PathBuf};

const NAME: &str = "control";
/// Folder of the service, made by systemd (`RuntimeDirectory=farboard`).
const SERVICE: &str = "/run/farboard";

/// Folders that may hold a control socket.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ControlPaths {
    /// `RUNTIME_DIRECTORY`: the folder made by the service manager for this process.
    managed: Option<PathBuf>,
    /// `XDG_RUNTIME_DIR`: the user's folder for such files, removed after the last logout.
    user: Option<PathBuf>,
    /// Folder of the service on this machine.
    service: PathBuf,
}

impl ControlPaths {
    /// Returns the folders for this process.
    pub fn from_environment() -> ControlPaths {
        let folder = |name| env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
        // May hold several, separated by colons.
        let managed = env::var("RUNTIME_DIRECTORY").ok();
        let managed = managed.and_then(|list| list.split(':').next().map(PathBuf::from));
        ControlPaths {
            managed: managed.filter(|path| path.is_absolute()),
            user: folder("XDG_RUNTIME_DIR"),
            service: SERVICE.into(),
        }
    }

    /// Returns the path at which a server creates its socket, and creates the user's folder for it.
    /// `None` if no folder belongs to this user.
    pub fn for_server(&self) -> Option<PathBuf> {
        let managed = self.managed.clone().filter(|folder| is_own(folder));
        let users = || {
            let folder = self.user.as_ref().filter(|folder| is_own(folder))?.join("farboard");
            // It may exist already.
            let _ = DirBuilder::new().mode(0o700).create(&folder);
            Some(folder).filter(|folder| is_own(folder))
        };
        let service = || Some(self.service.clone()).filter(|folder| is_own(folder));
        managed.or_else(users).or_else(service).map(|folder| folder.join(NAME))
    }

    /// Returns the paths at which a server of this user or the service may have its socket.
    pub fn candidates(&self) -> Vec<PathBuf> {
        let users = self.user.as_ref().map(|folder| folder.join("farboard"));
        users.into_iter().chain([self.service.clone()]).map(|folder| folder.join(NAME)).collect()
    }
}

fn is_own(folder: &Path) -> bool {
    fs::metadata(folder).is_ok_and(|found| found.is_dir() && found.uid() == geteuid().as_raw())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_service_has_its_folder_and_a_user_another() {
        let scratch = env::temp_dir().join(format!("farboard-place-{}", std::process::id()));
        let folder = |name: &str| {
            let folder = scratch.join(name);
            fs::create_dir_all(&folder).expect("a scratch folder");
            folder
        };
        let none = ControlPaths { managed: None, user: None, service: scratch.join("missing") };
        assert_eq!(none.for_server(), None);
        let service = ControlPaths { service: folder("service"), ..none.clone() };
        assert_eq!(service.for_server(), Some(scratch.join("service/control")));
        let user = ControlPaths { user: Some(folder("user")), ..service };
        let of_user = scratch.join("user/farboard/control");
        for _ in 0..2 {
            assert_eq!(user.for_server(), Some(of_user.clone()), "the folder is made, or used as it is");
        }
        assert_eq!(user.candidates(), [of_user.clone(), scratch.join("service/control")]);
        let managed = ControlPaths { managed: Some(folder("managed")), ..user.clone() };
        assert_eq!(managed.for_server(), Some(scratch.join("managed/control")));
        let missing = ControlPaths { managed: Some(scratch.join("missing")), ..user };
        assert_eq!(missing.for_server(), Some(of_user));
        let _ = fs::remove_dir_all(&scratch);
    }
}
