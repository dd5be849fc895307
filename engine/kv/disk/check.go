package disk

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
)

// Report is the result of Check.
type Report struct {
	Conversations int
	Tokens        int
	Chunks        int   // owned by conversations, each counted once
	Stored        int   // intact on the disk
	Bytes         int64 // of those
	// Damaged chunks are unreadable or have other bytes; they are computed again on demand.
	Damaged int
	// Problems are faults of the files themselves, a sentence each.
	Problems []string
}

func (r *Report) problem(format string, args ...any) {
	r.Problems = append(r.Problems, fmt.Sprintf(format, args...))
}

// Check reads and compares everything. Nothing is written meanwhile.
func (d *Disk) Check(ctx context.Context) (*Report, error) {
	d.work.Lock()
	defer d.work.Unlock()
	r := &Report{Conversations: len(d.conversations)}
	if err := d.checkLogs(r); err != nil {
		return nil, err
	}
	d.checkOwners(r)
	if err := d.checkSlots(r); err != nil {
		return nil, err
	}
	return r, d.checkBytes(ctx, r)
}

func (d *Disk) checkLogs(r *Report) error {
	for _, name := range slices.Sorted(maps.Keys(d.conversations)) {
		conv := d.conversations[name]
		c, whole, err := readContent(conv.log.path, conv.log.size, &d.layout)
		if err != nil {
			return err
		}
		if int64(whole) < conv.log.size || len(c.tokens) != conv.tokens || !slices.Equal(c.chunks, conv.chunks) {
			r.problem("the log of conversation %q is damaged from byte %d on; after a restart it ends there", name, whole)
		}
		r.Tokens += conv.tokens
	}
	return nil
}

// checkOwners compares chunks of conversations with owners of chunks, both ways.
func (d *Disk) checkOwners(r *Report) {
	owned := 0
	for name, conv := range d.conversations {
		if n := len(conv.chunks); n > 0 && (n-1)*d.layout.ChunkTokens >= conv.tokens {
			r.problem("conversation %q has %d chunks and %d tokens", name, len(conv.chunks), conv.tokens)
		}
		for position, o := range conv.chunks {
			c := d.chunks[o.ID]
			if owned++; c == nil || !slices.Contains(c.owners, owner{conv, position}) {
				r.problem("chunk %d of conversation %q is not known as its own", position, name)
			}
		}
	}
	for _, c := range d.chunks {
		owned -= len(c.owners)
		if len(c.owners) == 0 {
			r.problem("a chunk at page %d is nobody's", c.page)
		}
	}
	if owned != 0 {
		r.problem("chunks have %d owners too few", owned)
	}
	r.Chunks = len(d.chunks)
}

// checkSlots compares the index with memory, and slots and gaps with the file.
func (d *Disk) checkSlots(r *Report) error {
	slots := d.slots()
	if err := d.checkIndex(r, slots); err != nil {
		return err
	}
	info, err := d.file.Stat()
	if err != nil {
		return err
	}
	if info.Size() > d.space.end*pageBytes {
		r.problem("the file of chunks has %d bytes, and %d are used", info.Size(), d.space.end*pageBytes)
	}
	all := slices.Clone(d.space.free)
	for _, s := range slots {
		all = append(all, s.extent)
	}
	slices.SortFunc(all, func(a, b extent) int { return int(a.page - b.page) })
	end := int64(0)
	for _, e := range all {
		if e.page != end {
			r.problem("pages %d to %d belong to two slots, or to none", min(e.page, end), max(e.page, end))
		}
		end = e.end()
	}
	if end != d.space.end {
		r.problem("slots end at page %d, want %d", end, d.space.end)
	}
	return d.checkGaps(r)
}

// checkIndex reads the index again. Records of freed slots may be missing on a full disk.
func (d *Disk) checkIndex(r *Report, slots map[ChunkID]slot) error {
	said, whole, err := readIndexFile(d.index.path, d.key, &d.layout)
	if err != nil {
		return err
	}
	if int64(whole) < d.index.size {
		r.problem("the index of chunks is damaged from byte %d on; after a restart it ends there", whole)
		return nil
	}
	for id, s := range slots {
		known := said[id]
		known.bad = s.bad
		if known != s {
			r.problem("the index of chunks does not know the one at page %d", s.page)
		}
		delete(said, id)
	}
	if len(said) > 0 && len(d.pending) == 0 {
		r.problem("the index of chunks knows %d that are gone", len(said))
	}
	return nil
}

// checkGaps looks for leftover bytes in free pages.
func (d *Disk) checkGaps(r *Report) error {
	data := make([]byte, 64<<10)
	for _, gap := range d.space.free {
		for at, end := gap.page*pageBytes, gap.end()*pageBytes; at < end; at += int64(len(data)) {
			part := data[:min(int64(len(data)), end-at)]
			n, err := d.file.ReadAt(part, at)
			if err != nil && !errors.Is(err, io.EOF) {
				return err
			}
			if !isZero(part[:n]) {
				r.problem("page %d is free, and bytes of a chunk are there", at/pageBytes)
			}
		}
	}
	return nil
}

func (d *Disk) checkBytes(ctx context.Context, r *Report) error {
	for id, s := range d.slots() {
		if s.bad {
			r.Damaged++
			continue
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		data := make([]byte, d.layout.Bytes(s.level))
		if _, err := d.file.ReadAt(data, s.page*pageBytes); err != nil || d.layout.sumsOf(id, s.level, data) != s.sums {
			_ = d.damaged(id, s, err) // is noted, for later reads
			r.Damaged++
			continue
		}
		r.Stored++
		r.Bytes += s.pages * pageBytes
	}
	return nil
}
