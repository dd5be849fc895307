package transformer_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"dowse/engine/kernel"
	"dowse/engine/memory"
	"dowse/models/pack"
	"dowse/models/pack/directio"
)

// Rows of 4 bits are read by the kernels as packs write them: what a projection makes
// of one input alone is that input's row of weights, within half a step.
func TestNibbleRowsMeanWhatThePackDoes(t *testing.T) {
	eachDecoder(t, 31, func(t *testing.T, _ *rand.Rand, folder string) { nibbleRowsMeanWhatThePackDoes(t, folder) })
}

func nibbleRowsMeanWhatThePackDoes(t *testing.T, folder string) {
	t.Helper()
	path := importFolder(t, folder)
	packed, err := pack.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = packed.Close() })
	rows, err := pack.OpenRows(rowsOf(t, path, 2, 4))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = rows.Close() })
	l := rows.Layout()
	views, err := rows.ReadResident(directio.AlignedBytes(rows.ResidentBuffer()))
	if err != nil {
		t.Fatal(err)
	}
	for b := range pack.Bundles {
		if got, want := pack.Row4Bytes(l.Outputs[b]), l.RowBytes(b); got != want {
			t.Fatalf("%v: the kernels take rows of %d bytes, the pack has %d", b, got, want)
		}
		view := views[0].Bundles()[b]
		layer := packed.DecoderLayer(0)
		want := layer.Bundles()[b]
		w := pack.Linear{K: view.K, N: view.N, Scale: view.Scale, Bias: view.Bias, ColSum: view.ColSum, In: view.In, Bits: 4}
		for _, channel := range []int{0, 1, l.Channels[b] - 1} {
			buffer := directio.AlignedBytes(l.RecordsBuffer(0, b, 1))
			record, err := rows.ReadRecords(0, b, channel, channel+1, buffer)
			if err != nil {
				t.Fatal(err)
			}
			compareRow(t, b, channel, rowOf(t, &w, channel, record), want)
		}
	}
}

// rowOf returns what a projection makes of the input of a channel alone.
func rowOf(t *testing.T, w *pack.Linear, channel int, row []byte) []float32 {
	t.Helper()
	buffer, err := memory.NewBuffer(nil, "", len(row))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = buffer.Free() }()
	copy(buffer.Bytes(), row)
	x, dst := make([]float32, w.K), make([]float32, w.N)
	x[channel] = w.In[channel]
	s := kernel.NewScratch(nil)
	defer func() { _ = s.Free() }()
	err = newKernel(t).LinearRows4(dst, x, []int32{int32(channel)}, []*int8{&buffer.Int8()[0]}, w, kernel.Columns{To: w.N}, s)
	if err != nil {
		t.Fatal(err)
	}
	return dst
}

// compareRow compares the row of a channel with that of the pack.
func compareRow(t *testing.T, b pack.Bundle, channel int, got []float32, want *pack.Linear) {
	t.Helper()
	row := make([]float64, want.N)
	for n := range row {
		row[n] = float64(want.Weights[channel*want.N+n]) * float64(want.Scale[n])
	}
	wrong, all := 0.0, 0.0
	for n, v := range row {
		e := float64(got[n]-want.Bias[n]) - v
		wrong, all = wrong+e*e, all+v*v
	}
	if wrong > .04*all {
		t.Errorf("%v, channel %d: an error of %.3f of the row; 4 bits make about .11", b, channel, math.Sqrt(wrong/all))
	}
}
