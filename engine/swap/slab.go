package swap

import (
	"slices"

	"dowse/engine/memory"
	"dowse/engine/weights"
)

// rowOf names the row in a slot.
type rowOf struct{ layer, channel int32 }

// nobody owns a free slot.
var nobody = rowOf{layer: -1}

// slab is memory for the rows of one bundle, all of one size, in blocks that are taken and
// given back to the system one by one. Slots are numbered from 1.
type slab struct {
	ledger   *memory.Ledger
	block    int // bytes of a block
	row      int // bytes from a slot to the next
	perBlock int // slots of a block

	blocks []*memory.Buffer // nil where one was given back
	live   []int            // [blocks]: slots in use
	pinned []int            // [blocks]: slots that may not move
	owner  []rowOf          // [slots]
	pins   []bool           // [slots]
	free   []int32
	held   int // blocks that are there
}

// place returns the block of a slot and its number in it.
func (s *slab) place(slot int32) (block, at int) {
	return int(slot-1) / s.perBlock, int(slot-1) % s.perBlock
}

// bytes returns the memory of a slot.
func (s *slab) bytes(slot int32) []int8 {
	block, at := s.place(slot)
	return s.blocks[block].Int8()[at*s.row : (at+1)*s.row]
}

// used returns how many slots are in use.
func (s *slab) used() int { return s.held*s.perBlock - len(s.free) }

// take returns a slot for a row, or 0. It adds a block only below limit.
func (s *slab) take(owner rowOf, limit int) (slot int32, err error) {
	if len(s.free) == 0 && s.held < limit {
		if err := s.grow(); err != nil {
			return 0, err
		}
	}
	if len(s.free) == 0 {
		return 0, nil
	}
	last := len(s.free) - 1
	slot, s.free = s.free[last], s.free[:last]
	s.owner[slot-1] = owner
	block, _ := s.place(slot)
	s.live[block]++
	return slot, nil
}

func (s *slab) grow() error {
	buffer, err := memory.NewBuffer(s.ledger, weights.KeptPool, s.block)
	if err != nil {
		return err
	}
	block := slices.Index(s.blocks, nil)
	if block < 0 {
		block = len(s.blocks)
		s.blocks, s.live, s.pinned = append(s.blocks, nil), append(s.live, 0), append(s.pinned, 0)
		s.owner = append(s.owner, slices.Repeat([]rowOf{nobody}, s.perBlock)...)
		s.pins = append(s.pins, make([]bool, s.perBlock)...)
	}
	s.blocks[block] = buffer
	s.held++
	for at := s.perBlock; at > 0; at-- {
		s.free = append(s.free, int32(block*s.perBlock+at))
	}
	return nil
}

// drop makes a slot free.
func (s *slab) drop(slot int32) {
	s.owner[slot-1] = nobody
	s.free = append(s.free, slot)
	block, _ := s.place(slot)
	s.live[block]--
}

// pin keeps a slot in place until unpin. It reports whether it was not pinned before.
func (s *slab) pin(slot int32) bool {
	if s.pins[slot-1] {
		return false
	}
	s.pins[slot-1] = true
	block, _ := s.place(slot)
	s.pinned[block]++
	return true
}

func (s *slab) unpin(slot int32) {
	s.pins[slot-1] = false
	block, _ := s.place(slot)
	s.pinned[block]--
}

// shrink frees blocks until there are limit, those with the fewest rows first. Their rows
// move to free slots of others, of which moved is told. Blocks with pinned rows stay, and
// blocks whose rows find no slot.
func (s *slab) shrink(limit int, moved func(of rowOf, slot int32)) error {
	if s.held <= limit {
		return nil
	}
	var order []int
	for i, buffer := range s.blocks {
		if buffer != nil && s.pinned[i] == 0 {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return s.live[a] - s.live[b] })
	gone := make([]bool, len(s.blocks))
	room := len(s.free)
	for _, block := range order {
		spare := s.perBlock - s.live[block] // slots that are lost with it
		if s.held == limit || room-spare < s.live[block] {
			break
		}
		room -= spare + s.live[block]
		gone[block] = true
		s.held--
	}
	s.free = slices.DeleteFunc(s.free, func(slot int32) bool {
		block, _ := s.place(slot)
		return gone[block]
	})
	for block, is := range gone {
		if is {
			if err := s.vacate(block, moved); err != nil {
				return err
			}
		}
	}
	return nil
}

// vacate moves the rows of a block elsewhere, and gives the block back.
func (s *slab) vacate(block int, moved func(of rowOf, slot int32)) error {
	for at := range s.perBlock {
		from := int32(block*s.perBlock + at + 1)
		of := s.owner[from-1]
		if of == nobody {
			continue
		}
		last := len(s.free) - 1
		to := s.free[last]
		s.free = s.free[:last]
		copy(s.bytes(to), s.bytes(from))
		s.owner[to-1], s.owner[from-1] = of, nobody
		other, _ := s.place(to)
		s.live[other]++
		moved(of, to)
	}
	s.live[block] = 0
	buffer := s.blocks[block]
	s.blocks[block] = nil
	return buffer.Free()
}
