package indexer

import (
	"slices"
	"testing"
	"time"
)

func TestOutermost(t *testing.T) {
	got := outermost([]string{"/a/b", "/a-b", "/a", "/a/b/c", "/ab", "/c/d", "/c/d"})
	want := []string{"/a", "/a-b", "/ab", "/c/d"}
	slices.Sort(got)
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := outermost([]string{"/x", "/"}); !slices.Equal(got, []string{"/"}) {
		t.Errorf("got %q", got)
	}
}

func TestChangesWaitForQuietButNotForever(t *testing.T) {
	var c changes
	start := time.Unix(1000, 0)
	if !c.empty() {
		t.Error("new changes are not empty")
	}
	c.add("/a", start)
	if got := c.wait(start); got != quietTime {
		t.Errorf("after one event: wait %v", got)
	}
	now := start
	for range 100 { // a burst that never pauses
		now = now.Add(quietTime / 2)
		c.add("/a/b", now)
	}
	if got := c.wait(now); got > 0 {
		t.Errorf("a burst of %v still waits %v", now.Sub(start), got)
	}
	paths, named, rescan := c.take()
	slices.Sort(named)
	if !slices.Equal(paths, []string{"/a"}) || !slices.Equal(named, []string{"/a", "/a/b"}) || rescan || !c.empty() {
		t.Errorf("took %q, %q, %v", paths, named, rescan)
	}
	c.add("/a", now)
	c.lost(now)
	if _, named, rescan = c.take(); !rescan || len(named) != 1 {
		t.Error("lost events were forgotten, or those that were told of")
	}
}
