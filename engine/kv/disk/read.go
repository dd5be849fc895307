package disk

import (
	"context"
	"fmt"

	"dowse/engine/kv"
)

// Read reads and verifies a group of layers of a chunk; dst has the group's length at the
// level of Find. ErrMissing and ErrDamaged mean that the chunk has to be computed.
func (d *Disk) Read(ctx context.Context, id ChunkID, group int, dst []byte) error {
	s, err := d.find(id)
	if err != nil {
		return err
	}
	if group < 0 || group >= kv.Groups {
		return fmt.Errorf("group %d of a chunk, want 0 to %d", group, kv.Groups-1)
	}
	sizes := d.layout.Groups[s.level]
	if len(dst) != sizes[group] {
		return fmt.Errorf("%w: group %d has %d bytes at %d bits, and %d are asked for", ErrMissing, group, sizes[group], s.level, len(dst))
	}
	offset := s.page * pageBytes
	for _, size := range sizes[:group] {
		offset += int64(size)
	}
	if err := d.reads.pass(ctx, len(dst)); err != nil {
		return err
	}
	if _, err := d.file.ReadAt(dst, offset); err != nil {
		return d.damaged(id, s, err)
	}
	if sum(id, s.level, group, dst) != s.sums[group] {
		return d.damaged(id, s, nil)
	}
	return nil
}

func (d *Disk) find(id ChunkID) (slot, error) {
	d.mu.RLock()
	defer d.mu.RUnlock()
	c := d.chunks[id]
	switch {
	case c == nil || c.pages == 0:
		return slot{}, ErrMissing
	case c.bad:
		return slot{}, ErrDamaged
	}
	return c.slot, nil
}

// damaged marks a chunk with unreadable or wrong bytes at s, unless it has moved meanwhile,
// and returns the error.
func (d *Disk) damaged(id ChunkID, s slot, err error) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	c := d.chunks[id]
	if c == nil || c.slot != s {
		return fmt.Errorf("%w: it was written anew or deleted meanwhile", ErrMissing)
	}
	c.bad = true
	if err != nil {
		return fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	return ErrDamaged
}
