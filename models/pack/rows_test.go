package pack

import (
	"bytes"
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"dowse/models/internal/view"
	"dowse/models/modeltest"
	"dowse/models/pack/directio"
)

// rowShapes are decoders whose bundles have rows of odd lengths, shared keys, norms
// of queries, biases, and a number of layers that no group divides.
func rowShapes() map[string]modeltest.Decoder {
	all := modeltest.Decoders()
	llama, linear, qwen3 := all["llama"], all["llama-linear"], all["qwen3"]
	llama.Layers, linear.Layers, qwen3.Layers = 5, 3, 7
	llama.Hidden, llama.Heads, llama.KVHeads, llama.HeadDim, llama.Intermediate = 36, 3, 1, 12, 50
	qwen3.Hidden, qwen3.Intermediate = 160, 300
	return map[string]modeltest.Decoder{"llama": llama, "llama-linear": linear, "qwen3": qwen3}
}

// decoderPack returns the open pack of a decoder.
func decoderPack(t testing.TB, d modeltest.Decoder) *Pack {
	t.Helper()
	files, err := d.Files()
	if err != nil {
		t.Fatal(err)
	}
	return openPack(t, importFiles(t, files))
}

// convert converts a pack and opens the row pack.
func convert(t testing.TB, p *Pack, groupLayers, bits int) *Rows {
	t.Helper()
	path := filepath.Join(t.TempDir(), "model.rows")
	last := int64(0)
	err := WriteRows(context.Background(), p, path, RowOptions{GroupLayers: groupLayers, Bits: bits}, func(done, total int64) {
		if done < last || done > total {
			t.Errorf("%d bytes after %d, of %d", done, last, total)
		}
		last = done
	})
	if err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(path); err != nil || info.Size() != last {
		t.Errorf("the progress ends at %d (%v)", last, err)
	}
	return openRows(t, path)
}

func openRows(t testing.TB, path string) *Rows {
	t.Helper()
	r, err := OpenRows(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	})
	return r
}

// resident reads what stays in memory.
func resident(t testing.TB, r *Rows) []DecoderLayer {
	t.Helper()
	layers, err := r.ReadResident(directio.AlignedBytes(r.ResidentBuffer()))
	if err != nil {
		t.Fatal(err)
	}
	return layers
}

// eachRow calls f with the row of each channel of each bundle of each layer, read by
// ReadBundle and cut as the layout says.
func eachRow(t testing.TB, r *Rows, f func(layer int, b Bundle, channel int, row []byte)) {
	t.Helper()
	l := r.Layout()
	for g := range l.Groups() {
		for b := range Bundles {
			records, err := r.ReadBundle(g, b, directio.AlignedBytes(l.BundleBuffer(g, b)))
			if err != nil {
				t.Fatal(err)
			}
			for channel := range l.Channels[b] {
				for i := range l.LayersOf(g) {
					at := int(l.RowOffset(g*l.GroupLayers+i, b, channel))
					f(g*l.GroupLayers+i, b, channel, records[at:at+l.RowBytes(b)])
				}
			}
		}
	}
}

