package gguf_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"dowse/models/gguf"
	"dowse/models/modeltest"
)

func open(b []byte) (*gguf.Reader, error) { return gguf.NewReader(bytes.NewReader(b), int64(len(b))) }

// blocks returns the file that testdata/blocks.py wrote.
func blocks(t testing.TB) []byte {
	t.Helper()
	data, err := os.ReadFile("testdata/blocks.gguf")
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// Every type gives the bits of the reference implementation, read as a whole
// and row by row.
func TestDequantizeGolden(t *testing.T) {
	r, err := open(blocks(t))
	if err != nil {
		t.Fatal(err)
	}
	types := 0
	for _, tensor := range r.Tensors() {
		want, ok := r.Tensor(tensor.Name + ".want")
		if !ok {
			continue
		}
		types++
		if tensor.Type.String() != tensor.Name {
			t.Errorf("tensor %s has type %s", tensor.Name, tensor.Type)
		}
		requireRows(t, tensor, want)
	}
	if types != 11 {
		t.Errorf("%d types were compared", types)
	}
}

func requireRows(t *testing.T, got, want *gguf.Tensor) {
	t.Helper()
	all, err1 := got.ReadAll()
	expected, err2 := want.ReadAll()
	if err := errors.Join(err1, err2); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(got.Shape, want.Shape) || len(all) != len(expected) {
		t.Fatalf("%s: shape %v, want %v", got.Name, got.Shape, want.Shape)
	}
	row := make([]float32, got.Row())
	for i := range got.Rows() {
		if err := got.ReadRows(row, i); err != nil {
			t.Fatal(err)
		}
		for j := range row {
			k := i*len(row) + j
			if math.Float32bits(all[k]) != math.Float32bits(expected[k]) || math.Float32bits(row[j]) != math.Float32bits(expected[k]) {
				t.Fatalf("%s [%d,%d]: %v of all, %v of the row, want %v", got.Name, i, j, all[k], row[j], expected[k])
			}
		}
	}
	if err := got.ReadRows(row, got.Rows()); err == nil || !strings.Contains(err.Error(), got.Name) {
		t.Errorf("%s: a row too many: error %v", got.Name, err)
	}
}

func TestShapes(t *testing.T) {
	r, err := open(blocks(t))
	if err != nil {
		t.Fatal(err)
	}
	cube, ok := r.Tensor("cube")
	if !ok || !slices.Equal(cube.Shape, []int{2, 3, 4}) || cube.Rows() != 2 || cube.Row() != 12 {
		t.Fatalf("cube: %+v", cube)
	}
	if row := make([]float32, 12); cube.ReadRows(row, 1) != nil || row[0] != 12 || row[11] != 23 {
		t.Errorf("row 1 of the cube: %v", row)
	}
	vector, _ := r.Tensor("vector")
	if v, err := vector.ReadAll(); err != nil || !slices.Equal(v, []float32{1, 2, 3}) {
		t.Errorf("vector: %v, %v", v, err)
	}
}

func TestMetadata(t *testing.T) {
	r, err := open(blocks(t))
	if err != nil {
		t.Fatal(err)
	}
	for key, want := range map[string]any{
		"number.uint8": uint8(200), "number.int8": int8(-100), "number.uint16": uint16(60000), "number.int16": int16(-30000),
		"number.uint32": uint32(4000000000), "number.int32": int32(-2000000000), "number.uint64": uint64(1 << 63),
		"number.int64": int64(-1 << 62), "number.float32": float32(0.1), "number.float64": 0.1, "truth": true, "text": "héllo\n",
		"array.int32": []int32{1, -2, 3}, "array.float32": []float32{0.5, -1.5}, "array.text": []string{"a", "", "ç"},
		"array.bool": []bool{true, false}, "array.uint32": []uint32{1, 1<<32 - 1}, "array.nested": []any{[]int32{1, 2}, []int32{3}},
	} {
		if got, ok := r.Value(key); !ok || !reflect.DeepEqual(got, want) {
			t.Errorf("%s = %#v, want %#v", key, got, want)
		}
	}
	if len(r.Keys()) != 19 || r.Version() != 3 {
		t.Errorf("version %d, keys %v", r.Version(), r.Keys())
	}
}

func TestLookups(t *testing.T) {
	r, err := open(blocks(t))
	if err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"uint8", "int8", "uint16", "int16", "uint32", "int32", "int64"} {
		if n, err := r.Int("number."+key, 7); err != nil || n == 7 {
			t.Errorf("Int of %s = %d, %v", key, n, err)
		}
	}
	if n, err := r.Int("none", 7); n != 7 || err != nil {
		t.Errorf("Int of nothing = %d, %v", n, err)
	}
	if f, err := r.Float("number.float32", 0); f != float64(float32(0.1)) || err != nil {
		t.Errorf("Float = %v, %v", f, err)
	}
	if b, err := r.Bool("truth", false); !b || err != nil {
		t.Errorf("Bool = %v, %v", b, err)
	}
	if list, err := r.Ints("array.uint32"); !slices.Equal(list, []int32{1, -1}) || err != nil {
		t.Errorf("Ints = %v, %v", list, err)
	}
	if list, err := r.Texts("none"); list != nil || err != nil {
		t.Errorf("Texts of nothing = %v, %v", list, err)
	}
	_, big := r.Int("number.uint64", 0)
	_, text := r.Text("truth", "")
	_, floats := r.Floats("array.int32")
	_, float := r.Float("text", 0)
	for _, err := range []error{big, text, floats, float} {
		if err == nil || !strings.Contains(err.Error(), "want a") {
			t.Errorf("a value of another type: error %v", err)
		}
	}
}

