package indexes_test

import (
	"context"
	"encoding/binary"
	"errors"
	"os"
	"strings"
	"sync"
	"testing"

	"dowse/engine"
	"dowse/internal/app"
	"dowse/internal/doctor"
	"dowse/internal/indexes"
	"dowse/internal/testapp"
	"dowse/internal/testwait"
)

// watched is an owner that watches one long file, and what it said.
type watched struct {
	*indexes.Owner
	app  *app.App
	mu   sync.Mutex
	said strings.Builder
	now  engine.Phase // as it was told last
}

// watchLongFile begins to watch, and returns when the file is indexed.
func watchLongFile(t *testing.T) *watched {
	t.Helper()
	text := "# Birds\n\nThe heron stands in the river.\n"
	for _, bird := range []string{"cormorant", "gull", "stork", "owl", "kestrel", "wren", "robin", "swift"} {
		text += "\n## The " + bird + "\n\n" + strings.Repeat("The "+bird+" was seen near the old bridge in the morning. ", 12) + "\n"
	}
	w := &watched{app: testapp.New(t)}
	dir := testapp.Notes(t, map[string]string{"birds.md": text})
	owner, err := w.app.OpenOwner(t.Context(), func() {})
	if err != nil {
		t.Fatal(err)
	}
	w.Owner = owner
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() {
		done <- owner.Watch(ctx, []string{dir}, func(e engine.Event) {
			w.mu.Lock()
			defer w.mu.Unlock()
			w.said.WriteString(e.Problem + "\n")
			if e.Progress != nil {
				w.now = e.Progress.Phase
			}
		})
	}()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil && !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
		if err := owner.Close(); err != nil {
			t.Error(err)
		}
	})
	w.becomesSound(t)
	return w
}

// becomesSound waits until the file is found, by meaning too, by a sound index, and nothing writes to it any more.
func (w *watched) becomesSound(t *testing.T) {
	t.Helper()
	var last any
	sound := testwait.For(testwait.Patience, func() bool {
		r, err := w.Search(t.Context(), engine.Request{Query: "heron in the river"}, nil)
		last = err
		if err != nil || len(r.Passages) == 0 || r.Stats.Damage != "" {
			return false
		}
		report, err := w.Check(t.Context(), nil)
		if last = err; err != nil || report.Problems > 0 {
			return false
		}
		st, err := w.Status(t.Context())
		last = err
		return err == nil && st.Lacking == 0 && r.Stats.Coming == "" && w.rests()
	})
	if !sound {
		t.Fatalf("the index did not become sound: %v", last)
	}
}

// rests reports whether the watcher waits for changes.
func (w *watched) rests() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.now == engine.Idle
}

func (w *watched) heard(what string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return strings.Contains(w.said.String(), what)
}

// spoilVectors flips a bit in the longest run of pages of an index, which holds
// the vectors of the longest file.
func spoilVectors(t *testing.T, path string) {
	t.Helper()
	file, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close() //nolint:errcheck // a failed write fails the test
	image, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	const page = 4096
	longest, at := uint32(0), 0
	for p := 0; p < len(image); p += page {
		extra := binary.NativeEndian.Uint32(image[p+12:])
		if binary.NativeEndian.Uint64(image[p:]) == uint64(p/page) && extra > longest && extra < 1000 {
			longest, at = extra, p+page+100
		}
	}
	if longest == 0 {
		t.Fatal("no run of pages")
	}
	if _, err := file.WriteAt([]byte{image[at] ^ 4}, int64(at)); err != nil {
		t.Fatal(err)
	}
}

// TestWatcherMendsWhatASearchMeets: the search is answered, says what is wrong,
// and the next ones are whole again.
func TestWatcherMendsWhatASearchMeets(t *testing.T) {
	w := watchLongFile(t)
	spoilVectors(t, w.app.Home.Index())
	r, err := w.Search(t.Context(), engine.Request{Query: "heron in the river"}, nil)
	if err != nil || len(r.Passages) == 0 || !strings.Contains(r.Stats.Damage, "dowse index") {
		t.Fatalf("%+v, %v", r, err)
	}
	w.becomesSound(t)
	if !w.heard("indexed again") {
		t.Errorf("it said %q", w.said.String())
	}
}

// TestWatcherNoticesThatTheIndexIsGone: it is built again from the folders.
func TestWatcherNoticesThatTheIndexIsGone(t *testing.T) {
	for name, remove := range map[string]func(string) error{
		"removed":  os.Remove,
		"replaced": func(p string) error { return errors.Join(os.Remove(p), os.WriteFile(p, []byte("x"), 0o600)) },
	} {
		t.Run(name, func(t *testing.T) {
			w := watchLongFile(t)
			if err := remove(w.app.Home.Index()); err != nil {
				t.Fatal(err)
			}
			if !testwait.For(testwait.Patience, func() bool { return w.heard("removed or replaced") }) {
				t.Fatalf("not noticed; it said %q", w.said.String())
			}
			w.becomesSound(t)
			if info, err := os.Stat(w.app.Home.Index()); err != nil || info.Size() < 4096 {
				t.Errorf("%v, %v", info, err)
			}
		})
	}
}

// TestDoctorAndCheckAgree about an index, sound or not.
func TestDoctorAndCheckAgree(t *testing.T) {
	records := func(a *app.App) doctor.Finding {
		for _, f := range doctor.Examine(t.Context(), a) {
			if f.Topic == "records" {
				return f
			}
		}
		t.Fatal("the doctor does not look at the records")
		return doctor.Finding{}
	}
	a := testapp.New(t)
	if f := records(a); f.Level != doctor.Fine {
		t.Errorf("no index: %+v", f)
	}
	dir := testapp.Notes(t, map[string]string{"a.md": "# A\n" + strings.Repeat("\nA heron stands in the river and waits for its fish.\n", 60)})
	index := func() {
		t.Helper()
		owner, err := a.OpenOwner(t.Context(), func() {})
		if err != nil {
			t.Fatal(err)
		}
		_, err = owner.Index(t.Context(), []string{dir}, nil)
		if err = errors.Join(err, owner.Close()); err != nil {
			t.Fatal(err)
		}
	}
	problems := func() int {
		t.Helper()
		service, err := a.Open(t.Context(), indexes.Read)
		if err != nil {
			t.Fatal(err)
		}
		report, err := service.Check(t.Context(), nil)
		if err = errors.Join(err, service.Close()); err != nil {
			t.Fatal(err)
		}
		return report.Problems
	}
	index()
	if f := records(a); f.Level != doctor.Fine || problems() != 0 {
		t.Errorf("sound: %+v, %d problems", f, problems())
	}
	spoilVectors(t, a.Home.Index())
	if f := records(a); f.Level != doctor.Broken || !strings.Contains(f.Detail, "dowse index") || problems() == 0 {
		t.Errorf("damaged: %+v, %d problems", f, problems())
	}
	index()
	if f := records(a); f.Level != doctor.Fine || problems() != 0 {
		t.Errorf("after dowse index: %+v, %d problems", f, problems())
	}
}
