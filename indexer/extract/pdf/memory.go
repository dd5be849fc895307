package pdf

import (
	"context"

	"github.com/tetratelabs/wazero/experimental"
)

// reserved is the memory of one instance: addresses for all that it may hold, of which the
// system gives it those pages alone that it touches. Memory of Go's would be copied each time it
// grows, and what was left behind would wait for the collector: a file that fills the sandbox
// took four times of it.
type reserved []byte

var _ experimental.MemoryAllocator = reserved(nil)

// reserve has an instance that is made in the context it returns use that memory, of so many pages at most.
func reserve(ctx context.Context, pages int) (context.Context, reserved, error) {
	r, err := takePages(pages << 16)
	if err != nil {
		return nil, nil, err
	}
	return experimental.WithMemoryAllocator(ctx, reserved(r)), r, nil
}

// Allocate implements experimental.MemoryAllocator.
func (r reserved) Allocate(uint64, uint64) experimental.LinearMemory { return r }

// Reallocate implements experimental.LinearMemory.
func (r reserved) Reallocate(size uint64) []byte {
	if size > uint64(len(r)) {
		return nil
	}
	return r[:size]
}

// Free implements experimental.LinearMemory. It does nothing, release does.
func (r reserved) Free() {}

// release gives the memory back. Nothing of it may be used any more.
func (r reserved) release() error {
	return givePages(r)
}
