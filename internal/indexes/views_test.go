package indexes

import (
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"dowse/engine"
	"dowse/internal/testwait"
)

// edits is a folder that is indexed after each of many edits of one note.
type edits struct {
	t      *testing.T
	owner  *Owner
	folder string
	runs   int
}

// run changes the note and indexes the folder.
func (e *edits) run() {
	e.t.Helper()
	e.runs++
	text := fmt.Sprintf("# Router in the cellar\n\nThe router in the cellar failed %d times because the damp got into its power supply.\n", e.runs)
	if err := os.WriteFile(filepath.Join(e.folder, "cellar.md"), []byte(text), 0o600); err != nil {
		e.t.Fatal(err)
	}
	if r, err := e.owner.Index(e.t.Context(), nil, nil); err != nil || r.Updated != 1 {
		e.t.Fatalf("run %d: %+v, %v", e.runs, r, err)
	}
}

// size is that of the file of the index.
func (e *edits) size() int64 {
	e.t.Helper()
	info, err := os.Stat(e.owner.opener.Home.Index())
	if err != nil {
		e.t.Fatal(err)
	}
	return info.Size()
}

// TestReadersHoldNoPagesOverAnIndexingRun: at every step that a search, an answer or a look for
// what is like a note tells of, a whole indexing run ends, and no View is open. The file is then as
// large as after as many runs that nobody read beside. The same holds for checks, lists
// and statuses beside runs.
func TestReadersHoldNoPagesOverAnIndexingRun(t *testing.T) {
	owner := openPruned(t, newInstallation(t))
	status, err := owner.Status(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	e := &edits{t: t, owner: owner, folder: status.Roots[0]}
	for range 5 {
		e.run()
	}
	settled, before := e.size(), e.runs
	noView := func() { // one of another goroutine ends; one that the search holds does not
		t.Helper()
		if db := owner.Stack().DB; !testwait.For(testwait.Patience, func() bool { return db.OpenReads() == 0 }) {
			t.Errorf("%d Views are open", db.OpenReads())
		}
	}
	step := func(event engine.Event) {
		noView()
		if event.Layer == nil { // layer events are too many to index at each
			e.run()
		}
	}
	for _, req := range []engine.Request{{Query: "router cellar"}, {Query: "why did the router in the cellar fail", Answer: true}} {
		if _, err := owner.Search(t.Context(), req, step); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := owner.Related(t.Context(), engine.RelatedRequest{Path: filepath.Join(e.folder, "n3.md")}, step); err != nil {
		t.Fatal(err)
	}
	if e.runs-before < 10 {
		t.Errorf("only %d runs happened beside readers", e.runs-before)
	}
	var readers sync.WaitGroup
	ended := make(chan struct{})
	readers.Go(func() {
		for {
			select {
			case <-ended:
				return
			default:
			}
			check, err := owner.Check(t.Context(), nil)
			if err != nil || check.Problems != 0 {
				t.Errorf("check: %+v, %v", check, err)
			}
			if _, err := owner.LeftOut(t.Context()); err != nil {
				t.Error(err)
			}
			if _, err := owner.Status(t.Context()); err != nil {
				t.Error(err)
			}
		}
	})
	for range 5 {
		e.run()
	}
	close(ended)
	readers.Wait()
	noView()
	if grown := e.size() - settled; grown > settled/4 {
		t.Errorf("the file grew by %d bytes in %d runs, from %d after the first %d", grown, e.runs-before, settled, before)
	}
	t.Logf("%d runs: %d bytes, then %d runs beside readers: %d bytes", before, settled, e.runs-before, e.size())
}
