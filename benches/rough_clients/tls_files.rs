//! A certificate and a configuration for a server under TLS handshakes.

use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A folder with the configuration of a listener with TLS and one without. Removed when dropped.
pub struct TlsFiles(PathBuf);

impl TlsFiles {
    /// Creates the folder. `own` is a certificate with its key; without it `openssl` creates one
    /// for RSA with 4096 bits.
    pub fn make(own: Option<&Path>) -> io::Result<TlsFiles> {
        let files = TlsFiles(std::env::temp_dir().join(format!("farboard-load-tls-{}", std::process::id())));
        fs::create_dir_all(&files.0)?;
        fs::set_permissions(&files.0, fs::Permissions::from_mode(0o700))?;
        let own = match own {
            Some(own) => files.copy_of(own)?,
            None => files.certificate()?,
        };
        let listener =
            |more: &str| format!("[[listen]]\nkind = \"xboard\"\naddress = \"127.0.0.1:0\"\n{more}\n");
        // A TOML string without escapes.
        let text = listener(&format!("tls = '{}'", own.display())) + &listener("");
        fs::write(files.config(), text)?;
        Ok(files)
    }

    /// Flags of a server with these listeners that permits this many concurrent handshakes.
    pub fn flags(&self, at_once: usize) -> [String; 4] {
        let config = self.config().display().to_string();
        ["--config".to_owned(), config, "--max-unproven".to_owned(), at_once.to_string()]
    }

    /// The configuration file; the TLS listener comes first.
    pub fn config(&self) -> PathBuf {
        self.0.join("farboard.toml")
    }

    /// A copy that only this user can read, as the server requires.
    fn copy_of(&self, own: &Path) -> io::Result<PathBuf> {
        let copy = self.0.join("own.pem");
        fs::copy(own, &copy)?;
        fs::set_permissions(&copy, fs::Permissions::from_mode(0o600))?;
        Ok(copy)
    }

    fn certificate(&self) -> io::Result<PathBuf> {
        let own = self.0.join("own.pem");
        let mut openssl = Command::new("openssl");
        openssl.args([
            "req",
            "-x509",
            "-newkey",
            "rsa:4096",
            "-nodes",
            "-days",
            "1",
            "-subj",
            "/CN=localhost",
        ]);
        openssl.arg("-keyout").arg(&own).arg("-out").arg(self.0.join("certificate.pem"));
        let status = openssl.stdin(Stdio::null()).stderr(Stdio::null()).status().map_err(|error| {
            io::Error::new(
                error.kind(),
                format!("openssl, needed for a certificate, does not start: {error}"),
            )
        })?;
        if !status.success() {
            return Err(io::Error::other("openssl created no certificate: pass one with --tls-file"));
        }
        let certificate = fs::read_to_string(self.0.join("certificate.pem"))?;
        let key = fs::read_to_string(&own)?;
        fs::write(&own, certificate + &key)?;
        fs::set_permissions(&own, fs::Permissions::from_mode(0o600))?;
        Ok(own)
    }
}

impl Drop for TlsFiles {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
