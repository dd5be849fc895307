"""Writes reference.jsonl.gz: what the reference implementation makes of twenty thousand
strings in many scripts with published tokenizers.

    python3 reference.py SHARED_DATA NAME=TOKENIZER.JSON...
    python3 reference.py SHARED_DATA NAME=TOKENIZER.JSON --block N

Needs the package `tokenizers`. The strings are the paragraphs and questions of
eval/xquad, by language, and those that generated() makes, as reference_test.go
does. Each line is {"name", "sha256", "strings", "blocks"}: the checksum of the file, how
many strings there are, and base64 of the CRC-32 of the comma-joined ids of each
16 strings, with ";" behind each string. --block prints the ids of one block.
"""

import base64
import gzip
import hashlib
import json
import os
import struct
import sys
import zlib

from tokenizers import Tokenizer

BLOCK = 16
GENERATED = 6000

# Ranges of code points that a string is drawn from; reference_test.go has the same.
RANGES = [
    (0x20, 0x7E), (0x0, 0x1F), (0x7F, 0xA0), (0xA0, 0x24F), (0x250, 0x36F), (0x370, 0x52F), (0x530, 0x5FF), (0x600, 0x6FF),
    (0x700, 0x8FF), (0x900, 0xDFF), (0xE00, 0xFFF), (0x1000, 0x109F), (0x10A0, 0x11FF), (0x1200, 0x139F), (0x13A0, 0x17FF),
    (0x1800, 0x1DFF), (0x1E00, 0x1FFF), (0x2000, 0x206F), (0x2070, 0x2BFF), (0x2C00, 0x2FFF), (0x3000, 0x30FF),
    (0x3100, 0x33FF), (0x4E00, 0x9FFF), (0xA000, 0xABFF), (0xAC00, 0xD7FF), (0xE000, 0xF8FF), (0xF900, 0xFDFF),
    (0xFE00, 0xFFFF), (0x10000, 0x10FFF), (0x11000, 0x1BFFF), (0x1D000, 0x1D7FF), (0x1F000, 0x1FAFF), (0x20000, 0x3FFFF),
    (0xE0000, 0x10FFFF), (0x0, 0x10FFFF),
]
# What is put between characters.
GLUE = ["", " ", "  ", "\t", "\n", "\r\n", "\u00a0", "\u200d", "\u200b", "\ufe0f", "\u0301", "\u0323", "\u00ad", "\u3000", "\ufeff", "'s", "-", "1", "<s>", "[SEP]", "<|im_end|>", "\u2581"]


class Random:
    """SplitMix64."""
    def __init__(self, seed):
        self.state = seed

    def below(self, n):
        self.state = (self.state + 0x9E3779B97F4A7C15) & (1 << 64) - 1
        z = self.state
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & (1 << 64) - 1
        z = (z ^ z >> 27) * 0x94D049BB133111EB & (1 << 64) - 1
        return (z ^ z >> 31) % n


def generated(count):
    random = Random(20261124)
    for _ in range(count):
        glued, parts = random.below(3), []
        length = 1 + random.below(400 if random.below(50) == 0 else 24)
        low, high = RANGES[random.below(len(RANGES))]
        for _ in range(length):
            if random.below(16) == 0:
                low, high = RANGES[random.below(len(RANGES))]
            c = low + random.below(high - low + 1)
            parts.append("\ufffd" if 0xD800 <= c < 0xE000 else chr(c))
            if glued > 0 and random.below(4 * glued) == 0:
                parts.append(GLUE[random.below(len(GLUE))])
        yield "".join(parts)


def strings(shared):
    folder = os.path.join(shared, "eval", "xquad")
    for name in sorted(n for n in os.listdir(folder) if n.endswith(".json")):
        with open(os.path.join(folder, name), encoding="utf-8") as f:
            for article in json.load(f)["data"]:
                for paragraph in article["paragraphs"]:
                    yield paragraph["context"]
                    for qa in paragraph["qas"]:
                        yield qa["question"]
    yield from generated(GENERATED)


def main():
    shared, arguments = sys.argv[1], sys.argv[2:]
    block = None
    if "--block" in arguments:
        at = arguments.index("--block")
        block = int(arguments[at + 1])
        del arguments[at:at + 2]
    texts = list(strings(shared))
    lines = []
    for argument in arguments:
        name, path = argument.split("=", 1)
        with open(path, "rb") as f:
            data = f.read()
        tokenizer = Tokenizer.from_str(data.decode())
        tokenizer.no_truncation()
        tokenizer.no_padding()
        if block is not None:
            for text in texts[BLOCK * block:BLOCK * (block + 1)]:
                print(ascii(text), tokenizer.encode(text, add_special_tokens=False).ids)
            continue
        sums = []
        for i in range(0, len(texts), BLOCK):
            ids = [tokenizer.encode(t, add_special_tokens=False).ids for t in texts[i:i + BLOCK]]
            sums.append(zlib.crc32("".join(",".join(map(str, one)) + ";" for one in ids).encode()))
        lines.append(json.dumps({"name": name, "sha256": hashlib.sha256(data).hexdigest(), "strings": len(texts),
                                 "blocks": base64.b64encode(struct.pack(f"<{len(sums)}I", *sums)).decode()}))
        print(name, len(texts), "strings")
    if block is None:
        path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "reference.jsonl.gz")
        with open(path, "wb") as f:
            f.write(gzip.compress("".join(line + "\n" for line in lines).encode(), mtime=0))


main()
