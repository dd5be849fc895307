package pack

import (
	"bytes"
	"testing"

	"dowse/models/pack/directio"
)

// A row that is read alone is that of its record.
func TestReadRowIsThatOfTheRecord(t *testing.T) {
	for _, bits := range []int{8, 4} {
		r := convert(t, decoderPack(t, rowShapes()["llama"]), 2, bits)
		l := r.Layout()
		eachRow(t, r, func(layer int, b Bundle, channel int, row []byte) {
			got, err := r.ReadRow(layer, b, channel, directio.AlignedBytes(l.RecordsBuffer(0, b, 1)))
			if err != nil || !bytes.Equal(got, row) {
				t.Fatalf("layer %d, %v, channel %d: %v", layer, b, channel, err)
			}
		})
		for _, at := range [][3]int{{-1, 0, 0}, {l.Layers, 0, 0}, {0, int(Bundles), 0}, {0, 0, -1}, {0, 0, l.Channels[0]}} {
			if _, err := r.ReadRow(at[0], Bundle(at[1]), at[2], directio.AlignedBytes(1<<20)); err == nil {
				t.Errorf("row %v is read", at)
			}
		}
		if _, err := r.ReadRow(0, DownBundle, 0, nil); err == nil {
			t.Error("a row fits into no memory")
		}
	}
}
