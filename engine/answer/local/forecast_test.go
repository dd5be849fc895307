package local

import (
	"errors"
	"math"
	"testing"

	"dowse/engine"
	"dowse/engine/weights"
	"dowse/internal/testanswer"
	"dowse/models"
)

// A forecast says how the model then runs, and how fast it was once it ran.
func TestForecast(t *testing.T) {
	if testing.Short() {
		t.Skip("compares numbers: nothing for the race detector")
	}
	app := install(t, testanswer.DeepWriterFiles(t))
	m, err := models.Find([]string{app.cache}, writer)
	if err != nil {
		t.Fatal(err)
	}
	whole, streamed := m.Size+workingMemory+pastMemory+64<<20, m.Size*7/10+workingMemory+pastMemory
	for _, c := range []struct {
		memory int64
		want   engine.Way
		known  bool // from what ran before
	}{{0, engine.Resident, false}, {whole, engine.Resident, true}, {streamed, engine.Streamed, false}} {
		app.memory = c.memory
		a, ledger := newModelAnswerer(t, app)
		before, err := a.writer.Forecast(t.Context())
		if err != nil || before.Way != c.want || before.Measured != c.known || !(before.Seconds(600, 40) > 0) || math.IsInf(before.Seconds(600, 40), 1) {
			t.Fatalf("in %d bytes: %+v, %v; want %s", c.memory, before, err, c.want)
		}
		if held := ledger.Total(); held != 0 {
			t.Errorf("a forecast holds %d bytes", held)
		}
		if said, err := a.Answer(t.Context(), grepJob()); err != nil || said.How != writer {
			t.Fatalf("%+v, %v", said, err)
		}
		if use := a.writer.Use(); use == nil || use.Way != before.Way {
			t.Errorf("%s was forecast, it runs as %+v", before.Way, use)
		}
		if err := a.writer.Close(); err != nil {
			t.Fatal(err)
		}
		after, err := newForecast(t, app)
		if err != nil || after.Way != c.want || !after.Measured || !(after.Seconds(600, 40) > 0) {
			t.Errorf("in %d bytes after an answer: %+v, %v", c.memory, after, err)
		}
	}
	app.memory = pastMemory + workingMemory
	if f, err := newForecast(t, app); !errors.Is(err, weights.ErrBudget) {
		t.Errorf("a model that does not fit: %+v, %v", f, err)
	}
}

// A model that is swapped by rows alone is forecast so.
func TestForecastOfRows(t *testing.T) {
	if testing.Short() {
		t.Skip("compares numbers: nothing for the race detector")
	}
	app := install(t, testanswer.DeepWriterFiles(t))
	swapped, err := models.Swap(t.Context(), []string{app.cache}, writer, models.SwapOptions{Bits: 8, GroupLayers: 1, Replace: true}, nil)
	if err != nil {
		t.Fatal(err)
	}
	app.memory = swapped.Bytes*8/10 + workingMemory + pastMemory
	f, err := newForecast(t, app)
	if err != nil || f.Way != engine.Swapped || f.Measured || !(f.Written > 0) {
		t.Errorf("%+v, %v", f, err)
	}
}

func newForecast(t *testing.T, app *fixture) (Forecast, error) {
	t.Helper()
	a, _ := newModelAnswerer(t, app)
	return a.writer.Forecast(t.Context())
}
