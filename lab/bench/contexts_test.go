package bench

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"testing"

	"dowse/internal/testenv"
)

// contextsOptions measure a tiny model over a note.
func contextsOptions(t *testing.T) ContextsOptions {
	t.Helper()
	var note strings.Builder
	for i := range 400 {
		fmt.Fprintf(&note, "Heron %d stands beside pond %d.\n\n", i, 3*i)
	}
	return ContextsOptions{
		WriterOptions: WriterOptions{Pack: tinyWriter(t), Model: "tiny", Threads: 2},
		Folders:       []string{testenv.Folder(t, map[string]string{"herons.md": note.String()})}, Corpus: CorpusOptions{Workers: 2},
		Scratch: t.TempDir(), Tokens: 153, Rounds: 3,
	}
}

// What was left comes back from the disk, and is left the same.
func TestContexts(t *testing.T) {
	o := contextsOptions(t)
	r, err := Contexts(t.Context(), o, newKernel(t), silent)
	if err != nil {
		t.Fatal(err)
	}
	ways := contextWays()
	if len(r.Rows) != len(ways) {
		t.Fatalf("%d rows, want %d", len(r.Rows), len(ways))
	}
	for i, row := range r.Rows {
		if row.Way != ways[i].name || row.Token <= 0 || row.All != row.Open+row.Back+row.Token || row.Ratio <= 0 {
			t.Errorf("%+v", row)
		}
		if kept := !ways[i].again; (row.Bytes > 0 && row.Back > 0) != kept || (row.Open > 0) != ways[i].closed {
			t.Errorf("%+v", row)
		}
	}
	if left, err := os.ReadDir(o.Scratch); err != nil || len(left) > 0 {
		t.Errorf("%v left behind, %v", left, err)
	}
	var text bytes.Buffer
	if err := r.Write(&text); err != nil || !strings.Contains(text.String(), "of a conversation of 153 tokens, medians of 3 rounds") || !strings.Contains(text.String(), "computed again") {
		t.Errorf("%v\n%s", err, text.String())
	}
}

func TestContextsRefuses(t *testing.T) {
	for want, change := range map[string]func(o *ContextsOptions){
		"--tokens wants":     func(o *ContextsOptions) { o.Tokens = 1 },
		"at most 256 tokens": func(o *ContextsOptions) { o.Tokens = 4096 },
		"name more folders":  func(o *ContextsOptions) { o.Folders = []string{t.TempDir()} },
	} {
		o := contextsOptions(t)
		change(&o)
		if _, err := Contexts(t.Context(), o, newKernel(t), silent); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
}
