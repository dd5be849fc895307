package contexts

import (
	"context"
	"errors"
	"sync"

	"dowse/engine/kv"
	"dowse/engine/memory"
	"dowse/engine/transformer"
)

// Options say what a Manager keeps, and where.
type Options struct {
	Decoder *transformer.Decoder
	Ledger  *memory.Ledger
	// Memory is the budget that conversations share with models; nil is any number of
	// bytes. Own bytes of it are those of the decoder's own lease that the conversation
	// that is called may have: no other sequence holds any meanwhile.
	Memory *memory.Arbiter
	Own    int64

	Folder string // where conversations outlast this process; empty for nowhere
	// Model names all that keys and values depend on beside tokens: weights, adapter,
	// arithmetic.
	Model string
	Quota int64 // bytes of chunks on the disk; 0 is no limit
	// ReadRate and WriteRate are the most bytes of chunks a second, for measurements of
	// slow disks; 0 is no limit.
	ReadRate, WriteRate int64

	// Ratio is the part of their bytes at 8 bits that full chunks behind the last few
	// may have in the mean; 0 leaves all of them at 8 bits.
	Ratio   float64
	Profile kv.Profile // of this machine, to begin with
	// Serial has what is missing computed or read, one after the other: the baseline
	// without a pipeline.
	Serial bool
}

// Manager keeps the conversations of one model. Its methods may be called from several
// goroutines.
type Manager struct {
	options Options
	mu      sync.Mutex
}

var errNotYet = errors.New("contexts: to be written")

// New opens the folder. Where that cannot be used, conversations live in memory alone,
// and Stats.Problem says why.
func New(o Options) (*Manager, error) { return &Manager{options: o}, nil }

// Open locks a conversation for its caller, one at a time, and brings all of it into
// memory. A name that is not there is a new one. Work in the background on this
// conversation is waited for if it loads, and stopped if it writes.
func (m *Manager) Open(ctx context.Context, id string) (*Session, error) { return nil, errNotYet }

// Focus begins to load a conversation that is about to be called, and returns.
func (m *Manager) Focus(id string) {}

// Delete stops the work on a conversation, waits for its call, and erases it, in memory
// and on the disk. It returns how many bytes were on the disk.
func (m *Manager) Delete(ctx context.Context, id string) (int64, error) { return 0, errNotYet }

// Reclaim drops chunks of conversations that are not called until that many bytes are
// free, and returns how many are. Nothing is written: chunks that are not on the disk
// stay.
func (m *Manager) Reclaim(bytes int64) int64 { return 0 }

// Drain waits until all that is to be written or loaded in the background is.
func (m *Manager) Drain(ctx context.Context) error { return nil }

// Close stops what goes on in the background, where chunks that were not written are
// lost and computed again, and gives everything back. No conversation may be open.
func (m *Manager) Close() error { return nil }
