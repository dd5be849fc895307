package disk

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"dowse/engine/kv"
)

// Read reads a group of layers of a chunk to dst, which is as long as the group at the
// level that Find returned, and checks it. An ErrMissing or ErrDamaged is wrapped where
// the chunk has to be computed.
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
	if err := d.reads.Pass(ctx, len(dst)); err != nil {
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

// find returns where a chunk lies.
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

// damaged marks a chunk whose bytes at s could not be read, or were wrong, unless it
// lies elsewhere by now, and returns the error that says so.
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

// readBytes is the least that is read at a time of chunks that lie one after the other:
// a disk reads as fast as it can by then, and the bytes are still in the processor's
// cache when they are checked.
const readBytes = 1 << 20

// ReadMany reads whole chunks, those that lie one after the other at once. dsts are as
// long as the chunks. It returns an error for each chunk, nil for those that were read.
func (d *Disk) ReadMany(ctx context.Context, ids []ChunkID, dsts [][]byte) []error {
	errs, slots := make([]error, len(ids)), make([]slot, len(ids))
	var order []int
	for i, id := range ids {
		slots[i], errs[i] = d.find(id)
		if want := d.layout.Bytes(slots[i].level); errs[i] == nil && len(dsts[i]) != want {
			errs[i] = fmt.Errorf("%w: it has %d bytes at %d bits, and %d are asked for", ErrMissing, want, slots[i].level, len(dsts[i]))
		}
		if errs[i] == nil {
			order = append(order, i)
		}
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(slots[a].page, slots[b].page) })
	pieces := make([]piece, len(order))
	for n, i := range order {
		pieces[n] = piece{slots[i].extent, dsts[i]}
	}
	next := 0
	_ = runs(pieces, readBytes, func(run []piece) error { // each chunk has its own error
		of := order[next : next+len(run)]
		next += len(run)
		err := d.reads.Pass(ctx, bytesOf(run))
		if err == nil {
			err = transfer(d.file, run, readVector)
		}
		for _, i := range of {
			errs[i] = d.verify(ctx, ids[i], slots[i], dsts[i], err)
		}
		return nil
	})
	return errs
}

// verify returns an error unless data, which was read with the error err, is what the
// slot of a chunk must hold. Where one chunk of a run could not be read, each is read
// by itself.
func (d *Disk) verify(ctx context.Context, id ChunkID, s slot, data []byte, err error) error {
	if err != nil && ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		_, err = d.file.ReadAt(data, s.page*pageBytes)
	}
	if err == nil && d.layout.sumsOf(id, s.level, data) == s.sums {
		return nil
	}
	return d.damaged(id, s, err)
}

// IsLost reports whether an error of Read says that the chunk has to be computed, and
// not that the reading was stopped.
func IsLost(err error) bool { return errors.Is(err, ErrMissing) || errors.Is(err, ErrDamaged) }
