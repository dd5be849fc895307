package local

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"testing"

	"dowse/engine"
	"dowse/engine/opened"
	"dowse/engine/swap"
	"dowse/engine/swap/calibrate"
	"dowse/engine/transformer"
	"dowse/internal/testanswer"
	"dowse/models"
)

// fastSmallReads is a disk on which small reads are as fast as large ones, so that
// swapping rows pays.
func fastSmallReads(context.Context, string) swap.DiskProfile {
	return swap.DiskProfile{Sizes: []int{1}, Rates: []float64{1e6}, Sequential: 1e6, Memory: 1e12}
}

// A model that does not fit answers from its row pack, if that is all there is: in full as
// long as nothing was measured of what may be left out, then sparsely, and always within
// what the setting memory says.
func TestModelThatSwapsItsRows(t *testing.T) {
	if testing.Short() {
		t.Skip("compares numbers: nothing for the race detector")
	}
	app := install(t, testanswer.DeepWriterFiles(t))
	swapped, err := models.Swap(t.Context(), []string{app.cache}, writer, models.SwapOptions{Bits: 8, GroupLayers: 1, Replace: true}, nil)
	if err != nil {
		t.Fatal(err)
	}
	app.memory = swapped.Bytes*8/10 + workingMemory + pastMemory
	app.disk = fastSmallReads
	for _, want := range []float64{0, .4} {
		a, ledger := newModelAnswerer(t, app)
		said, err := a.Answer(t.Context(), longJob())
		if err != nil || said.Problem != "" || said.How != writer {
			t.Fatalf("sparsity %g: %+v, %v", want, said, err)
		}
		d := taken(t, a.writer).Decoder
		stats := d.Stats()
		if d.Resident() || d.Sparsity() != want || stats.Swap.BytesRead == 0 || (stats.Swap.Hits+stats.Swap.Misses > 0) != (want > 0) {
			t.Errorf("sparsity %g, want %g: %+v", d.Sparsity(), want, stats)
		}
		switch use := a.writer.Use(); {
		case use == nil || use.Name != writer || use.Way != engine.Swapped || use.Sparsity != want || use.Cache <= 0 || use.Cache > app.memory:
			t.Errorf("sparsity %g: it runs as %+v", want, use)
		case use.Hits != stats.Swap.Hits || use.Misses != stats.Swap.Misses || use.TokenBytes <= 0 || use.TokenBytes > swapped.Bytes:
			t.Errorf("sparsity %g: it read %+v, the decoder %+v", want, use, stats.Swap)
		}
		if ledger.Peak() > app.memory {
			t.Errorf("%d bytes of %d: %+v", ledger.Peak(), app.memory, ledger.Snapshot())
		}
		if want == 0 {
			calibrateRows(t, app.cache, a)
		}
	}
}

// A model that was distilled for more leaves more out than others may.
func TestADistilledModelLeavesOutWhatItWasTaught(t *testing.T) {
	if testing.Short() {
		t.Skip("compares numbers: nothing for the race detector")
	}
	files := testanswer.DeepWriterFiles(t)
	files["config.json"] = bytes.Replace(files["config.json"], []byte(`"hidden_act"`), []byte(`"distilled_for_sparsity": 0.6, "hidden_act"`), 1)
	app := install(t, files)
	swapped, err := models.Swap(t.Context(), []string{app.cache}, writer, models.SwapOptions{Bits: 8, GroupLayers: 1, Replace: true}, nil)
	if err != nil {
		t.Fatal(err)
	}
	app.memory = swapped.Bytes*8/10 + workingMemory + pastMemory
	app.disk = fastSmallReads
	a, _ := newModelAnswerer(t, app)
	calibrateRows(t, app.cache, a)
	if d := taken(t, a.writer).Decoder; d.Resident() || d.Sparsity() != .6 {
		t.Errorf("in memory: %t, sparsity %g", d.Resident(), d.Sparsity())
	}
}

// A model that has both forms is streamed where rows take longer than layers.
func TestModelStreamsWhereRowsTakeLonger(t *testing.T) {
	if testing.Short() {
		t.Skip("compares numbers: nothing for the race detector")
	}
	app := install(t, testanswer.DeepWriterFiles(t))
	swapped, err := models.Swap(t.Context(), []string{app.cache}, writer, models.SwapOptions{Bits: 8, GroupLayers: 1}, nil)
	if err != nil {
		t.Fatal(err)
	}
	app.memory = swapped.Bytes*8/10 + workingMemory + pastMemory
	a, _ := newModelAnswerer(t, app)
	if said, err := a.Answer(t.Context(), longJob()); err != nil || said.How != writer {
		t.Fatalf("%+v, %v", said, err)
	}
	stats := taken(t, a.writer).Decoder.Stats()
	if stats.Window.LayersRead == 0 || stats.Swap.BytesRead > 0 {
		t.Errorf("%+v", stats)
	}
	use := a.writer.Use()
	if use == nil || use.Way != engine.Streamed || use.Kept != stats.Kept || use.Kept >= use.Layers || use.TokenBytes <= 0 || use.Hits+use.Misses != 0 {
		t.Errorf("it runs as %+v, the decoder has %+v", use, stats)
	}
	if err := a.writer.Close(); err != nil || a.writer.Use() != nil {
		t.Errorf("closed it runs as %+v, %v", a.writer.Use(), err)
	}
}

// A model that has its row pack alone leaves nothing out where that would make it no
// faster.
func TestModelLeavesNothingOutInVain(t *testing.T) {
	if testing.Short() {
		t.Skip("compares numbers: nothing for the race detector")
	}
	app := install(t, testanswer.DeepWriterFiles(t))
	swapped, err := models.Swap(t.Context(), []string{app.cache}, writer, models.SwapOptions{Bits: 8, GroupLayers: 1, Replace: true}, nil)
	if err != nil {
		t.Fatal(err)
	}
	app.memory = swapped.Bytes*8/10 + workingMemory + pastMemory
	a, _ := newModelAnswerer(t, app)
	calibrateRows(t, app.cache, a)
	if said, err := a.Answer(t.Context(), longJob()); err != nil || said.How != writer {
		t.Fatalf("%+v, %v", said, err)
	}
	d := taken(t, a.writer).Decoder
	if stats := d.Stats(); d.Sparsity() != 0 || stats.Swap.BytesRead == 0 || stats.Swap.Hits+stats.Swap.Misses > 0 {
		t.Errorf("sparsity %g: %+v", d.Sparsity(), stats)
	}
}

// calibrateRows writes thresholds for the row pack of a writer.
func calibrateRows(t *testing.T, cache string, a *Answerer) {
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
	found, err := calibrate.Run(t.Context(), d, []string{text}, calibrate.Options{Text: "a passage", Levels: []float64{.4, .6}, Windows: 1, Tokens: 256}, nil)
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

// longJob is a question to which the deep model without sense writes many tokens.
func longJob() engine.AnswerJob {
	job := grepJob()
	job.Question = "when was grep written?"
	return job
}
