"""Trains a decoder to rerank: a low-rank adapter, and a scoring head after every layer.

Lists, loss, schedule, checkpoints and threads are those of train.py. The
decoder's own weights stay as they are; of the layers before --first not even
an adapter is trained, which saves their backward pass, and their heads alone
are fitted to what their states say.
"""

from pathlib import Path

import torch

import decoder
import train

EARLY = 3.0  # sum of the weights of all layers but the last, whose weight is 1
RISING = 0.4  # the share of the layers over which weights rise; those behind them weigh the same


class DecoderTrainer(train.Trainer):
    """A run that trains adapter and heads."""

    lists_a_task = 1
    validation_queries = 6
    head_rate = 2  # an adapter learns faster than a body, and states after the norm are wide

    def build(self) -> None:
        """Makes the masters of what is trained, and a reader with the whole model in bfloat16."""
        net = decoder.load_base(self.args.base, self.args.rank, self.args.first)
        self.master = torch.nn.ParameterDict()
        for name, p in net.trained().items():  # one by one, which keeps their order
            self.master[name.replace(".", "/")] = p.detach().clone()
        self.reader = decoder.DecoderReader(net.computing(), decoder.load_tokenizer(self.args.base))
        # Candidates can be dropped as soon as the order is settled. The layers
        # in the middle, where it settles, count as much as those near the end.
        rising = RISING * self.reader.layers
        before = [min(layer, rising) for layer in range(1, self.reader.layers)]
        self.layer_weights = [EARLY * weight / sum(before) for weight in before] + [1.0]

    def state(self) -> dict:
        """What a checkpoint holds, and the adapter's shape."""
        return {**super().state(), "rank": self.args.rank, "first": self.args.first}


def main() -> None:
    """Reads the arguments and trains."""
    parser = train.arguments(__doc__)
    parser.add_argument("--base", type=Path, required=True, help="folder of the decoder")
    parser.add_argument("--rank", type=int, default=16)
    parser.add_argument("--first", type=int, default=0, help="the first layer that is adapted")
    parser.set_defaults(rate=4e-4, lists=4, validate_minutes=40)
    DecoderTrainer(parser.parse_args()).start()


if __name__ == "__main__":
    main()
