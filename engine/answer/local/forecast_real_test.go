package local

import (
	"flag"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"dowse/engine/generate"
	"dowse/engine/kernel"
	"dowse/engine/memory"
	"dowse/engine/opened"
	"dowse/models"
)

var forecastHome = flag.String("forecast-home", "", "folder of caches whose models to compare with their forecasts")

// TestForecastOfRealModels compares forecasts with what then runs, in turns,
// since other programs slow both. The way has to be the one forecast; the
// ratios are for people.
func TestForecastOfRealModels(t *testing.T) {
	if *forecastHome == "" {
		t.Skip("compares installed models only when told which: -forecast-home FOLDER")
	}
	k, err := kernel.New(kernel.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := k.Close(); err != nil {
			t.Error(err)
		}
	})
	installed, err := models.Installed(*forecastHome)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range installed {
		if m.Role() != models.Answerer || m.Problem != nil || m.Adapter != "" {
			continue
		}
		// Any amount; all of the model and little besides; half of it.
		for _, budget := range []int64{0, m.Size + m.Size/4 + Beside, m.Size + Beside + 32<<20, m.Size*7/10 + Beside, m.Size/2 + Beside} {
			t.Run(fmt.Sprintf("%s/%d", m.Name, budget>>20), func(t *testing.T) { compareForecast(t, k, m, budget) })
		}
	}
}

func compareForecast(t *testing.T, k *kernel.Kernel, m models.Installation, budget int64) {
	costs := t.TempDir()
	open := func(costs string) *Writer {
		machine := opened.Machine{
			Find:   func(string) (models.Installation, error) { return m, nil },
			Kernel: k, Ledger: &memory.Ledger{}, Threads: 2, Memory: memory.NewArbiter(budget),
		}
		return NewWriter(machine, Options{Name: m.Name, Costs: costs, Past: t.TempDir(), Build: "test", Disk: opened.MeasuredDisk(costs, "test")})
	}
	before, err := open(costs).Forecast(t.Context())
	if err != nil {
		t.Skip(err)
	}
	w := open(filepath.Join(costs, "run"))
	t.Cleanup(func() {
		if err := w.Close(); err != nil {
			t.Error(err)
		}
	})
	model, done, err := w.Acquire(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := done(); err != nil {
			t.Error(err)
		}
	}()
	if use := w.Use(); use == nil || use.Way != before.Way {
		t.Errorf("%s was forecast, it runs as %+v", before.Way, use)
	}
	prompt := model.Decoder.Tokenizer().Encode(strings.Repeat("The heron stands in the shallow water and waits. ", 60))
	chunk := 0
	if !model.Decoder.Resident() {
		chunk = streamedChunk
	}
	run, err := model.generator.Run(t.Context(), model.Context, prompt[:min(len(prompt), 600)], generate.Options{MaxTokens: 24, Chunk: chunk}, func(string) error { return nil })
	if err != nil {
		t.Fatal(err)
	}
	again, err := open(t.TempDir()).Forecast(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	opened, err := open(filepath.Join(costs, "run")).Forecast(t.Context())
	if err != nil || !opened.Measured {
		t.Fatalf("%+v, %v", opened, err)
	}
	s := run.Stats
	t.Logf("%s: written %.1f/s and %.1f/s forecast before and after, %.1f/s when opened, ran %.1f/s; prompt %.0f/s and %.0f/s, %.0f/s, %.0f/s; kept %d of %d layers",
		before.Way, 1/before.Written, 1/again.Written, 1/opened.Written, s.DecodeSpeed(), 1/before.Prompt, 1/again.Prompt, 1/opened.Prompt, s.PromptSpeed(),
		model.Decoder.Stats().Kept, model.Decoder.Layers())
}
