package crossencoder

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"

	"dowse/engine/rerank"
)

// traceMark begins each trace in a file, so that the next one is found behind a
// damaged one. Its length and its CRC-32 follow, four bytes each.
var traceMark = []byte("\xf7trace\x01\n")

// encodeTraces writes traces one after the other.
func encodeTraces(traces []rerank.Trace) []byte {
	var out []byte
	for _, t := range traces {
		data, err := t.MarshalBinary()
		if err != nil {
			continue // of no use to calibration either
		}
		out = append(out, traceMark...)
		out = binary.LittleEndian.AppendUint32(out, uint32(len(data)))
		out = binary.LittleEndian.AppendUint32(out, crc32.ChecksumIEEE(data))
		out = append(out, data...)
	}
	return out
}

// decodeTraces reads what encodeTraces wrote and passes over what is damaged.
func decodeTraces(data []byte) (traces []rerank.Trace) {
	for {
		at := bytes.Index(data, traceMark)
		if at < 0 {
			return traces
		}
		data = data[at+len(traceMark):]
		if len(data) < 8 {
			return traces
		}
		size, sum := binary.LittleEndian.Uint32(data), binary.LittleEndian.Uint32(data[4:])
		if uint64(size) > uint64(len(data)-8) || crc32.ChecksumIEEE(data[8:8+size]) != sum {
			continue // the next mark may stand inside of what this length claims
		}
		var t rerank.Trace
		if t.UnmarshalBinary(data[8:8+size]) == nil {
			traces = append(traces, t)
		}
		data = data[8+size:]
	}
}
