package app

import (
	"encoding/binary"

	"dowse/engine/rerank"
)

// encodeTraces writes traces one after the other, each behind its length.
func encodeTraces(traces []rerank.Trace) []byte {
	var out []byte
	for _, t := range traces {
		data, err := t.MarshalBinary()
		if err != nil {
			continue // of no use to calibration either
		}
		out = append(binary.AppendUvarint(out, uint64(len(data))), data...)
	}
	return out
}

// decodeTraces reads what encodeTraces wrote, as far as it is whole.
func decodeTraces(data []byte) (traces []rerank.Trace) {
	for len(data) > 0 {
		size, n := binary.Uvarint(data)
		if n <= 0 || size > uint64(len(data)-n) {
			break
		}
		var t rerank.Trace
		if t.UnmarshalBinary(data[n:n+int(size)]) == nil {
			traces = append(traces, t)
		}
		data = data[n+int(size):]
	}
	return traces
}
