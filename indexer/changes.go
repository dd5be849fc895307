package indexer

import (
	"maps"
	"math"
	"slices"
	"time"

	"dowse/indexer/paths"
)

// Debounce times of the watcher. An editor's save is a burst of create, write
// and rename events within milliseconds: a batch is handed on once the burst
// is over, or when it has gone on for so long that waiting would be noticed.
//
// A path that changes all the time, such as a log, is handed on at intervals that grow from maxDelay to maxInterval. No
// other path waits for it meanwhile.
const (
	quietTime   = 150 * time.Millisecond
	maxDelay    = 1 * time.Second
	maxInterval = 5 * time.Second
)

// changes collects the paths that file system events named until they are due.
// Times are passed in, so that it can be tested without a clock.
type changes struct {
	paths  map[string]bool
	polls  bool // a root is looked at since not all its changes are told
	roots  bool // a root arrived: watches below the roots must be set anew
	rescan bool // events were lost: everything must be looked at
	first  time.Time
	last   time.Time

	paces map[string]pace // of paths that were handed on a moment ago
	held  map[string]bool // of these, those that changed again and are not due yet
}

// pace is when a path was handed on, and how long it waits from then on.
type pace struct {
	handed   time.Time
	interval time.Duration
}

// due is when the path may be handed on again.
func (p pace) due() time.Time { return p.handed.Add(p.interval) }

// calm reports whether nothing happened to the path for so long that it counts as any other.
func (p pace) calm(now time.Time) bool { return !now.Before(p.due().Add(2 * maxDelay)) }

// next is the pace of a path that is handed on again.
func (p pace) next(now time.Time) pace {
	return pace{now, min(max(2*p.interval, maxDelay), maxInterval)}
}

// add notes that something happened to path.
func (c *changes) add(path string, now time.Time) {
	if p, paced := c.paces[path]; c.held[path] || paced && now.Before(p.due()) {
		if c.held == nil {
			c.held = map[string]bool{}
		}
		c.held[path] = true
		return
	}
	c.touch(now)
	if c.paths == nil {
		c.paths = map[string]bool{}
	}
	c.paths[path] = true
}

// arrived notes that a root is there that was not watched so far.
func (c *changes) arrived(root string, now time.Time) {
	delete(c.paces, root)
	delete(c.held, root)
	c.add(root, now)
	c.roots = true
}

// polled notes that a root is to be looked at, though nothing told of a change.
func (c *changes) polled(root string, now time.Time) {
	c.add(root, now)
	c.polls = true
}

// lost notes that events were dropped.
func (c *changes) lost(now time.Time) {
	c.touch(now)
	c.rescan = true
}

func (c *changes) touch(now time.Time) {
	if len(c.paths) == 0 && !c.rescan {
		c.first = now
	}
	c.last = now
}

// empty reports whether nothing waits.
func (c *changes) empty() bool { return len(c.paths) == 0 && len(c.held) == 0 && !c.rescan }

// wait returns how long to wait before a batch is due; zero or less means now.
func (c *changes) wait(now time.Time) time.Duration {
	wait := time.Duration(math.MaxInt64)
	if len(c.paths) > 0 || c.rescan {
		wait = c.untilQuiet(now)
	}
	for path := range c.held {
		wait = min(wait, c.paces[path].due().Sub(now))
	}
	return wait
}

// untilQuiet is how long paths that are not held wait.
func (c *changes) untilQuiet(now time.Time) time.Duration {
	return min(c.last.Add(quietTime).Sub(now), c.first.Add(maxDelay).Sub(now))
}

// batch is the part of changes that is due.
type batch struct {
	paths  []string // sorted, and none below another, because a path is looked at with all that is below it
	named  []string // every path that an event named
	roots  bool
	rescan bool
	polls  bool
}

// dueBatch returns the changes that are due, and keeps the rest.
func (c *changes) dueBatch(now time.Time) *batch {
	b := &batch{}
	for path := range c.held {
		if !now.Before(c.paces[path].due()) {
			b.paths = append(b.paths, path)
			delete(c.held, path)
		}
	}
	if (len(c.paths) > 0 || c.rescan) && c.untilQuiet(now) <= 0 {
		b.paths = slices.AppendSeq(b.paths, maps.Keys(c.paths))
		b.roots, b.rescan, b.polls = c.roots, c.rescan, c.polls
		c.paths, c.roots, c.rescan, c.polls = nil, false, false, false
	}
	maps.DeleteFunc(c.paces, func(path string, p pace) bool { return !c.held[path] && p.calm(now) })
	if c.paces == nil {
		c.paces = map[string]pace{}
	}
	for _, path := range b.paths {
		if p, paced := c.paces[path]; paced {
			c.paces[path] = p.next(now)
		} else {
			c.paces[path] = pace{handed: now}
		}
	}
	b.named = slices.Clone(b.paths)
	b.paths = paths.Outermost(b.paths)
	return b
}
