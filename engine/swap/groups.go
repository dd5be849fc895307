package swap

import (
	"errors"
	"slices"
	"sync"

	"dowse/engine/memory"
	"dowse/models/pack"
)

// denseGroups are the groups whose rows are all in memory, or on their way.
type denseGroups struct {
	on      bool // a whole layer was lent last
	again   bool // the pass before lent whole layers too
	warms   bool // this pass copies rows from groups, which get the memory that it does not need
	passed  int  // the layer that was lent last
	list    []*denseGroup
	groups  int        // of the model
	next    int        // the group with which the pass goes on
	wake    *sync.Cond // a read or a copy is over
	running sync.WaitGroup
}

// denseGroup is memory for all rows of a group.
type denseGroup struct {
	group   int // -1 for none
	buffers [pack.Bundles]*memory.Buffer
	rows    [pack.Bundles][]int8 // records
	reading bool
	lent    int
	copying int // copies of its rows under way
	done    chan struct{}
	err     error // valid once done is closed
}

func (g *denseGroup) idle() bool { return g.lent == 0 && g.copying == 0 && !g.reading }

// bytes returns its memory.
func (g *denseGroup) bytes() int64 {
	total := int64(0)
	for _, buffer := range g.buffers {
		total += memory.InPages(buffer.Size())
	}
	return total
}

func (g *denseGroup) free() error {
	var err error
	for _, buffer := range g.buffers {
		err = errors.Join(err, buffer.Free())
	}
	return err
}

// copying reports whether rows are being copied from any group.
func (d *denseGroups) copying() bool {
	return slices.ContainsFunc(d.list, func(g *denseGroup) bool { return g.copying > 0 })
}

// bytes returns the memory of all groups.
func (d *denseGroups) bytes() int64 {
	total := int64(0)
	for _, g := range d.list {
		total += g.bytes()
	}
	return total
}

// find returns a group, or nil.
func (d *denseGroups) find(group int) *denseGroup {
	for _, g := range d.list {
		if g.group == group {
			return g
		}
	}
	return nil
}

// spare returns the place of the idle group, other than except, that passes from a group on
// need last, or -1. No choice reads less, since passes take the groups in order, again and
// again (Belady, "A study of replacement algorithms for a virtual-storage computer", 1966).
func (d *denseGroups) spare(from, except int) int {
	found, farthest := -1, -1
	for i, g := range d.list {
		if !g.idle() || g.group >= 0 && g.group == except {
			continue
		}
		wanted := d.groups // an empty group is never needed
		if g.group >= 0 {
			wanted = (g.group - from + d.groups) % d.groups
		}
		if wanted > farthest {
			found, farthest = i, wanted
		}
	}
	return found
}

// drop frees the idle group that passes from a group on need last, and reports whether there
// was one.
func (d *denseGroups) drop(from int) (bool, error) {
	found := d.spare(from, -1)
	if found < 0 {
		return false, nil
	}
	g := d.list[found]
	d.list = slices.Delete(d.list, found, found+1)
	return true, g.free()
}

// shrink frees groups until there are limit or all others are lent. It blocks while
// one is read. The caller holds the lock of wake.
func (d *denseGroups) shrink(limit int) error {
	for len(d.list) > limit {
		dropped, err := d.drop(d.next)
		if err != nil {
			return err
		}
		if !dropped {
			if !slices.ContainsFunc(d.list, func(g *denseGroup) bool { return g.lent == 0 }) {
				return nil
			}
			d.wake.Wait()
		}
	}
	return nil
}

// free frees all groups. Nothing may be under way.
func (d *denseGroups) free() error {
	var err error
	for _, g := range d.list {
		err = errors.Join(err, g.free())
	}
	d.list = nil
	return err
}
