"""A small BERT sequence classifier with random weights: integer inputs and an attention mask."""

from __future__ import annotations

import torch
from torch import nn

from plumb.zoo.weights import randomize, spread_logits

VOCABULARY = 1000
TOKENS = 32
PADDED = 8


class BertLogits(nn.Module):
    def __init__(self, model: nn.Module):
        super().__init__()
        self.model = model

    def forward(
        self, input_ids: torch.Tensor, attention_mask: torch.Tensor, token_type_ids: torch.Tensor
    ) -> torch.Tensor:
        return self.model(
            input_ids=input_ids, attention_mask=attention_mask, token_type_ids=token_type_ids
        ).logits


def bert() -> tuple[nn.Module, tuple[torch.Tensor, ...]]:
    from transformers import BertConfig, BertForSequenceClassification

    config = BertConfig(
        vocab_size=VOCABULARY,
        hidden_size=256,
        num_hidden_layers=4,
        num_attention_heads=4,
        intermediate_size=1024,
        max_position_embeddings=128,
        num_labels=10,
    )
    network = randomize(BertForSequenceClassification(config))
    model = BertLogits(network).eval()
    attention_mask = torch.ones(1, TOKENS, dtype=torch.int64)
    attention_mask[:, -PADDED:] = 0
    token_types = torch.zeros(1, TOKENS, dtype=torch.int64)
    token_types[:, TOKENS // 2 :] = 1
    inputs = (torch.randint(0, VOCABULARY, (1, TOKENS)), attention_mask, token_types)
    return spread_logits(model, inputs, network.classifier), inputs