// The rows and what stays in memory are the pack's weights, to the last bit at 8
// bits, whatever the shape and the group (T-A3).
func TestRowsHoldThePack(t *testing.T) {
	for name, shape := range rowShapes() {
		p := decoderPack(t, shape)
		for _, groupLayers := range []int{1, 4} {
			r := convert(t, p, groupLayers, 8)
			layers := resident(t, r)
			seen := 0
			eachRow(t, r, func(layer int, b Bundle, channel int, row []byte) {
				want, got := p.DecoderLayer(layer), layers[layer]
				w, l := want.Bundles()[b], got.Bundles()[b]
				for n, q := range view.Int8s(row) {
					if math.Abs(float64(q)*float64(l.In[channel])-float64(w.Weights[channel*w.N+n])) > 1e-5 || l.Scale[n] != w.Scale[n] {
						t.Fatalf("%s, groups of %d, layer %d, %v, channel %d: weight %d is %d times %v, want %d",
							name, groupLayers, layer, b, channel, n, q, l.In[channel], w.Weights[channel*w.N+n])
					}
				}
				seen++
			})
			c := r.Config()
			if want := c.Layers * (2*c.Hidden + c.Heads*c.HeadDim + c.Intermediate); seen != want {
				t.Errorf("%s: %d rows, want %d", name, seen, want)
			}
			requireResident(t, p, r, layers)
			if err := r.Verify(context.Background()); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}

// requireResident compares what is not swapped with the pack, and the sums of the
// columns with the rows.
func requireResident(t *testing.T, p *Pack, r *Rows, layers []DecoderLayer) {
	t.Helper()
	sums := make([][Bundles][]int32, len(layers))
	eachRow(t, r, func(layer int, b Bundle, _ int, row []byte) {
		if sums[layer][b] == nil {
			sums[layer][b] = make([]int32, r.Layout().Outputs[b])
		}
		for n := range sums[layer][b] {
			sums[layer][b][n] += int32(weightOf(row, r.Layout().Bits, n))
		}
	})
	for i, l := range layers {
		want := p.DecoderLayer(i)
		for b, q := range l.Bundles() {
			w := want.Bundles()[b]
			if !slices.Equal(q.ColSum, sums[i][b]) || !slices.Equal(q.Bias, w.Bias) || q.K != w.K || q.N != w.N || q.Weights != nil {
				t.Errorf("layer %d: %v differs", i, Bundle(b))
			}
		}
		if !slices.Equal(l.AttentionNorm, want.AttentionNorm) || !slices.Equal(l.MLPNorm, want.MLPNorm) ||
			!slices.Equal(l.QueryNorm, want.QueryNorm) || !slices.Equal(l.KeyNorm, want.KeyNorm) {
			t.Errorf("layer %d: a norm differs", i)
		}
	}
}

// weightOf returns the whole number that stands for a weight of a row.
func weightOf(row []byte, bits, n int) int8 {
	if bits == 8 {
		return int8(row[n])
	}
	b := row[n/32*16+n%16] // 32 weights in 16 bytes
	return int8(b>>(n/16%2*4)&15) - 8
}

// Records of any run of channels are one range of the file, and what ReadBundle has
// at their place.
func TestRecordsAreRangesOfTheBundle(t *testing.T) {
	const seed = 5
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	r := convert(t, decoderPack(t, rowShapes()["qwen3"]), 4, 8)
	l := r.Layout()
	for trial := range 200 {
		layer, b := rng.IntN(l.Layers), Bundle(rng.IntN(int(Bundles)))
		g := layer / l.GroupLayers
		whole, err := r.ReadBundle(g, b, directio.AlignedBytes(l.BundleBuffer(g, b)))
		if err != nil {
			t.Fatal(err)
		}
		from := rng.IntN(l.Channels[b])
		to := from + 1 + rng.IntN(l.Channels[b]-from)
		first, bytesOf := layer, (to-from)*l.RecordBytes(g, b)
		if b == QKVBundle || b == GateUpBundle { // records begin with the row of the group's first layer
			first = g * l.GroupLayers
		}
		at := int(l.RowOffset(first, b, from))
		got, err := r.ReadRecords(layer, b, from, to, directio.AlignedBytes(l.RecordsBuffer(g, b, to-from)))
		if err != nil || !bytes.Equal(got, whole[at:at+bytesOf]) {
			t.Fatalf("trial %d: records %d to %d of %v in layer %d differ (%v)", trial, from, to, b, layer, err)
		}
	}
}

// The layout is one without holes but the padding of bundles to pages, and without
// overlaps.
func TestRowLayoutTilesGroups(t *testing.T) {
	for name, shape := range rowShapes() {
		p := decoderPack(t, shape)
		for _, bits := range []int{8, 4} {
			for _, groupLayers := range []int{1, 2, 4, 8} {
				l, err := NewRowLayout(p.Config(), groupLayers, bits)
				if err != nil {
					t.Fatal(err)
				}
				layers := 0
				for g := range l.Groups() {
					layers += l.LayersOf(g)
					for b := range Bundles {
						end := bundleOffset(l, g, b) + l.BundleBytes(g, b)
						if next := bundleOffset(l, g, b+1); next < end || next >= end+blockAlign || next%blockAlign != 0 {
							t.Errorf("%s: %v of group %d ends at %d, the next starts at %d", name, b, g, end, next)
						}
					}
				}
				if layers != l.Layers {
					t.Errorf("%s: %d layers in groups of %d, want %d", name, layers, groupLayers, l.Layers)
				}
			}
		}
	}
}

// Everything else is read as from the pack.
func TestRowsReadWhatPacksDo(t *testing.T) {
	for _, name := range []string{"llama", "qwen3"} { // output rows of its own, and those of the words
		p := decoderPack(t, rowShapes()[name])
		r := convert(t, p, 2, 8)
		c := r.Config()
		if c != p.Config() || r.Source() != p.Fingerprint() || r.Fingerprint() == p.Fingerprint() ||
			!slices.Equal(r.Stop(), p.Stop()) || r.ChatTemplate() != p.ChatTemplate() {
			t.Errorf("%s: config %+v, want %+v", name, c, p.Config())
		}
		e, err := r.ReadEmbeddings(directio.AlignedBytes(c.EmbeddingsBuffer()))
		if err != nil || !reflect.DeepEqual(e, p.Embeddings()) {
			t.Errorf("%s: the embeddings differ (%v)", name, err)
		}
		o, err := r.ReadOutput(directio.AlignedBytes(c.OutputBuffer()))
		if c.TiedOutput {
			o.Words, o.WordScale = e.Words, e.WordScale
		}
		if err != nil || !reflect.DeepEqual(o, p.Output()) {
			t.Errorf("%s: the output differs (%v)", name, err)
		}
		tok, err := r.ReadTokenizer(directio.AlignedBytes(r.TokenizerBuffer()))
		want, err2 := p.Tokenizer()
		if err := errors.Join(err, err2); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(tok.Encode("The thing"), want.Encode("The thing")) {
			t.Errorf("%s: the tokenizer differs", name)
		}
	}
}

// Rows of the same weights compute the same, however they are grouped, and
// differently at another width.
func TestRowFingerprints(t *testing.T) {
	p := decoderPack(t, rowShapes()["llama"])
	one, two, narrow := convert(t, p, 1, 8), convert(t, p, 2, 8), convert(t, p, 2, 4)
	if one.Fingerprint() != two.Fingerprint() {
		t.Error("the group changes the fingerprint")
	}
	if narrow.Fingerprint() == two.Fingerprint() {
		t.Error("the width does not change the fingerprint")
	}
}

func TestRowsRefuse(t *testing.T) {
	p := decoderPack(t, rowShapes()["llama"])
	r := convert(t, p, 2, 8)
	buffer := directio.AlignedBytes(1 << 16)
	for _, c := range []struct {
		layer    int
		b        Bundle
		from, to int
	}{{-1, 0, 0, 1}, {r.Layout().Layers, 0, 0, 1}, {0, Bundles, 0, 1}, {0, -1, 0, 1}, {0, 0, 1, 1}, {0, 0, -1, 1}, {0, 0, 0, 37}, {0, 0, math.MaxInt, math.MinInt}} {
		if _, err := r.ReadRecords(c.layer, c.b, c.from, c.to, buffer); err == nil {
			t.Errorf("%+v is read", c)
		}
	}
	if _, err := r.ReadRecords(0, 0, 0, 36, buffer[:4096]); err == nil {
		t.Error("a short buffer is accepted")
	}
	if _, err := r.ReadBundle(3, 0, buffer); err == nil {
		t.Error("a group that does not exist is read")
	}
	for _, o := range []RowOptions{{GroupLayers: 3, Bits: 8}, {GroupLayers: 16, Bits: 8}, {Bits: 8}, {GroupLayers: 4, Bits: 5}} {
		if err := WriteRows(context.Background(), p, filepath.Join(t.TempDir(), "x"), o, nil); err == nil {
			t.Errorf("%+v is written", o)
		}
	}
	encoder := openPack(t, importFiles(t, tinyFiles(t)))
	if err := WriteRows(context.Background(), encoder, filepath.Join(t.TempDir(), "x"), RowOptions{GroupLayers: 4, Bits: 8}, nil); err == nil {
		t.Error("the rows of an encoder are written")
	}
	if _, err := Open(r.path); !errors.Is(err, errRowPack) {
		t.Errorf("a row pack opened as a pack: %v", err)
	}
	if rows, err := IsRows(r.path); !rows || err != nil {
		t.Errorf("IsRows = %t, %v", rows, err)
	}
}

// bundleOffset returns where a bundle starts within its group, a multiple of 4096.
// That of Bundles is where the group ends.
func bundleOffset(l RowLayout, group int, b Bundle) int64 {
	at := int64(0)
	for before := range b {
		at += align(l.BundleBytes(group, before), blockAlign)
	}
	return at
}
