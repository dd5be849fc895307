package indexbench

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// notes is a folder of short notes of a few topics each.
func notes(t *testing.T, n int) string {
	const seed = 21
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	files := map[string]string{}
	for i := range n {
		topic, text := rng.IntN(12), ""
		for s := range 3 {
			text += "Note"
			for range 5 + s {
				text += fmt.Sprintf(" word%d", topic*9+rng.IntN(18))
			}
			text += ". "
		}
		files[fmt.Sprintf("%d/%03d.md", topic, i)] = text + "\n"
	}
	return tree(t, files)
}

func TestRun(t *testing.T) {
	embedded := 0
	model := words{&embedded}
	opts := Options{
		Folders: []string{notes(t, 260)}, Chunks: 250, Queries: 30, CodeBytes: 6,
		Corpus: CorpusOptions{Workers: 2, Count: model.Count}, Cache: filepath.Join(t.TempDir(), "a.vec"),
	}
	run := func() *Report {
		r, err := Run(t.Context(), opts, model, plainDot{}, func(string, int, int) {})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	r := run()
	if r.Chunks != 250 || r.Queries != 30 || len(r.Methods) != 15 || len(r.Graphs) != 4 || len(r.Growth) != 4 {
		t.Fatalf("%d passages, %d queries, %d methods, %d graphs, %d of growth",
			r.Chunks, r.Queries, len(r.Methods), len(r.Graphs), len(r.Growth))
	}
	for _, row := range r.Methods {
		for _, result := range row.Results {
			if result.Best != nil && result.Best.Recall < result.Goal {
				t.Errorf("%s: recall %.3f, goal %.2f", row.Method, result.Best.Recall, result.Goal)
			}
		}
		if row.BytesPerChunk <= 0 || row.TextShare <= 0 {
			t.Errorf("%s: %v bytes, %v of the text", row.Method, row.BytesPerChunk, row.TextShare)
		}
	}
	var text bytes.Buffer
	if err := r.Write(&text); err != nil {
		t.Fatal(err)
	}
	for _, row := range r.Methods {
		if !strings.Contains(text.String(), row.Method) {
			t.Errorf("%s is not in the table", row.Method)
		}
	}
	before := embedded
	again := run()
	if n := embedded - before; n > 10*costSample {
		t.Errorf("%d texts were embedded again", n) // only those that are timed
	}
	if got, want := untimed(t, again), untimed(t, r); got != want {
		t.Errorf("two runs differ:\n%s\n%s", got, want)
	}
}

// untimed is a report without its times.
func untimed(t *testing.T, r *Report) string {
	t.Helper()
	r.Seconds, r.Embedding = 0, nil
	var best []*Outcome
	for _, row := range r.Methods {
		for _, result := range row.Results {
			best = append(best, result.Best)
		}
	}
	for i := range r.Graphs {
		r.Graphs[i].BuildSeconds = 0
		for _, result := range r.Graphs[i].Results {
			best = append(best, result.Best)
		}
	}
	for _, row := range r.Growth {
		for _, point := range row.Sizes {
			best = append(best, point.Best)
		}
	}
	for _, o := range slices.DeleteFunc(best, func(o *Outcome) bool { return o == nil }) {
		o.OwnMicros, o.Millis = 0, 0
	}
	b, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestRunWantsText(t *testing.T) {
	embedded := 0
	model := words{&embedded}
	opts := Options{Folders: []string{notes(t, 5)}, Queries: 3, CodeBytes: 4, Corpus: CorpusOptions{Count: model.Count}}
	_, err := Run(t.Context(), opts, model, plainDot{}, func(string, int, int) {})
	if err == nil || !strings.Contains(err.Error(), "hold 5 passages") {
		t.Errorf("error %v", err)
	}
}