// small returns a file of one tensor of eight bytes and one number.
func small(t testing.TB) []byte {
	t.Helper()
	data, err := modeltest.GGUF(map[string]any{"n": uint32(1)}, map[string]modeltest.Tensor{"w": {Shape: []int{2}, Values: []float32{1, 2}}})
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestBadFilesAreRefused(t *testing.T) {
	whole := small(t)
	// Places in small: the entry "n" starts at 24, the tensor "w" at 41.
	change := func(at int, b ...byte) []byte {
		data := bytes.Clone(whole)
		copy(data[at:], b)
		return data
	}
	number := func(n uint64) []byte { return binary.LittleEndian.AppendUint64(nil, n) }
	for _, c := range []struct {
		name string
		data []byte
		want string
	}{
		{"empty", nil, "ends in the middle"},
		{"another format", change(0, 0x50, 0x4b, 3, 4), `starts with "PK`},
		{"version 1", change(4, 1), "version 1 is not supported"},
		{"big-endian", change(4, 0, 0, 0, 3), "big-endian"},
		{"many tensors", change(8, number(1<<40)...), "tensors and 1 metadata"},
		{"long key", change(24, number(1<<60)...), "does not fit"},
		{"value type", change(33, 99), `metadata "n": not a valid GGUF file: value type 99 is unknown`},
		{"endless array", change(33, append([]byte{9, 0, 0, 0, 8, 0, 0, 0}, number(1<<61)...)...), "does not fit"},
		{"dimensions", change(50, 9), `tensor "w" has 9 dimensions`},
		{"huge shape", change(54, number(1<<50)...), `shape of tensor "w"`},
		{"tensor type", change(62, 99), `tensor "w": type 99 is unknown`},
		{"removed type", change(62, 4), `tensor "w": type 4 is unknown`},
		{"blocks", change(62, byte(gguf.Q4K)), "not whole blocks of 256"},
		{"offset", change(66, 1), "not a multiple of 32"},
		{"huge offset", change(66, number(1<<62)...), "cut short"},
		{"cut short", whole[:len(whole)-32], `tensor "w": its data ends`},
		{"cut in the header", whole[:60], "ends in the middle"},
	} {
		_, err := open(c.data)
		if !errors.Is(err, gguf.ErrFormat) || !strings.Contains(fmt.Sprint(err), c.want) {
			t.Errorf("%s: error %v, want one with %q", c.name, err, c.want)
		}
	}
	if _, err := open(whole); err != nil {
		t.Errorf("unchanged: %v", err)
	}
}

func TestBadAlignmentIsRefused(t *testing.T) {
	for _, alignment := range []uint32{0, 24, 1 << 30} {
		data, err := modeltest.GGUF(map[string]any{"general.alignment": alignment}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := open(data); err == nil || !strings.Contains(err.Error(), "alignment") {
			t.Errorf("alignment %d: error %v", alignment, err)
		}
	}
}

func TestOverlapIsRefused(t *testing.T) {
	tensor := modeltest.Tensor{Shape: []int{8}, Values: make([]float32, 8)}
	data, err := modeltest.GGUF(nil, map[string]modeltest.Tensor{"v": tensor, "w": tensor})
	if err != nil {
		t.Fatal(err)
	}
	at := bytes.LastIndexByte(data[:len(data)-64], 'w') + 1 + 4 + 8 + 4 // its offset
	if data[at] != 32 {
		t.Fatalf("the offset of w is not at %d", at)
	}
	data[at] = 0
	if _, err := open(data); err == nil || !strings.Contains(err.Error(), `"v" and "w" overlap`) {
		t.Errorf("error %v", err)
	}
}

func TestTypesThatCannotBeReadAreNamed(t *testing.T) {
	data, err := modeltest.GGUF(nil, map[string]modeltest.Tensor{"w": {Shape: []int{256}, Values: make([]float32, 256)}})
	if err != nil {
		t.Fatal(err)
	}
	data[24+8+1+4+8] = 10 // the type
	r, err := open(data)
	if err != nil {
		t.Fatal(err)
	}
	w, _ := r.Tensor("w")
	_, err = w.ReadAll()
	for _, err := range []error{err, w.CheckType(), w.ReadRows(make([]float32, 256), 0)} {
		if err == nil || !strings.Contains(err.Error(), `tensor "w" has type Q2_K, which is not supported; supported: F32`) {
			t.Errorf("error %v", err)
		}
	}
}

func FuzzReader(f *testing.F) {
	f.Add(small(f))
	f.Add(blocks(f)[:2500])
	f.Add(blocks(f))
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

func BenchmarkDequantize(b *testing.B) {
	r, err := open(blocks(b))
	if err != nil {
		b.Fatal(err)
	}
	for _, tensor := range r.Tensors() {
		if _, ok := r.Tensor(tensor.Name + ".want"); !ok {
			continue
		}
		b.Run(tensor.Name, func(b *testing.B) {
			dst := make([]float32, tensor.Rows()*tensor.Row())
			b.SetBytes(int64(4 * len(dst)))
			for b.Loop() {
				if err := tensor.ReadRows(dst, 0); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// A matrix of a stack is the part of the whole at its place.
func TestMatrixOfAStack(t *testing.T) {
	values := make([]float32, 3*2*4)
	for i := range values {
		values[i] = float32(i)
	}
	data, err := modeltest.GGUF(map[string]any{}, map[string]modeltest.Tensor{"a": {Shape: []int{3, 2, 4}, Values: values}, "b": {Shape: []int{2, 4}, Values: values[:8]}})
	if err != nil {
		t.Fatal(err)
	}
	r, err := gguf.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	stack, _ := r.Tensor("a")
	for i := range 3 {
		m, err := stack.Matrix(i)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := m.ReadAll(); err != nil || !slices.Equal(got, values[8*i:8*i+8]) || !slices.Equal(m.Shape, []int{2, 4}) {
			t.Errorf("matrix %d of shape %v is %v (%v)", i, m.Shape, got, err)
		}
	}
	flat, _ := r.Tensor("b")
	for _, err := range []error{second(stack.Matrix(-1)), second(stack.Matrix(3)), second(flat.Matrix(0))} {
		if err == nil {
			t.Error("a matrix that is none can be read")
		}
	}
}

func second(_ *gguf.Tensor, err error) error { return err }
