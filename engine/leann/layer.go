package leann

import (
	"iter"
	"slices"
)

// layer is one level: for each node a linked list of half links, one for either direction of
// a link.
type layer struct {
	dense  []uint32          // by node, for level 0: as sparse
	sparse map[uint32]uint32 // index of a node's first half link, lonely if it has none; 0: no node
	half   []halfLink        // even ones leave the owner, and the opposite half follows
	free   uint32            // reusable pairs, linked by next; 0: none
	nodes  int
	links  int
}

type halfLink struct {
	to   uint32
	next uint32 // index of the node's next half link; lonely: no more
}

// lonely ends a list of half links.
const lonely = 1

func (l *layer) at(node uint32) uint32 {
	if l.sparse != nil {
		return l.sparse[node]
	}
	if int(node) < len(l.dense) {
		return l.dense[node]
	}
	return 0
}

func (l *layer) set(node, at uint32) {
	switch {
	case l.sparse == nil:
		if n := int(node) + 1; n > len(l.dense) {
			l.dense = append(l.dense, make([]uint32, n-len(l.dense))...)
		}
		l.dense[node] = at
	case at == 0:
		delete(l.sparse, node)
	default:
		l.sparse[node] = at
	}
}

func (l *layer) has(node uint32) bool { return l.at(node) != 0 }

func (l *layer) add(node uint32) {
	l.set(node, lonely)
	l.nodes++
}

// all yields the nodes, in ascending order on level 0.
func (l *layer) all() iter.Seq[uint32] {
	return func(yield func(uint32) bool) {
		for node, at := range l.dense {
			if at != 0 && !yield(uint32(node)) {
				return
			}
		}
		for node := range l.sparse {
			if !yield(node) {
				return
			}
		}
	}
}

// each yields the neighbours of a node, in no order.
func (l *layer) each(node uint32) iter.Seq[uint32] {
	return func(yield func(uint32) bool) {
		for at := l.at(node); at > lonely; at = l.half[at].next {
			if !yield(l.half[at].to) {
				return
			}
		}
	}
}

// neighbours returns the neighbours of a node, ascending.
func (l *layer) neighbours(node uint32) []uint32 {
	return slices.Sorted(l.each(node))
}

// own returns the nodes that a node chose, ascending.
func (l *layer) own(node uint32) []uint32 {
	own := []uint32{}
	for at := l.at(node); at > lonely; at = l.half[at].next {
		if at%2 == 0 {
			own = append(own, l.half[at].to)
		}
	}
	slices.Sort(own)
	return own
}

func (l *layer) degree(node uint32) (n int) {
	for range l.each(node) {
		n++
	}
	return n
}

// linked reports whether a link joins two nodes, and its owner.
func (l *layer) linked(a, b uint32) (linked bool, owner uint32) {
	for at := l.at(a); at > lonely; at = l.half[at].next {
		if l.half[at].to == b {
			if at%2 == 0 {
				return true, a
			}
			return true, b
		}
	}
	return false, none
}

// link joins two nodes that are not linked.
func (l *layer) link(owner, to uint32) {
	place := l.free
	if place == 0 {
		place = uint32(len(l.half))
		l.half = append(l.half, halfLink{}, halfLink{})
	} else {
		l.free = l.half[place].next
	}
	l.half[place] = halfLink{to, l.at(owner)}
	l.half[place+1] = halfLink{owner, l.at(to)}
	l.set(owner, place)
	l.set(to, place+1)
	l.links++
}

// unlink removes the link that a node owns to another, if there is one.
func (l *layer) unlink(owner, to uint32) {
	place := uint32(0)
	for at := l.at(owner); at > lonely; at = l.half[at].next {
		if at%2 == 0 && l.half[at].to == to {
			place = at
		}
	}
	if place == 0 {
		return
	}
	l.cut(owner, place)
	l.cut(to, place+1)
	l.half[place].next = l.free
	l.free = place
	l.links--
}

// cut takes a half link out of a node's list.
func (l *layer) cut(node, place uint32) {
	next := l.half[place].next
	if l.at(node) == place {
		l.set(node, next)
		return
	}
	at := l.at(node)
	for l.half[at].next != place {
		at = l.half[at].next
	}
	l.half[at].next = next
}
