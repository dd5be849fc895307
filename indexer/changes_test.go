package indexer

import (
	"slices"
	"testing"
	"time"
)

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
	b := c.dueBatch(now)
	slices.Sort(b.named)
	if !slices.Equal(b.paths, []string{"/a"}) || !slices.Equal(b.named, []string{"/a", "/a/b"}) || b.rescan || !c.empty() {
		t.Errorf("took %+v", b)
	}
	c.add("/a", now)
	c.lost(now)
	if b := c.dueBatch(now.Add(2 * maxDelay)); !b.rescan || len(b.named) != 1 {
		t.Error("lost events were forgotten, or those that were told of")
	}
}

// TestAFileThatChangesAllTheTime is handed on again and again, ever more seldom, and holds no other up.
func TestAFileThatChangesAllTheTime(t *testing.T) {
	const step = 10 * time.Millisecond
	var c changes
	start := time.Unix(1000, 0)
	edits := map[time.Duration]bool{} // of a note
	for _, at := range []time.Duration{20 * time.Second, 23 * time.Second, 31 * time.Second} {
		edits[at] = true
	}
	var handed []time.Duration
	var edited time.Duration
	for at := time.Duration(0); at < 60*time.Second; at += step {
		now := start.Add(at)
		c.add("/app.log", now)
		if edits[at] {
			c.add("/note.md", now)
			edited = at
		}
		if c.wait(now) > 0 {
			continue
		}
		b := c.dueBatch(now)
		if len(b.paths) == 0 {
			t.Fatalf("nothing was due at %v", at)
		}
		if slices.Contains(b.paths, "/app.log") {
			handed = append(handed, at)
		}
		if slices.Contains(b.paths, "/note.md") {
			if waited := at - edited; waited != quietTime {
				t.Errorf("the note waited for %v", waited)
			}
			delete(edits, edited)
		}
	}
	if len(edits) > 0 {
		t.Errorf("edits of the note at %v were not handed on", edits)
	}
	if len(handed) < 13 || len(handed) > 15 {
		t.Errorf("the log was handed on at %v", handed)
	}
	for i := 1; i < len(handed); i++ {
		if gap := handed[i] - handed[i-1]; gap < maxDelay || gap > maxInterval {
			t.Errorf("it was handed on at %v, and then at %v", handed[i-1], handed[i])
		}
	}
	late := start.Add(70 * time.Second)
	c.dueBatch(late)
	late = late.Add(maxInterval + 2*maxDelay)
	c.add("/note.md", late)
	if c.dueBatch(late.Add(maxDelay)); len(c.paces) != 1 {
		t.Errorf("%d paces are kept of paths that are quiet", len(c.paces))
	}
	c.add("/app.log", late.Add(maxDelay))
	if got := c.wait(late.Add(maxDelay)); got != quietTime {
		t.Errorf("after it was quiet it waits %v", got)
	}
}
