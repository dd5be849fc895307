package bench

import (
	"bytes"
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

// With memory for all, nothing is moved but what dowse writes ahead of time.
func TestContextsInMemory(t *testing.T) {
	o := contextsOptions(t)
	o.Shares, o.Memory, o.Conversations = nil, []int{64}, []int{2, 3}
	r, err := Contexts(t.Context(), o, newKernel(t), silent)
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range r.Switches {
		if row.Read+int64(row.Computed) > 0 || (row.Written > 0) != (row.Policy == ownPolicy) || row.Share > 0 || row.Memory != 64<<20 {
			t.Errorf("%+v", row)
		}
	}
	if len(r.Served) != len(r.Switches)/2 {
		t.Errorf("%d of %d rows say how many are served", len(r.Served), len(r.Switches))
	}
}

// Dowse is measured without each of its parts. What comes back is compared within
// Contexts; how much is read and how much computed follows from how long that takes.
func TestContextsAblation(t *testing.T) {
	o := contextsOptions(t)
	o.Ablation, o.Calls = true, 24
	o.Tokens, o.Scale = 240, .3 // beyond the last chunks, which are not lowered
	r, err := Contexts(t.Context(), o, newKernel(t), silent)
	if err != nil {
		t.Fatal(err)
	}
	rows := map[string]switchRow{}
	for _, row := range r.Switches {
		rows[row.Policy] = row
	}
	own := rows[ownPolicy]
	if own.Ratio != 1 || own.Written == 0 {
		t.Errorf("dowse: %+v", own)
	}
	for _, v := range variants(true) {
		row, there := rows[v.name]
		if !there || row.Switches != own.Switches || row.Ratio <= 0 {
			t.Errorf("%s: %+v", v.name, row)
		}
		if (row.Written == own.Written) == v.whole {
			t.Errorf("%s: %d bytes written, with all parts %d", v.name, row.Written, own.Written)
		}
	}
}

func TestContextsRefuses(t *testing.T) {
	for want, change := range map[string]func(o *ContextsOptions){
		"--conversations": func(o *ContextsOptions) { o.Conversations = []int{1} },
		"--shares":        func(o *ContextsOptions) { o.Shares = []int{0} },
		"--memory":        func(o *ContextsOptions) { o.Memory = []int{0} },
		"--disk":          func(o *ContextsOptions) { o.Rates = []float64{-1} },
		"--calls":         func(o *ContextsOptions) { o.Calls = 0 },
		"--tokens":        func(o *ContextsOptions) { o.Tokens = 20 },
		"--restart":       func(o *ContextsOptions) { o.Restart = 161 },
		"--resume wants":  func(o *ContextsOptions) { o.Resume = 100 },
		"--resume and":    func(o *ContextsOptions) { o.Resume, o.Questions = 100, []int{16, 61} },
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

// A conversation that left memory, or this process, says the same as one that never did:
// Contexts compares the logits. It is measured beside a restart, which has another one.
func TestContextsResumes(t *testing.T) {
	o := contextsOptions(t)
	o.Calls, o.Tokens, o.Restart, o.Resume, o.Questions = 2, 256, 33, 230, []int{3, 24}
	r, err := Contexts(t.Context(), o, newKernel(t), silent)
	if err != nil {
		t.Fatal(err)
	}
	states := 0
	for _, s := range resumeStates {
		countIf(&states, !s.cold || dropsCached)
	}
	if len(r.Resumes) != states*len(o.Questions) || r.Restarts[0].Tokens != o.Restart {
		t.Fatalf("%d rows, want %d for each question; %+v", len(r.Resumes), states, r.Restarts[0])
	}
	for i, row := range r.Resumes {
		stayed := row.State == resumeStates[0].name
		if row.Tokens != 230 || row.Question != o.Questions[i/states] || row.Prefill <= 0 || (row.Bytes+int64(row.Computed) == 0) != stayed ||
			(row.Open > 0) != strings.HasPrefix(row.State, "restarted") || stayed && (row.Ratio != 1 || row.WithOpen != 1) {
			t.Errorf("%+v", row)
		}
	}
	if d := r.Density; d.Tokens != 230 || d.Written != 24 || d.Plain <= 0 || d.Counted <= 0 || d.Ratio <= 0 {
		t.Errorf("%+v", d)
	}
	var text bytes.Buffer
	if err := r.Write(&text); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"next question in a conversation of 230 tokens", "left memory and page cache", "with attention gathered"} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("no %q in\n%s", want, text.String())
		}
	}
}

func TestServedUnder(t *testing.T) {
	points := []switchRow{{Conversations: 2, Mean: 4}, {Conversations: 4, Mean: 8}, {Conversations: 8, Mean: 16}}
	if n, more := servedUnder(points, 10); n != 5 || more {
		t.Errorf("%g under 10 ms, more %v, want 5", n, more)
	}
	if n, more := servedUnder(points, 25); n != 8 || !more {
		t.Errorf("%g under 25 ms, more %v, want 8 and more", n, more)
	}
	if n, more := servedUnder([]switchRow{{Conversations: 2, Mean: 40}}, 10); n != 1.25 || more {
		t.Errorf("%g under 10 ms, more %v, want 1.25", n, more)
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
