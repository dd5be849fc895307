package indexes_test

import (
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"dowse/engine"
	"dowse/internal/testapp"
	"dowse/models"
)

// oldIndex is an index of store format 5, of lexical-6, by the default embedder. It was made from what
// oldNotes writes, by a program built from commit 22b457e6:
//
//	DOWSE_HOME=/tmp/home dowse index /tmp/dowse-index-of-format-5
//	gzip -9 <"$(find /tmp/home -name index.db)" >store/testdata/format-5.db.gz
const oldIndex = "../../store/testdata/format-5.db.gz"

// oldFolder is where the notes of that index lie: an index holds absolute paths.
const oldFolder = "/tmp/dowse-index-of-format-5"

// oldNotes writes what oldIndex was made from, and removes it in the end. Other tests of this machine
// that want the folder wait.
func oldNotes(t *testing.T) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the index holds paths of unix")
	}
	unlock, err := models.Lock(t.Context(), oldFolder+".lock", time.Minute, 20*time.Millisecond)
	testapp.Require(t, err)
	testapp.Require(t, os.MkdirAll(oldFolder, 0o700))
	t.Cleanup(func() {
		if err := errors.Join(os.RemoveAll(oldFolder), unlock()); err != nil {
			t.Error(err)
		}
	})
	for i, bird := range []string{"heron", "osprey", "cormorant", "bittern", "kingfisher", "dipper"} {
		text := fmt.Sprintf("# %s\n\nThe %s stood in lake %d all morning.\n\nIn the evening it flew to the mill, and nobody saw it again.\n", bird, bird, i)
		testapp.Require(t, os.WriteFile(filepath.Join(oldFolder, bird+".md"), []byte(text), 0o600))
	}
}

// putOldIndex unpacks oldIndex.
func putOldIndex(t *testing.T, path string) {
	t.Helper()
	in, err := os.Open(oldIndex)
	testapp.Require(t, err)
	defer in.Close() //nolint:errcheck // it is only read
	z, err := gzip.NewReader(in)
	testapp.Require(t, err)
	data, err := io.ReadAll(z)
	testapp.Require(t, err)
	testapp.Require(t, os.MkdirAll(filepath.Dir(path), 0o700))
	testapp.Require(t, os.WriteFile(path, data, 0o600))
}

// TestIndexOfAnotherVersion: what an older dowse built answers, as it is, until a new index that is built
// beside it takes its place; one whose building is broken off is gone on with.
func TestIndexOfAnotherVersion(t *testing.T) {
	a := testapp.New(t)
	oldNotes(t)
	putOldIndex(t, a.Home.Index())
	answers := func(s engine.Searcher) (byWords string) {
		t.Helper()
		r := testapp.Search(t, s, "osprey")
		if len(r.Passages) == 0 || filepath.Base(r.Passages[0].Path) != "osprey.md" || !strings.Contains(r.Passages[0].Text, "stood in lake 1") {
			t.Errorf("found %s", testapp.Names(r))
		}
		return r.Stats.ByWords
	}
	const why = "built with another version of dowse"
	reader, err := a.OpenStack(t.Context(), true)
	testapp.Require(t, err)
	if said := answers(reader); !strings.Contains(said, why) {
		t.Errorf("it says %q", said)
	}
	testapp.Require(t, reader.Close())

	owner, err := a.OpenOwner(t.Context(), func() {})
	testapp.Require(t, err)
	broken, stop := context.WithCancel(t.Context())
	stop()
	if _, err := owner.Index(broken, nil, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("broken off: %v", err)
	}
	if said := answers(owner); !strings.Contains(said, why) {
		t.Errorf("after it was broken off it says %q", said)
	}
	testapp.Require(t, owner.Close())

	owner, err = a.OpenOwner(t.Context(), func() {})
	testapp.Require(t, err)
	testapp.CloseAfter(t, owner)
	ctx, end := context.WithCancel(t.Context())
	var searching sync.WaitGroup
	searching.Go(func() {
		for ctx.Err() == nil {
			answers(owner)
		}
	})
	report, err := owner.Index(t.Context(), nil, nil)
	end()
	searching.Wait()
	if err != nil || report.Files != 6 || report.Embedded == 0 {
		t.Errorf("%+v, %v", report, err)
	}
	if said := answers(owner); said != "" {
		t.Errorf("afterwards: %q", said)
	}
	if left, err := filepath.Glob(a.Home.Index() + ".*"); err != nil || len(left) > 1 { // the list of folders
		t.Errorf("%v is left, %v", left, err)
	}
}
