package local

import (
	"context"
	"slices"
	"strings"
	"testing"

	"dowse/engine/opened"
	"dowse/engine/transformer"
	"dowse/engine/weights"
	"dowse/internal/testanswer"
	"dowse/models"
)

// A model that does not fit answers from its row pack, if that is all there is: in full as
// long as nothing was measured of what may be left out, then sparsely, and always within
// what the setting memory says.
func TestModelThatSwapsItsRows(t *testing.T) {
	app := install(t, testanswer.DeepWriterFiles(t))
	swapped, err := models.Swap(t.Context(), []string{app.cache}, writer, models.SwapOptions{Bits: 8, GroupLayers: 1, Replace: true}, nil)
	if err != nil {
		t.Fatal(err)
	}
	app.memory = swapped.Bytes*8/10 + workingMemory + pastMemory
	app.disk = func(context.Context, string) weights.DiskProfile { // small reads are as fast as large ones
		return weights.DiskProfile{Sizes: []int{1}, Rates: []float64{1e6}, Sequential: 1e6, Memory: 1e12}
	}
	for _, want := range []float64{0, .4} {
		a, ledger := newModelAnswerer(t, app)
		said, err := a.Answer(t.Context(), grepJob())
		if err != nil || said.Problem != "" || said.How != writer {
			t.Fatalf("sparsity %g: %+v, %v", want, said, err)
		}
		d := taken(t, a.writer).Decoder
		stats := d.Stats()
		if d.Resident() || d.Sparsity() != want || stats.Swap.BytesRead == 0 || (stats.Swap.Hits+stats.Swap.Misses > 0) != (want > 0) {
			t.Errorf("sparsity %g, want %g: %+v", d.Sparsity(), want, stats)
		}
		if ledger.Peak() > app.memory {
			t.Errorf("%d bytes of %d: %+v", ledger.Peak(), app.memory, ledger.Snapshot())
		}
		if want == 0 {
			calibrate(t, app.cache, a)
		}
	}
}

// A model that has both forms is streamed where rows take longer than layers.
func TestModelStreamsWhereRowsTakeLonger(t *testing.T) {
	app := install(t, testanswer.DeepWriterFiles(t))
	swapped, err := models.Swap(t.Context(), []string{app.cache}, writer, models.SwapOptions{Bits: 8, GroupLayers: 1}, nil)
	if err != nil {
		t.Fatal(err)
	}
	app.memory = swapped.Bytes*8/10 + workingMemory + pastMemory
	a, _ := newModelAnswerer(t, app)
	if said, err := a.Answer(t.Context(), grepJob()); err != nil || said.How != writer {
		t.Fatalf("%+v, %v", said, err)
	}
	if stats := taken(t, a.writer).Decoder.Stats(); stats.Window.LayersRead == 0 || stats.Swap.BytesRead > 0 {
		t.Errorf("%+v", stats)
	}
}

// A model that has its row pack alone leaves nothing out where that would make it no
// faster.
func TestModelLeavesNothingOutInVain(t *testing.T) {
	app := install(t, testanswer.DeepWriterFiles(t))
	swapped, err := models.Swap(t.Context(), []string{app.cache}, writer, models.SwapOptions{Bits: 8, GroupLayers: 1, Replace: true}, nil)
	if err != nil {
		t.Fatal(err)
	}
	app.memory = swapped.Bytes*8/10 + workingMemory + pastMemory
	a, _ := newModelAnswerer(t, app)
	calibrate(t, app.cache, a)
	if said, err := a.Answer(t.Context(), grepJob()); err != nil || said.How != writer {
		t.Fatalf("%+v, %v", said, err)
	}
	d := taken(t, a.writer).Decoder
	if stats := d.Stats(); d.Sparsity() != 0 || stats.Swap.BytesRead == 0 || stats.Swap.Hits+stats.Swap.Misses > 0 {
		t.Errorf("sparsity %g: %+v", d.Sparsity(), stats)
	}
}

// calibrate writes thresholds for the row pack of a writer.
func calibrate(t *testing.T, cache string, a *Answerer) {
	t.Helper()
	m, err := opened.Find([]string{cache}, writer)
	if err != nil {
		t.Fatal(err)
	}
	d, err := transformer.OpenDecoder(t.Context(), m.Rows, a.writer.Kernel, transformer.DecoderOptions{Threads: 1, MaxTokens: 512})
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Join(slices.Repeat([]string{grepJob().Passages[0].Text}, 40), " ")
	found, err := d.Calibrate(t.Context(), []string{text}, transformer.CalibrationOptions{Text: "a passage", Levels: []float64{.4, .6}, Windows: 1, Tokens: 256}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := found.Write(m.ThresholdsPath()); err != nil {
		t.Fatal(err)
	}
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
}
