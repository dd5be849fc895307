#!/usr/bin/env bash
# With dynamic quantisation by ONNX Runtime a text has another vector beside other texts.
#
# Guess: a batch is many texts computed at once; what one row gives does not depend on the others.
# Seen, onnxruntime 1.32.0 (PyPI), quantize_dynamic of one MatMul: beside a row of larger numbers the same row gives other results
# (cosine .9997 to itself alone). The scale of activations is one for the whole tensor, of all rows. Whoever stores vectors of a
# model_quantized.onnx gets others with another batch size, and none of them again.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv venv
venv/bin/pip install --quiet onnx==1.23.2 onnxruntime==1.32.0 numpy
venv/bin/python - <<'PYTHON'
import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper, numpy_helper
from onnxruntime.quantization import quantize_dynamic

rng = np.random.default_rng(1)
weights = rng.normal(size=(64, 32)).astype("f")
graph = helper.make_graph(
    [helper.make_node("MatMul", ["x", "w"], ["y"])], "g",
    [helper.make_tensor_value_info("x", TensorProto.FLOAT, ["n", 64])],
    [helper.make_tensor_value_info("y", TensorProto.FLOAT, ["n", 32])],
    [numpy_helper.from_array(weights, "w")])
model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)])
model.ir_version = 9
onnx.save(model, "float.onnx")
quantize_dynamic("float.onnx", "int8.onnx")
row, loud = rng.normal(size=(1, 64)).astype("f"), np.full((1, 64), 20, "f")
differ = {}
for name in ("float.onnx", "int8.onnx"):
    session = onnxruntime.InferenceSession(name)
    alone = session.run(None, {"x": row})[0][0]
    beside = session.run(None, {"x": np.concatenate([row, loud])})[0][0]
    differ[name] = float(abs(alone - beside).max())
print(differ)
assert differ["float.onnx"] < 1e-5 and differ["int8.onnx"] > .1, "what was seen has changed"
PYTHON
