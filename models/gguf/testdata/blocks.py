"""Writes blocks.gguf: random blocks of every type that package gguf reads, with
their numbers by the gguf package (0.19.0), and metadata of every type.

    python blocks.py blocks.gguf
"""

import sys

import numpy as np
import gguf
from gguf import GGMLQuantizationType as T, GGUFValueType as V

rng = np.random.default_rng(20261121)
# Bytes of the half-precision fields in a block of each type.
HALVES = {
    T.F16: [0], T.BF16: [], T.Q4_0: [0], T.Q4_1: [0, 2], T.Q5_0: [0], T.Q5_1: [0, 2], T.Q8_0: [0],
    T.Q4_K: [0, 2], T.Q5_K: [0, 2], T.Q6_K: [208], T.IQ4_NL: [0],
}
EXTREMES = np.array([0, -0.0, 6e-8, -3e-5, 1, 60000], dtype=np.float16)


def blocks(kind):
    elements, size = gguf.GGML_QUANT_SIZES[kind]
    count = 6 if elements > 1 else 64
    raw = rng.integers(0, 256, (count, size), dtype=np.uint8)
    for at in HALVES[kind]:
        values = rng.normal(0, 0.1, count).astype(np.float16)
        values[: len(EXTREMES) // 2] = rng.choice(EXTREMES, len(EXTREMES) // 2)
        raw[:, at : at + 2] = values.view(np.uint8).reshape(count, 2)
    if kind == T.BF16:
        raw[:, 1] &= 0x3F  # finite
    # Rows of two blocks, so that rows and blocks are different things.
    return raw.reshape(count // 2, 2 * size)


w = gguf.GGUFWriter(sys.argv[1], "test")
w.add_uint8("number.uint8", 200)
w.add_int8("number.int8", -100)
w.add_uint16("number.uint16", 60000)
w.add_int16("number.int16", -30000)
w.add_uint32("number.uint32", 4000000000)
w.add_int32("number.int32", -2000000000)
w.add_uint64("number.uint64", 1 << 63)
w.add_int64("number.int64", -(1 << 62))
w.add_float32("number.float32", 0.1)
w.add_float64("number.float64", 0.1)
w.add_bool("truth", True)
w.add_string("text", "héllo\n")
w.add_array("array.int32", [1, -2, 3])
w.add_array("array.float32", [0.5, -1.5])
w.add_array("array.text", ["a", "", "ç"])
w.add_array("array.bool", [True, False])
w.add_key_value("array.uint32", [1, 2**32 - 1], V.ARRAY, sub_type=V.UINT32)
w.add_array("array.nested", [[1, 2], [3]])
for kind in HALVES:
    raw = blocks(kind)
    w.add_tensor(kind.name, raw, raw_dtype=kind)
    w.add_tensor(kind.name + ".want", gguf.dequantize(raw, kind))
w.add_tensor("vector", np.array([1, 2, 3], dtype=np.float32))
w.add_tensor("cube", np.arange(24, dtype=np.float32).reshape(2, 3, 4))
w.write_header_to_file()
w.write_kv_data_to_file()
w.write_tensors_to_file()
w.close()
