"""What plumb's Python commands have in common: exit codes, and a parser that follows them."""

from __future__ import annotations

import argparse
from typing import NoReturn

EXIT_OK = 0
EXIT_ARGUMENTS = 1
EXIT_FAILURE = 2
EXIT_MISMATCH = 3


class Parser(argparse.ArgumentParser):
    """Reports wrong arguments in one line, with the exit code of plumb's other commands."""

    def error(self, message: str) -> NoReturn:
        self.exit(EXIT_ARGUMENTS, f"{self.prog}: {message} (see --help)\n")
