package stamp

import (
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"dowse/internal/testwait"
)

// info is a file of which the system keeps no time but that of its modification.
type info struct {
	fs.FileInfo
	modified time.Time
}

func (i info) ModTime() time.Time { return i.modified }
func (i info) Sys() any           { return nil }

func TestSettled(t *testing.T) {
	at := time.Unix(1_700_000_000, 123_456_789)
	for _, c := range []struct {
		modified time.Time
		settled  bool
	}{
		{at.Add(-time.Hour), true},
		{at.Add(-fine), true},
		{at.Add(-fine + 1), false},
		{at, false},
		{at.Add(5 * time.Millisecond), false}, // its clock is a bit ahead
		{at.Add(time.Hour), true},             // it is no clock of now
		{at.Truncate(time.Second).Add(-time.Second), false},
		{at.Truncate(time.Second).Add(-2 * time.Second), true},
		{at.Truncate(coarseUnit).Add(-time.Second), false},
	} {
		if got := Settled(info{modified: c.modified}, at); got != c.settled {
			t.Errorf("modified %v before: %v", at.Sub(c.modified), got)
		}
	}
}

// TestChangedIsNotGivenBack: whoever gives a file its old time back changes its inode.
func TestChangedIsNotGivenBack(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the system keeps no such time")
	}
	path := filepath.Join(t.TempDir(), "a")
	write := func(text string) fs.FileInfo {
		t.Helper()
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		old := time.Unix(1_600_000_000, 0)
		if err := os.Chtimes(path, old, old); err != nil {
			t.Fatal(err)
		}
		i, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		return i
	}
	before := write("one")
	testwait.Moment(fine + 2*coarseUnit) // the clock that files are stamped by stands still for a tick
	after := write("two")
	if !before.ModTime().Equal(after.ModTime()) || before.Size() != after.Size() {
		t.Fatalf("%v, %v", before, after)
	}
	if Changed(before) == 0 || Changed(before) >= Changed(after) {
		t.Errorf("changed at %d, and then at %d", Changed(before), Changed(after))
	}
	now := time.Unix(0, Changed(after)) // however long ago that is by now
	if Settled(after, now) || !Settled(before, now) {
		t.Errorf("settled: %v after it was written, %v some time before", Settled(after, now), Settled(before, now))
	}
}
