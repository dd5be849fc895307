package safetensors

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
)

// file puts a header and data together.
func file(header string, data []byte) []byte {
	b := binary.LittleEndian.AppendUint64(nil, uint64(len(header)))
	return append(append(b, header...), data...)
}

func open(b []byte) (*Reader, error) { return NewReader(bytes.NewReader(b), int64(len(b))) }

func TestReadTypes(t *testing.T) {
	var data []byte
	for _, v := range []float32{1, -2.5, 3, 4, 5, 6} {
		data = binary.LittleEndian.AppendUint32(data, math.Float32bits(v))
	}
	for _, h := range []uint16{0x3c00, 0xc100, 0x3f80, 0xc020} {
		data = binary.LittleEndian.AppendUint16(data, h)
	}
	r, err := open(file(`{"__metadata__":{"format":"pt"},
		"m":{"dtype":"F32","shape":[3,2],"data_offsets":[0,24]},
		"h":{"dtype":"F16","shape":[2],"data_offsets":[24,28]},
		"b":{"dtype":"BF16","shape":[2,1],"data_offsets":[28,32]},
		"none":{"dtype":"F32","shape":[0,4],"data_offsets":[32,32]},
		"s":{"dtype":"I64","shape":[],"data_offsets":[32,40]}}`, append(data, make([]byte, 8)...)))
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string][]float32{"m": {1, -2.5, 3, 4, 5, 6}, "h": {1, -2.5}, "b": {1, -2.5}, "none": {}} {
		tensor, ok := r.Tensor(name)
		if !ok {
			t.Fatalf("no tensor %s", name)
		}
		if got, err := tensor.ReadAll(); err != nil || !slices.Equal(got, want) {
			t.Errorf("%s = %v, %v, want %v", name, got, err, want)
		}
	}
	m, _ := r.Tensor("m")
	row := make([]float32, 2)
	if err := m.ReadRows(row, 1); err != nil || !slices.Equal(row, []float32{3, 4}) {
		t.Errorf("row 1 = %v, %v", row, err)
	}
	if err := m.ReadRows(row, 3); err == nil || !strings.Contains(err.Error(), `"m"`) {
		t.Errorf("row 3 of 3: error %v", err)
	}
	s, _ := r.Tensor("s")
	if _, err := s.ReadAll(); err == nil || !strings.Contains(err.Error(), "I64") {
		t.Errorf("I64: error %v", err)
	}
	if got := len(r.Tensors()); got != 5 {
		t.Errorf("%d tensors", got)
	}
}

func TestBadFilesAreRefused(t *testing.T) {
	eight := make([]byte, 8)
	for _, c := range []struct {
		name string
		file []byte
		want string
	}{
		{"empty", nil, "too few"},
		{"long header", binary.LittleEndian.AppendUint64(nil, 1<<62), "header of"},
		{"no JSON", file(`{`, nil), "header"},
		{"cut short", file(`{"w":{"dtype":"F32","shape":[4],"data_offsets":[0,16]}}`, eight), `"w": its data ends`},
		{"wrong length", file(`{"w":{"dtype":"F32","shape":[3],"data_offsets":[0,8]}}`, eight), "needs 12 bytes"},
		{"negative", file(`{"w":{"dtype":"F32","shape":[2],"data_offsets":[-8,0]}}`, eight), "range"},
		{"backwards", file(`{"w":{"dtype":"F32","shape":[2],"data_offsets":[8,0]}}`, eight), "range"},
		{"negative shape", file(`{"w":{"dtype":"F32","shape":[-1,-2],"data_offsets":[0,8]}}`, eight), "shape"},
		{"huge shape", file(`{"w":{"dtype":"F32","shape":[4294967296,4294967296],"data_offsets":[0,0]}}`, eight), "shape"},
		{"unknown type", file(`{"w":{"dtype":"Q4","shape":[2],"data_offsets":[0,8]}}`, eight), `type "Q4"`},
		{"overlap", file(`{"v":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},
			"w":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}}`, eight), `"v" and "w" overlap`},
	} {
		_, err := open(c.file)
		if !errors.Is(err, errFormat) || !strings.Contains(fmt.Sprint(err), c.want) {
			t.Errorf("%s: error %v, want one with %q", c.name, err, c.want)
		}
	}
}

func FuzzReader(f *testing.F) {
	f.Add(file(`{"w":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}}`, make([]byte, 8)))
	f.Add(file(`{"w":{"dtype":"BF16","shape":[2,0],"data_offsets":[0,0]}}`, nil))
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := open(data)
		if err != nil {
			return
		}
		for _, tensor := range r.Tensors() {
			if _, err := tensor.ReadAll(); err != nil && strings.Contains(err.Error(), "EOF") {
				t.Errorf("a tensor that passed the check is not all there: %v", err)
			}
		}
	})
}
