package cli

import (
	"strings"
	"testing"

	"dowse/engine"
)

// TestWriterText: what a model keeps and reads, said only where there is something to say.
func TestWriterText(t *testing.T) {
	for _, c := range []struct {
		use  engine.ModelUse
		want string
	}{
		{engine.ModelUse{Name: "m", Way: engine.Resident, Layers: 30, Kept: 30}, "m in memory"},
		{
			engine.ModelUse{Name: "m", Way: engine.Streamed, Layers: 30, Kept: 7, Cache: 21_000_000, TokenBytes: 80_000_000},
			"m streamed from the disk, 7 of 30 layers in memory, cache 21 MB, 80 MB read for a token of its last text",
		},
		{
			engine.ModelUse{Name: "m", Way: engine.Swapped, Layers: 30, Cache: 21_000_000, Hits: 3_000, Misses: 1_000, Sparsity: .4},
			"m swapped by rows, 40% of its inputs left out, cache 21 MB, 3,000 hits, 1,000 misses (75% hits)",
		},
		{engine.ModelUse{Name: "m", Way: engine.Mixture, Layers: 4, Kept: 4, Cache: 5_000}, "m with its experts read, cache 5.0 kB"},
	} {
		if got := writerText(&c.use); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
	if got := budgetText(engine.Budget{Bytes: 5_000_000, Full: 9_000_000}); got != "at most 5.0 MB for now, 9.0 MB by the settings" {
		t.Error(got)
	}
}

// A run says so where more than a few of the files that somebody may miss are not in the index.
func TestIndexSaysThatManyFilesAreLeftOut(t *testing.T) {
	for _, c := range []struct {
		skipped map[string]int
		said    bool
	}{
		{map[string]int{"binary": 3, "not text": 2}, true},
		{map[string]int{"binary": 3}, false},
		{map[string]int{"picture": 500, "hidden": 900, "ignored": 30, "empty": 9}, false},
	} {
		text := indexSummary(&engine.IndexReport{Files: 100, Skipped: c.skipped})
		if got := strings.Contains(text, "are not in the index; dowse status --skipped lists them"); got != c.said {
			t.Errorf("%v: %s", c.skipped, text)
		}
	}
}
