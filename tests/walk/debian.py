"""An empty Debian from the mirror of this machine."""

import shutil

from page import installed_from_debian
from paths import OUT
from process import LOGIN, run


def mirror():
    """The mirror of this machine's Debian and its codename, or nothing."""
    if not shutil.which("apt-get"):
        return None
    form = "$(ORIGIN) $(COMPONENT) $(REPO_URI) $(RELEASE)"
    for line in run("apt-get", "indextargets", "--format", form, "Created-By: Packages").splitlines():
        words = line.split()
        if words[:2] == ["Debian", "main"] and "-" not in words[3]:
            return words[2], words[3]
    return None


def empty_debian():
    """A folder with a Debian that has systemd, ssh and the page's packages (downloaded); kept for later runs."""
    uri, codename = mirror()
    wanted = installed_from_debian()
    recipe = f"2 {uri} {codename} {' '.join(wanted)}\n"
    folder, stamp = OUT / "debian", OUT / "recipe"
    if stamp.exists() and stamp.read_text() == recipe:
        return folder
    print(f"creating an empty Debian ({codename})", flush=True)
    stamp.unlink(missing_ok=True)
    shutil.rmtree(folder, ignore_errors=True)
    OUT.mkdir(parents=True, exist_ok=True)
    begun = ["systemd", "systemd-sysv", "dbus", "iproute2", "openssh-server"]
    # debootstrap's mounts disappear with the namespace, even if it is killed.
    run("unshare", "--mount", "debootstrap", "--variant=minbase", f"--include={','.join(begun)}", codename, folder, uri)
    inside = ["chroot", folder, *LOGIN]
    # The walk's machines reach no mirror: packages are downloaded now, and `apt update` must not wait for one.
    run(*inside, "apt-get", "update")
    run(*inside, "apt-get", "install", "-y", "--download-only", *wanted)
    (folder / "etc/apt/apt.conf.d/99walk").write_text('Acquire::Retries "0";\n')
    # root may log in from one machine to the others.
    keys = folder / "root/.ssh"
    keys.mkdir(mode=0o700, exist_ok=True)
    run("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", keys / "id_ed25519")
    shutil.copy(keys / "id_ed25519.pub", keys / "authorized_keys")
    host_key = (folder / "etc/ssh/ssh_host_ed25519_key.pub").read_text()
    (keys / "known_hosts").write_text(f"* {host_key}")
    for name in ("etc/resolv.conf", "etc/hostname"):
        (folder / name).unlink(missing_ok=True)
    # Each machine gets its own machine ID; without the file systemd would ask for more.
    (folder / "etc/machine-id").write_text("")
    stamp.write_text(recipe)
    return folder
