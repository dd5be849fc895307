package weights

// lru says which ids have a slot of a cache, and whose turn it is to lose it:
// a doubly linked list through the slots, newest to oldest. Slots are numbered
// from 1, so that zeroed memory is an empty cache; 0 ends the list.
type lru struct {
	slotOf []int32 // [ids]: 0 where an id has none
	idOf   []int32 // [capacity+1]
	newer  []int32 // [capacity+1]; newer[0] is the oldest slot
	older  []int32 // [capacity+1]; older[0] is the newest slot
	used   int32
}

// lruInts is the length of the memory of newLRU.
func lruInts(ids, capacity int) int { return ids + 3*(capacity+1) }

// newLRU lays an empty cache of capacity slots out in zeroed memory.
func newLRU(ids, capacity int, zeroed []int32) *lru {
	take := func(n int) []int32 {
		piece := zeroed[:n:n]
		zeroed = zeroed[n:]
		return piece
	}
	return &lru{slotOf: take(ids), idOf: take(capacity + 1), newer: take(capacity + 1), older: take(capacity + 1)}
}

func (l *lru) capacity() int { return len(l.idOf) - 1 }

// slot returns the slot of an id, or 0.
func (l *lru) slot(id int32) int32 { return l.slotOf[id] }

// touch makes a slot the newest.
func (l *lru) touch(slot int32) {
	l.unlink(slot)
	l.link(slot)
}

// insert gives the id, which has none, a slot: an unused one or the oldest.
func (l *lru) insert(id int32) int32 {
	slot := l.newer[0]
	if int(l.used) < l.capacity() {
		l.used++
		slot = l.used
	} else {
		l.unlink(slot)
		l.slotOf[l.idOf[slot]] = 0
	}
	l.slotOf[id], l.idOf[slot] = slot, id
	l.link(slot)
	return slot
}

// link puts a slot before the newest.
func (l *lru) link(slot int32) {
	second := l.older[0]
	l.older[slot], l.newer[slot] = second, 0
	l.newer[second], l.older[0] = slot, slot
}

func (l *lru) unlink(slot int32) {
	l.older[l.newer[slot]] = l.older[slot]
	l.newer[l.older[slot]] = l.newer[slot]
}
