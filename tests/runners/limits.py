"""Limits of the operating system, held for as long as a test needs them."""

from __future__ import annotations

import os
import resource
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest


def file_size_limit(size: int) -> Callable[[], None]:
    """For `preexec`: only the child gets the limit, this process keeps its own."""

    def set_limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))

    return set_limit


@contextmanager
def full_file_system(folder: Path, free: int) -> Iterator[Path]:
    """A tmpfs with `free` bytes left (rounded up to pages); skips where mounting is refused."""
    page = os.sysconf("SC_PAGE_SIZE")
    pages = -(-free // page)
    folder.mkdir()
    size = (pages + 1) * page
    mount = ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(folder)]
    if os.geteuid() != 0 or subprocess.run(mount, capture_output=True, check=False).returncode != 0:
        pytest.skip("mounting a tmpfs needs root and the right to mount: a full disk was NOT tested")
    try:
        (folder / "filler").write_bytes(b"x" * page)
        yield folder
    finally:
        subprocess.run(["umount", str(folder)], check=True)
