"""Fits how sure a verified quotation is to what TestFitConfidence wrote (-confidence-out).

The regression and the thresholds are those of writer_judge.py; what the models say is said
by dowse itself. Prints the object that stands in the answerer's dowse.json.
"""

import argparse
import json
from pathlib import Path

import numpy as np

from evidence_export import fit, least
from sources import read_json_lines
from writer_judge import odds


def main() -> None:
    """Fits, and says what becomes of the questions."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rows", type=Path)
    parser.add_argument("--wrong", type=float, default=0.15)
    parser.add_argument("--invented", type=float, default=0.10)
    parser.add_argument("--invented-perhaps", type=float, default=0.35)
    args = parser.parse_args()
    rows = list(read_json_lines(args.rows))
    x = np.array([[1.0, odds(r["support"]), -odds(r["declining"])] for r in rows])
    right, yes = (np.array([r[name] for r in rows]) for name in ("right", "answerable"))
    weights = fit(x, right.astype(float))
    p = 1 / (1 + np.exp(-x @ weights))
    no = ~yes
    sure = least(p, [(yes & ~right, yes.sum(), args.wrong), (no, no.sum(), args.invented)])
    perhaps = least(p, [(no, no.sum(), args.invented_perhaps)])
    bias, support, assent = (round(float(w), 4) for w in weights)
    print(json.dumps({"bias": bias, "support": support, "assent": assent, "sure_from": sure, "perhaps_from": perhaps}))
    for name, some in (("right", right), ("wrong", yes & ~right), ("invented", no)):
        print(f"{name}: {(some & (p >= sure)).sum()} sure, {(some & (p >= perhaps) & (p < sure)).sum()} perhaps, of {some.sum()}")


if __name__ == "__main__":
    main()
