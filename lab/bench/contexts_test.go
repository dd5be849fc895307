package bench

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// contextsOptions measure a tiny model over a note.
func contextsOptions(t *testing.T) ContextsOptions {
	t.Helper()
	folder := t.TempDir()
	var note strings.Builder
	for i := range 400 {
		fmt.Fprintf(&note, "Heron %d stands beside pond %d.\n\n", i, 3*i)
	}
	if err := os.WriteFile(filepath.Join(folder, "herons.md"), []byte(note.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return ContextsOptions{
		Pack: tinyWriter(t), Model: "tiny", Threads: 2, Folders: []string{folder}, Corpus: CorpusOptions{Workers: 2},
		Scratch: t.TempDir(), Conversations: []int{3}, Patterns: []string{MarkovPattern}, Shares: []int{50},
		Rates: []float64{100}, Calls: 12, Tokens: 160, Written: 8, Scale: .05, Pause: time.Minute, Seed: 3,
	}
}

func TestContexts(t *testing.T) {
	o := contextsOptions(t)
	r, err := Contexts(t.Context(), o, newKernel(t), silent)
	if err != nil {
		t.Fatal(err)
	}
	rows := map[string]switchRow{}
	for _, row := range r.Switches {
		rows[row.Policy] = row
		if row.Switches == 0 || row.Switches > o.Calls || row.Mean <= 0 || row.P95 < row.Mean || row.Whole < row.Mean || row.Share != .5 {
			t.Errorf("%+v", row)
		}
	}
	again, wholeSwap, chunks := rows["compute again"], rows["swap whole, int8"], rows["swap chunks, int8"]
	if again.Computed == 0 || again.Read+again.Written > 0 {
		t.Errorf("computing again: %+v", again)
	}
	if wholeSwap.Read == 0 || wholeSwap.Written == 0 || wholeSwap.Computed > 0 {
		t.Errorf("swapping: %+v", wholeSwap)
	}
	if chunks.Read == 0 || chunks.Read > wholeSwap.Read || chunks.Written >= wholeSwap.Written {
		t.Errorf("chunks: %+v; want fewer bytes than whole conversations, which are %+v", chunks, wholeSwap)
	}
	if half := rows["swap chunks, f16"]; half.Read <= chunks.Read {
		t.Errorf("chunks of floats: %+v; want more bytes than %+v", half, chunks)
	}
	if own := rows[ownPolicy]; own.Ratio != 1 || own.Written == 0 {
		t.Errorf("dowse: %+v", own)
	}
	if left, err := os.ReadDir(o.Scratch); err != nil || len(left) > 0 {
		t.Errorf("%v left behind, %v", left, err)
	}
	var text bytes.Buffer
	if err := r.Write(&text); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"tiny, ", "12 calls of conversations of at most 160 tokens", "3 conversations, markov, ", "(50% of the working set), disk of 100 MB/s", "swap whole, f16"} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("no %q in\n%s", want, text.String())
		}
	}
}

func TestContextsRefuses(t *testing.T) {
	for want, change := range map[string]func(o *ContextsOptions){
		"--conversations": func(o *ContextsOptions) { o.Conversations = []int{1} },
		"--shares":        func(o *ContextsOptions) { o.Shares = []int{0} },
		"--disk":          func(o *ContextsOptions) { o.Rates = []float64{-1} },
		"--calls":         func(o *ContextsOptions) { o.Calls = 0 },
		"--tokens":        func(o *ContextsOptions) { o.Tokens = 20 },
		"--restart":       func(o *ContextsOptions) { o.Restart = 161 },
		"--scale":         func(o *ContextsOptions) { o.Scale = 0 },
		"--patterns":      func(o *ContextsOptions) { o.Patterns = []string{"heron"} },
	} {
		o := contextsOptions(t)
		change(&o)
		if _, err := Contexts(t.Context(), o, nil, silent); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
	o := contextsOptions(t)
	o.Tokens = 4096
	if _, err := Contexts(t.Context(), o, newKernel(t), silent); err == nil || !strings.Contains(err.Error(), "at most 256 tokens") {
		t.Errorf("a conversation longer than the window: %v", err)
	}
	o = contextsOptions(t)
	o.Folders = []string{t.TempDir()}
	if _, err := Contexts(t.Context(), o, newKernel(t), silent); err == nil || !strings.Contains(err.Error(), "name more folders") {
		t.Errorf("no texts: %v", err)
	}
}

// After a restart a conversation comes back from the disk.
func TestContextsRestarts(t *testing.T) {
	o := contextsOptions(t)
	o.Restart, o.Calls = 153, 2
	r, err := Contexts(t.Context(), o, newKernel(t), silent)
	if err != nil {
		t.Fatal(err)
	}
	wanted := 2
	if dropsCached {
		wanted = 4
	}
	if len(r.Restarts) != wanted {
		t.Fatalf("%d rows, want %d", len(r.Restarts), wanted)
	}
	for _, row := range r.Restarts {
		if row.Tokens != 153 || row.Bytes+int64(row.Computed) == 0 || row.Open <= 0 || row.Back <= 0 || row.Token <= 0 || row.Again <= 0 ||
			row.All != row.Open+row.Back+row.Token {
			t.Errorf("%+v", row)
		}
	}
}

func TestSlowFile(t *testing.T) {
	f, err := newSlowFile(t.TempDir(), 1000)
	if err != nil {
		t.Fatal(err)
	}
	text, back := []byte(strings.Repeat("heron ", 1000)), make([]byte, 6000)
	if err := f.writeAt(text, 10); err != nil {
		t.Fatal(err)
	}
	if err := f.readAt(back, 10); err != nil || !bytes.Equal(back, text) {
		t.Errorf("%v, read back %q", err, back[:20])
	}
	owed := f.take()
	if owed > 12*time.Second || owed < 6*time.Second || f.take() != 0 || f.read != 6000 || f.written != 6000 {
		t.Errorf("%v are owed of 12,000 bytes at 1,000 a second", owed)
	}
	if err := f.close(); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(f.file.Name()); !os.IsNotExist(err) {
		t.Errorf("the file is left: %v", err)
	}
}

// A conversation that comes back with another bit is told of.
func TestSameConversation(t *testing.T) {
	o := contextsOptions(t)
	s := openSwitching(t, o)
	m := s.made[0]
	c := s.decoder.NewConversation()
	defer c.Free() //nolint:errcheck // what is compared was found
	if err := errors.Join(m.give(c.Cache, 0, 20), m.give(c.Cache, 20, m.sequence.Len()), sameConversation(c.Cache, m)); err != nil {
		t.Fatal(err)
	}
	if err := m.give(c.Cache, 0, 4); err == nil {
		t.Error("tokens are given to a conversation that has other ones")
	}
	c.Data(1)[7] ^= 1
	if err := sameConversation(c.Cache, m); err == nil || !strings.Contains(err.Error(), "chunk 1 came back as another one") {
		t.Errorf("%v", err)
	}
}

// openSwitching makes the conversations of options.
func openSwitching(t *testing.T, o ContextsOptions) *switching {
	t.Helper()
	s, err := newSwitching(t.Context(), o, newKernel(t), silent)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.close(); err != nil {
			t.Error(err)
		}
	})
	if err := s.make(t.Context(), s.settings(), &ContextsReport{}); err != nil {
		t.Fatal(err)
	}
	return s
}
