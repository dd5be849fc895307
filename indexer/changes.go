package indexer

import (
	"cmp"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"dowse/indexer/ignore"
)

// Debounce times of the watcher. An editor's save is a burst of create, write
// and rename events within milliseconds: a batch is handed on once the burst
// is over, or when it has gone on for so long that waiting would be noticed.
const (
	quietTime = 150 * time.Millisecond
	maxDelay  = 1 * time.Second
)

// changes collects the paths that file system events named until they are due.
// Times are passed in, so that it can be tested without a clock.
type changes struct {
	paths  map[string]bool
	roots  bool // a root arrived: watches below the roots must be set anew
	rescan bool // events were lost: everything must be looked at
	first  time.Time
	last   time.Time
}

// add notes that something happened to path.
func (c *changes) add(path string, now time.Time) {
	if c.paths == nil {
		c.paths = make(map[string]bool)
	}
	c.touch(now)
	c.paths[path] = true
}

// arrived notes that a root is there that was not watched so far.
func (c *changes) arrived(root string, now time.Time) {
	c.add(root, now)
	c.roots = true
}

// lost notes that events were dropped.
func (c *changes) lost(now time.Time) {
	c.touch(now)
	c.rescan = true
}

func (c *changes) touch(now time.Time) {
	if c.empty() {
		c.first = now
	}
	c.last = now
}

// empty says that nothing has happened since the last take.
func (c *changes) empty() bool { return len(c.paths) == 0 && !c.rescan }

// wait returns how long to wait before the batch is due; zero or less means now.
func (c *changes) wait(now time.Time) time.Duration {
	return min(c.last.Add(quietTime).Sub(now), c.first.Add(maxDelay).Sub(now))
}

// take empties the collection and returns the paths to look at: sorted, and
// none below another, because a path is looked at with all that is below it. named
// are all of which something was told.
func (c *changes) take() (paths, named []string, rescan bool) {
	named = slices.Collect(maps.Keys(c.paths))
	rescan = c.rescan
	*c = changes{}
	return outermost(slices.Clone(named)), named, rescan
}

// outermost sorts paths and drops those that lie at or below another.
func outermost(paths []string) []string {
	// Sorted by components, so that a folder comes right before what is in it.
	slices.SortFunc(paths, func(a, b string) int {
		return cmp.Compare(sortKey(a), sortKey(b))
	})
	kept := paths[:0]
	for _, p := range paths {
		if len(kept) == 0 || !ignore.Below(p, kept[len(kept)-1]) {
			kept = append(kept, p)
		}
	}
	return kept
}

// sortKey orders the separator before every other byte of a name.
func sortKey(path string) string {
	return strings.ReplaceAll(path, string(filepath.Separator), "\x00")
}
