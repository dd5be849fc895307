package app

import (
	"errors"
	"os"
	"slices"
	"testing"

	"dowse/engine"
	"dowse/engine/memory"
	"dowse/models"
	"dowse/models/modeltest"
	"dowse/models/pack"
)

// deepFiles are those of a model whose layers outweigh what it works in.
func deepFiles(t testing.TB) map[string][]byte {
	t.Helper()
	m := modeltest.Decoders()["llama"]
	m.Positions, m.Layers, m.Hidden, m.Heads, m.KVHeads, m.HeadDim, m.Intermediate = 4096, 16, 256, 8, 2, 32, 1024
	files, err := m.Files()
	if err != nil {
		t.Fatal(err)
	}
	files["tokenizer_config.json"] = []byte(turns)
	return files
}

// TestModelLargerThanTheMemorySetting: what does not fit is read while it answers,
// with the same answer and within the budget; a pack that is cut, before or while
// it is read, is a sentence beside the extracted answer, until it is whole again.
func TestModelLargerThanTheMemorySetting(t *testing.T) {
	app := install(t, deepFiles(t))
	path := models.PackPath(app.Home.Cache, writer)
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	answer := func(budget int64) (*modelAnswerer, *engine.Answer, *memory.Ledger) {
		app.Config.Memory = budget
		a, ledger := newModelAnswerer(t, app)
		said, err := a.Answer(t.Context(), grepJob())
		if err != nil || said.Problem != "" || said.How != writer {
			t.Fatalf("in %d bytes: %+v, %v", budget, said, err)
		}
		return a, said, ledger
	}
	a, whole, _ := answer(1 << 30)
	if !a.generator.opened.decoder.Resident() {
		t.Fatal("a gigabyte does not hold the model")
	}
	small := info.Size()*7/10 + workingMemory + pastMemory
	a, streamed, ledger := answer(small)
	stats := a.generator.opened.decoder.Stats()
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
	requireCutIsAnError(t, a.generator, path)
}

// requireCutIsAnError cuts a pack while a text is written: it ends with an error
// that says so.
func requireCutIsAnError(t *testing.T, g *generator, path string) {
	t.Helper()
	o, err := g.acquire(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer g.release()
	pieces := 0
	_, err = o.write(t.Context(), slices.Repeat([]int32{40, 41, 42, 43}, 100), nil, func(string) error {
		if pieces++; pieces == 2 {
			return os.Truncate(path, 8192)
		}
		return nil
	})
	if pieces < 2 || !errors.Is(err, pack.ErrTruncated) {
		t.Errorf("after %d pieces: %v", pieces, err)
	}
}
