"""The commands of docs/keys.md create keys that work."""

import re
import subprocess

from netcat import answers, check
from paths import ROOT, SHIM
from server import farboard

# Files of the document, and the host name of the tests.
NAMES = ["farboard.secret", "farboard.pem", "trust.pem"]
HOST = "127.0.0.1"


def make_keys(folder):
    """Runs the commands of the document that create files."""
    for name in NAMES:
        (folder / name).unlink(missing_ok=True)
    lines = (ROOT / "docs/keys.md").read_text().splitlines()
    commands = [line for line in lines if re.match(r"\(umask|openssl ", line)]
    assert len(commands) == len(NAMES), commands
    for command in commands:
        command = command.replace("DNS:HOST", f"IP:{HOST}").replace("HOST", HOST)
        subprocess.run(command, shell=True, cwd=folder, check=True, capture_output=True, timeout=60)
    return [folder / name for name in NAMES]


def keys_as_documented(out):
    """keys: a secret and a certificate made by openssl, the shim and `openssl s_client` as clients"""
    secret, own, trust = make_keys(out)
    with farboard(out, "--tls", own, "--secret-file", secret) as address:
        from_environment = ["env", f"FARBOARD_SECRET={secret.read_text()}", SHIM, "--tls", trust, address]
        for command in ([SHIM, "--tls", trust, "--secret-file", secret, address], from_environment):
            lines = answers(command)
            check(lines)
            print("shim", f"{len(lines)} lines, the last: {lines[-1]}")
    with farboard(out, "--tls", own) as address:
        client = ["openssl", "s_client", "-quiet", "-verify_return_error", "-connect", address]
        for flags in (["-tls1_2"], ["-tls1_3"]):
            command = [*client, *flags, "-CAfile", trust, "-verify_ip", HOST]
            done = subprocess.run(command, input=b"ping 7\nquit\n", capture_output=True, timeout=60, check=True)
            assert done.stdout == b"pong 7\n", done
            print(*flags, done.stdout)


SCENARIOS = [keys_as_documented]
