//! Compresses the files of `web/`, which `src/server/http/pages.rs` includes.

use std::io;

#[cfg(feature = "server")]
fn main() -> io::Result<()> {
    use flate2::{Compression, write::GzEncoder};
    use std::io::Write as _;
    use std::path::{Path, PathBuf};
    use std::{env, fs};

    println!("cargo::rerun-if-changed=web");
    let out = PathBuf::from(env::var_os("OUT_DIR").ok_or(io::ErrorKind::NotFound)?);
    let mut names: Vec<_> =
        fs::read_dir("web")?.map(|entry| Ok(entry?.file_name())).collect::<io::Result<_>>()?;
    names.sort();
    let mut list = "&[\n".to_owned();
    for name in names {
        let name = name.to_string_lossy();
        let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
        encoder.write_all(&fs::read(Path::new("web").join(&*name))?)?;
        fs::write(out.join(format!("{name}.gz")), encoder.finish()?)?;
        list += &format!("({name:?}, include_bytes!(concat!(env!(\"OUT_DIR\"), \"/{name}.gz\"))),\n");
    }
    fs::write(out.join("pages.rs"), list + "]")
}

#[cfg(not(feature = "server"))]
fn main() -> io::Result<()> {
    Ok(())
}
