package main

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"dowse/internal/eval"
	"dowse/lab/collection"
)

func TestWriteRunReplacesTheFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "hybrid.run")
	if err := os.WriteFile(path, []byte(strings.Repeat("an older ranking\n", 10)), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := writeRun(path, []eval.Ranking{{Query: "q", Documents: []eval.Ranked{{ID: "d", Score: 0.5}}}}); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(path); err != nil || string(got) != "q Q0 d 1 0.500000 dowse\n" {
		t.Errorf("the file holds %q, %v", got, err)
	}
	if err := writeRun(filepath.Join(path, "below"), nil); err == nil || !strings.Contains(err.Error(), "ranking") {
		t.Errorf("a path below a file: %v", err)
	}
}

func TestRunTakesOneCollection(t *testing.T) {
	cmd := newEval(streams{out: &bytes.Buffer{}, err: &bytes.Buffer{}})
	cmd.SetArgs([]string{"one", "two", "--run", filepath.Join(t.TempDir(), "x.run")})
	cmd.SilenceErrors, cmd.SilenceUsage = true, true
	if err := cmd.Execute(); err == nil || !strings.Contains(err.Error(), "one by one") {
		t.Errorf("two collections into one file: %v", err)
	}
}

func TestWriteLanguagesHasAColumnALanguage(t *testing.T) {
	report := func(asked, of string, ndcg, mrr float64) *eval.Report {
		return &eval.Report{
			Set: "birds", Documents: 2, Queries: 3, Asked: asked, Of: of,
			Stages: map[string]eval.Stage{"hybrid": {Scores: eval.Scores{NDCG10: ndcg, MRR10: mrr}}},
		}
	}
	var out bytes.Buffer
	err := writeLanguages(&out, []*eval.Report{
		report("de", "de", .5, 0), report("en", "de", .25, 0), report("en", "en", 1, 0), report("de", "en", .125, 0),
		report("de", collection.AllLanguages, 0, .75), report("en", collection.AllLanguages, 0, .25),
	}, []string{"hybrid"})
	if err != nil {
		t.Fatal(err)
	}
	var rows []string
	for line := range strings.Lines(out.String()) {
		rows = append(rows, strings.Join(strings.Fields(line), " "))
	}
	want := []string{
		"birds, 2 documents and 3 queries in each of 2 languages; nDCG@10, of all MRR@10",
		"language stage de en mean",
		"its own hybrid 0.500 1.000 0.7500",
		"asked of English hybrid 0.125 - 0.1250",
		"asked in English hybrid 0.250 - 0.2500",
		"asked of all hybrid 0.750 0.250 0.5000",
	}
	if !slices.Equal(rows, want) {
		t.Errorf("%q\nwant\n%q", rows, want)
	}
}

func TestRunTakesOneLanguage(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"birds.de.json", "birds.en.json"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("{}"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	cmd := newEval(streams{out: &bytes.Buffer{}, err: &bytes.Buffer{}})
	cmd.SetArgs([]string{dir, "--run", filepath.Join(t.TempDir(), "x.run")})
	cmd.SilenceErrors, cmd.SilenceUsage = true, true
	if err := cmd.Execute(); err == nil || !strings.Contains(err.Error(), "several languages") {
		t.Errorf("several languages into one file: %v", err)
	}
}
