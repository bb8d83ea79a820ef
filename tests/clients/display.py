"""An invisible display."""

import os
import subprocess
from contextlib import contextmanager

from process import running


@contextmanager
def display(out, size="1280x1024"):
    """Yields the name of a new X display; Xvfb picks a free number itself."""
    readable, writable = os.pipe()
    # Without -noreset, the server resets when its last client disconnects, possibly under the next one.
    command = ["Xvfb", "-displayfd", str(writable), "-screen", "0", f"{size}x24", "-nolisten", "tcp", "-noreset"]
    with open(out / "xvfb.log", "w") as log, os.fdopen(readable) as number:
        with running(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, pass_fds=[writable]):
            os.close(writable)
            digits = number.readline().strip()
            assert digits, f"Xvfb did not start, see {out / 'xvfb.log'}"
            yield f":{digits}"
