package contexts

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"dowse/engine/kv"
	"dowse/engine/kv/disk"
	"dowse/engine/memory"
	"dowse/engine/transformer"
)

// Options say what a Manager keeps, and where.
type Options struct {
	Decoder *transformer.Decoder
	// Memory is the budget that conversations share with models; nil is any number of
	// bytes. Own bytes beside it are those of the decoder's own lease that the
	// conversation that is called may have: no other sequence holds any meanwhile.
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
	Ratio     float64
	Objective kv.Objective
	Profile   kv.Profile // of this machine, to begin with
	// ReadAlone has all that the disk holds read, where some of it could be computed
	// meanwhile: a baseline for measurements.
	ReadAlone bool
}

// Manager keeps the conversations of one model. Its methods may be called from several
// goroutines.
type Manager struct {
	options Options
	disk    *disk.Disk    // nil: conversations live in memory alone
	lease   *memory.Lease // of granted bytes
	working sync.WaitGroup

	// In the background until Close.
	background context.Context
	end        context.CancelFunc

	mu            sync.Mutex // guards what follows, and conversations that nobody has
	conversations map[string]*conversation
	queue         kv.Queue[place] // chunks in memory
	granted, held int64           // bytes that may be held, and that are or may be any moment
	active        int             // conversations that somebody has
	idle          chan struct{}   // closed while active is 0
	stats         Stats           // what is counted, and the Problem
}

// place is a chunk of a conversation.
type place struct {
	id    string
	chunk int
}

// ErrRoom says that a conversation does not find room in memory.
var ErrRoom = errors.New("the conversation does not find room in memory")

// New opens the folder. Where that cannot be used, conversations live in memory alone,
// and Stats.Problem says why.
func New(o Options) *Manager {
	m := &Manager{options: o, conversations: map[string]*conversation{}, idle: make(chan struct{})}
	close(m.idle)
	m.background, m.end = context.WithCancel(context.Background())
	m.lease = o.Memory.Lease(m.yield)
	if o.Folder == "" {
		return m
	}
	d, err := disk.Open(disk.Options{
		Folder: o.Folder, Model: o.Model, Layout: layoutOf(o.Decoder.ConversationShape()), Quota: o.Quota,
		ReadRate: o.ReadRate, WriteRate: o.WriteRate,
	})
	if err != nil {
		m.stats.Problem = fmt.Sprintf("conversations are computed again by the next dowse: %v", err)
		return m
	}
	m.disk = d
	return m
}

// layoutOf is how long chunks of a shape are.
func layoutOf(shape kv.Shape) disk.Layout {
	l := disk.Layout{ChunkTokens: shape.ChunkTokens, Groups: map[kv.Level][kv.Groups]int{}}
	for _, level := range kv.Levels {
		var sizes [kv.Groups]int
		for g := range sizes {
			from, to := shape.GroupBytes(g, level)
			sizes[g] = to - from
		}
		l.Groups[level] = sizes
	}
	return l
}

// first is what the first chunk of every conversation follows.
func (m *Manager) first() disk.ChunkID {
	if m.disk == nil {
		return disk.ChunkID{}
	}
	return m.disk.ModelID()
}

// Focus begins to load a conversation that is about to be called, and returns.
func (m *Manager) Focus(id string) {
	if !m.keeps() {
		return // it would stand in the way of the next question
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if c := m.conversations[id]; c != nil && c.taken {
		return // it is called, loaded or written: it is there
	}
	ctx, stop := context.WithCancel(m.background)
	c := m.hold(id)
	c.stop = stop
	m.working.Add(1)
	go func() {
		defer m.working.Done()
		defer stop()
		_, err := m.load(ctx, c, 0)
		m.release(c)
		if err != nil && ctx.Err() == nil {
			m.report(fmt.Errorf("a conversation could not be loaded: %w", err))
		}
	}()
}

// Delete stops the work on a conversation, waits for its call, and erases it, in memory
// and on the disk. It returns how many bytes were on the disk.
func (m *Manager) Delete(ctx context.Context, id string) (bytes int64, err error) {
	c, err := m.take(ctx, id, stopAll)
	if err != nil {
		return 0, err
	}
	defer m.release(c)
	m.mu.Lock()
	c.deleted = true
	m.mu.Unlock()
	bytes = m.onDisk(id)
	if err = c.free(); m.disk != nil {
		err = errors.Join(err, m.disk.Delete(id))
	}
	return bytes, err
}

// Drain waits until nobody has a conversation: all that was to be written or loaded in
// the background is.
func (m *Manager) Drain(ctx context.Context) error {
	m.mu.Lock()
	idle := m.idle
	m.mu.Unlock()
	select {
	case <-idle:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Close stops what goes on in the background, where chunks that were not written are
// lost and computed again, and gives everything back. No conversation may be open.
func (m *Manager) Close() error {
	if m == nil {
		return nil
	}
	m.end()
	m.working.Wait()
	var err error
	for _, c := range m.conversations {
		err = errors.Join(err, c.free())
	}
	m.lease.Give()
	if m.disk != nil {
		err = errors.Join(err, m.disk.Close())
	}
	return err
}
