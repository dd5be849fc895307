package transformer

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"

	"dowse/engine/memory"
	"dowse/engine/weights"
	"dowse/models/pack/directio"
)

// offloadedStates lie in a temporary file, cut into chunks. At most three
// chunks are in memory: while one is computed, the one before it is written
// and the one after it is read.
type offloadedStates struct {
	file    *directio.File
	slots   []*memory.Buffer // weights.HiddenSlots, or as many as there are chunks
	chunks  []storedChunk
	width   int
	lengths []int
	threads int

	bytesRead, bytesWritten atomic.Int64
}

// storedChunk is a part of the file. Candidates leave it and never join it.
type storedChunk struct {
	offset int64
	stored []int // candidates in the file, in their order
	active []int // of stored, still active
}

// open cuts the candidates into chunks and makes a file for them. After an error call
// close.
func (s *offloadedStates) open(chunkRows int, o *CrossEncoderOptions) error {
	offset, largest := int64(0), 0
	for _, group := range groups(upTo(len(s.lengths)), s.lengths, chunkRows) {
		s.chunks = append(s.chunks, storedChunk{offset: offset, stored: group, active: group})
		size := s.size(group)
		largest = max(largest, size)
		offset += int64(size)
	}
	for range min(weights.HiddenSlots, len(s.chunks)) {
		slot, err := memory.NewBuffer(o.Ledger, weights.HiddenPool, largest)
		if err != nil {
			return err
		}
		s.slots = append(s.slots, slot)
	}
	file, err := directio.CreateTemp(o.Spill)
	if err != nil {
		return fmt.Errorf("a file for hidden states: %w", err)
	}
	s.file = file
	return nil
}

// size is the bytes of candidates in the file, in whole pages.
func (s *offloadedStates) size(candidates []int) int {
	return (4*tokensOf(s.lengths, candidates)*s.width + directio.Align - 1) &^ (directio.Align - 1)
}

func (s *offloadedStates) keep(active []int) {
	for i := range s.chunks {
		c := &s.chunks[i]
		c.active = slices.DeleteFunc(slices.Clone(c.active), func(candidate int) bool {
			_, wanted := slices.BinarySearch(active, candidate)
			return !wanted
		})
	}
}

func (s *offloadedStates) each(ctx context.Context, mode access, run func([]piece) error) error {
	var todo []*storedChunk
	for i := range s.chunks {
		if len(s.chunks[i].active) > 0 {
			todo = append(todo, &s.chunks[i])
		}
	}
	loads, stores := make([]transfer, len(todo)), make([]transfer, len(todo))
	defer func() { // transfers end before their buffers and file are freed
		for i := range todo {
			loads[i].settle()
			stores[i].settle()
		}
	}()
	// load begins to read chunk i into a slot, once the chunk before in it is written.
	load := func(i int) error {
		if i >= len(todo) {
			return nil
		}
		if before := i - len(s.slots); before >= 0 {
			if err := stores[before].wait(); err != nil {
				return err
			}
		}
		if mode != create {
			loads[i].begin(func() error { return s.load(todo[i], s.slot(i)) })
		}
		return nil
	}
	if err := load(0); err != nil {
		return err
	}
	for i, chunk := range todo {
		if err := errors.Join(load(i+1), loads[i].wait(), ctx.Err()); err != nil {
			return err
		}
		if err := run(s.pieces(chunk, s.slot(i))); err != nil {
			return err
		}
		if mode != consume {
			stores[i].begin(func() error { return s.store(chunk, s.slot(i)) })
		}
	}
	var err error
	for i := range stores {
		err = errors.Join(err, stores[i].wait())
	}
	return err
}

// slot is the buffer of the i-th chunk of a round.
func (s *offloadedStates) slot(i int) *memory.Buffer { return s.slots[i%len(s.slots)] }

// load reads a chunk and closes the gaps of the candidates that left it.
func (s *offloadedStates) load(c *storedChunk, slot *memory.Buffer) error {
	data := slot.Bytes()[:s.size(c.stored)]
	if err := s.file.ReadAt(data, c.offset); err != nil {
		return fmt.Errorf("read hidden states back: %w", err)
	}
	s.bytesRead.Add(int64(len(data)))
	compact(slot.Float32(), c.stored, c.active, s.lengths, s.width)
	return nil
}

func (s *offloadedStates) store(c *storedChunk, slot *memory.Buffer) error {
	c.stored = c.active
	data := slot.Bytes()[:s.size(c.stored)]
	if err := s.file.WriteAt(data, c.offset); err != nil {
		return fmt.Errorf("write hidden states: %w", err)
	}
	s.bytesWritten.Add(int64(len(data)))
	return nil
}

// pieces shares a chunk out among the workers.
func (s *offloadedStates) pieces(c *storedChunk, slot *memory.Buffer) []piece {
	share := (tokensOf(s.lengths, c.active) + s.threads - 1) / s.threads
	return split(slot.Float32(), c.active, s.lengths, s.width, share)
}

func (s *offloadedStates) traffic() (read, written int64) {
	return s.bytesRead.Load(), s.bytesWritten.Load()
}

func (s *offloadedStates) close() error {
	var err error
	for _, slot := range s.slots {
		err = errors.Join(err, slot.Free())
	}
	if s.file != nil {
		err = errors.Join(err, s.file.Close())
	}
	return err
}

// transfer is a read or a write in the background; the zero value is no transfer.
type transfer struct {
	done chan struct{}
	err  error // once done is closed
}

func (t *transfer) begin(work func() error) {
	t.done = make(chan struct{})
	go func() {
		defer close(t.done)
		t.err = work()
	}()
}

// wait returns the outcome, as often as it is asked.
func (t *transfer) wait() error {
	t.settle()
	return t.err
}

// settle returns when the transfer is over.
func (t *transfer) settle() {
	if t.done != nil {
		<-t.done
	}
}
