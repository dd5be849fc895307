#!/usr/bin/env bash
# ONNX Runtime's library for Linux keeps a device id and a database of events, to be sent to its maker, unless it is told not to.
#
# Guess: to load a model writes nothing outside of the process; the events that its documentation speaks of are of Windows.
# Seen, onnxruntime 1.31.1 and 1.32.0 (PyPI), Linux: as soon as its environment is made it writes .cache/Microsoft/DeveloperTools/.onnxruntime with
# a deviceid and an SQLite database, and holds the address of a collector of events. With ORT_DISABLE_TELEMETRY=1 in the environment before it is
# loaded it writes nothing.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv venv
venv/bin/pip install --quiet onnx==1.23.2 onnxruntime==1.32.0
cat >load.py <<'PYTHON'
import onnx
import onnxruntime
from onnx import TensorProto, helper

io = [helper.make_tensor_value_info(name, TensorProto.FLOAT, [1]) for name in "xy"]
graph = helper.make_graph([helper.make_node("Identity", ["x"], ["y"])], "g", io[:1], io[1:])
model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)])
model.ir_version = 9
onnxruntime.InferenceSession(model.SerializeToString())
PYTHON
mkdir told untold
HOME=$work/untold XDG_CACHE_HOME= venv/bin/python load.py
HOME=$work/told XDG_CACHE_HOME= ORT_DISABLE_TELEMETRY=1 venv/bin/python load.py
echo "untold: $(cd untold && find . -type f | sort | tr '\n' ' ')"
echo "told: $(cd told && find . -type f | sort | tr '\n' ' ')"
test -n "$(find untold -name deviceid)" || { echo "what was seen has changed" >&2; exit 1; }
test -z "$(find told -type f)" || { echo "what was seen has changed" >&2; exit 1; }
