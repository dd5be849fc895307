package local

import (
	"errors"
	"os"
	"slices"
	"testing"

	"dowse/engine"
	"dowse/engine/memory"
	"dowse/internal/testanswer"
	"dowse/models"
	"dowse/models/pack"
)

// it is read, is a sentence beside the extracted answer, until it is whole again.
func TestModelLargerThanTheMemorySetting(t *testing.T) {
	if testing.Short() {
		t.Skip("one answer after the other: nothing for the race detector")
	}
	app := install(t, testanswer.DeepWriterFiles(t))
	path := models.PackPath(app.cache, writer)
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	answer := func(budget int64) (*Answerer, *engine.Answer, *memory.Ledger) {
		app.memory = budget
		a, ledger := newModelAnswerer(t, app)
		said, err := a.Answer(t.Context(), grepJob())
		if err != nil || said.Problem != "" || said.How != writer {
			t.Fatalf("in %d bytes: %+v, %v", budget, said, err)
		}
		return a, said, ledger
	}
	a, whole, _ := answer(1 << 30)
	if !taken(t, a.writer).Decoder.Resident() {
		t.Fatal("a gigabyte does not hold the model")
	}
	small := info.Size()*7/10 + workingMemory + pastMemory
	a, streamed, ledger := answer(small)
	stats := taken(t, a.writer).Decoder.Stats()
	if stats.Resident || stats.Window.BytesRead == 0 || streamed.Text != whole.Text {
		t.Errorf("%+v; it says %q, in memory %q", stats, streamed.Text, whole.Text)
	}
	if ledger.Peak() > small {
		t.Errorf("%d bytes of %d: %+v", ledger.Peak(), small, ledger.Snapshot())
	}
	t.Logf("pack of %d bytes, budget %d, %+v", info.Size(), small, stats)

	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(path, info.Size()/4096/2*4096); err != nil {
		t.Fatal(err)
	}
	requireExtracted(t, a, "cut short")
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	again, err := a.Answer(t.Context(), grepJob())
	if err != nil || again.Text != whole.Text {
		t.Errorf("whole again: %+v, %v", again, err)
	}
	requireCutIsAnError(t, a.writer, path)
}

// requireCutIsAnError cuts a pack while a text is written: it ends with an error
// that says so.
func requireCutIsAnError(t *testing.T, g *Writer, path string) {
	t.Helper()
	o, done, err := g.Acquire(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = done() }()
	pieces := 0
	_, err = o.write(t.Context(), o.outside(slices.Repeat([]int32{40, 41, 42, 43}, 100)), nil, func(string) error {
		if pieces++; pieces == 2 {
			return os.Truncate(path, 8192)
		}
		return nil
	})
	if pieces < 2 || !errors.Is(err, pack.ErrTruncated) {
		t.Errorf("after %d pieces: %v", pieces, err)
	}
}
