"""The models of the zoo, exported once a checkout into build/models."""

from __future__ import annotations

from pathlib import Path

import pytest

from plumb_process import ROOT

MODELS = ROOT / "build/models"


@pytest.fixture(scope="session")
def exported():
    """Path of a model's package; exported by PyTorch when it is not there yet."""

    def get(name: str, official: bool = False) -> Path:
        path = MODELS / f"{name}{'_official' if official else ''}.ptn"
        if not path.exists():
            from plumb.zoo.__main__ import write

            write(name, MODELS, official)
        return path

    return get
