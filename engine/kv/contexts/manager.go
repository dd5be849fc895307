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

// Options configure a Manager.
type Options struct {
	Decoder *transformer.Decoder
	// Memory is the budget shared with models; nil is unlimited. Own bytes of the decoder's own
	// lease are free for the conversation that is called, while no other sequence uses them.
	Memory *memory.Arbiter
	Own    int64

	// Disk keeps conversations across processes, opened for this model and the Layout of its
	// decoder's conversations; nil for none. The caller closes it.
	Disk *disk.Disk
	// Ratio is the mean share of their 8-bit bytes for chunks before the last few; 0 lowers
	// none.
	Ratio float64
}

// Manager keeps the conversations of one model. It is safe for concurrent use.
type Manager struct {
	options Options
	disk    *disk.Disk // nil: conversations are in memory only
	meter   *kv.Meter  // the decoder's, which also knows the cost of prompts
	lease   *memory.Lease
	working sync.WaitGroup

	// Ends background work.
	background context.Context
	end        context.CancelFunc

	mu            sync.Mutex // guards the fields below and free conversations
	conversations map[string]*conversation
	queue         kv.Queue[place] // chunks in memory
	granted, held int64           // bytes of the lease, and bytes in use or about to be
	active        int             // taken conversations
	idle          chan struct{}   // closed while active is 0
	stats         Stats           // counts, and the Problem
}

type place struct {
	id    string
	chunk int
}

// ErrRoom says that a conversation does not fit into memory.
var ErrRoom = errors.New("the conversation does not find room in memory")

// New returns a manager of the conversations on the disk and of new ones.
func New(o Options) *Manager {
	m := &Manager{options: o, disk: o.Disk, meter: o.Decoder.Meter(), conversations: map[string]*conversation{}, idle: make(chan struct{})}
	if m.disk != nil {
		if kept, there := m.disk.Profile(); there {
			m.meter.Begin(kept)
		}
	}
	close(m.idle)
	m.background, m.end = context.WithCancel(context.Background())
	m.lease = o.Memory.Lease(m.yield)
	return m
}

// Layout returns the disk layout of conversations with keys and values of a shape.
func Layout(shape kv.Shape) disk.Layout { return disk.LayoutOf(shape, kv.Levels[:]...) }

// first returns the predecessor of every conversation's first chunk.
func (m *Manager) first() disk.ChunkID {
	if m.disk == nil {
		return disk.ChunkID{}
	}
	return m.disk.ModelID()
}

// Focus starts loading a conversation that is about to be called.
func (m *Manager) Focus(id string) {
	if !m.keeps() {
		return // it would delay the next question
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if c := m.conversations[id]; c != nil && c.taken {
		return // it is called, loaded or written, so in memory
	}
	ctx, stop := context.WithCancel(m.background)
	c := m.hold(id)
	c.stop = stop
	m.working.Add(1)
	go func() {
		defer m.working.Done()
		defer stop()
		done, err := m.load(ctx, c, 0)
		c.ahead.Read += done.ReadTokens
		c.ahead.Computed += done.Tokens + done.Appended
		if err == nil && done.Appended > 0 {
			m.mu.Lock()
			c.writing = true
			m.mu.Unlock()
			m.write(ctx, c)
		}
		m.release(c)
		if err != nil && ctx.Err() == nil {
			m.report(fmt.Errorf("a conversation could not be loaded: %w", err))
		}
	}()
}

// Interrupt stops loading in the background, for a caller that needs the model now.
func (m *Manager) Interrupt() {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, c := range m.conversations {
		if c.stop != nil && !c.writing {
			c.stop()
		}
	}
}

// Delete stops work on a conversation, waits for its call, and erases it from memory and disk.
// It returns the bytes that were on the disk.
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
		if gone := m.disk.Delete(id); !errors.Is(gone, disk.ErrUnknown) {
			err = errors.Join(err, gone)
		}
	}
	return bytes, err
}

// Drain waits until no conversation is taken, so that background work is done.
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

// Close stops background work and frees everything. Unwritten chunks are lost, to be computed
// again. No conversation may be open.
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
		if p := m.meter.Profile(); p != kv.UsualProfile {
			_ = m.disk.KeepProfile(p) // a lost one is measured again
		}
	}
	return err
}

// What take stops.
const (
	stopWriting = false
	stopAll     = true
)

// take waits until a conversation is free and holds it until release. It stops a background
// write, and a background load too if all is set.
func (m *Manager) take(ctx context.Context, id string, all bool) (*conversation, error) {
	for {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		m.mu.Lock()
		c := m.conversations[id]
		if c == nil || !c.taken {
			c = m.hold(id)
			m.mu.Unlock()
			return c, nil
		}
		if c.stop != nil && (all || c.writing) {
			c.stop()
		}
		released := c.released
		m.mu.Unlock()
		select {
		case <-released:
		case <-ctx.Done():
		}
	}
}

// hold marks a free conversation as taken. The caller holds mu.
func (m *Manager) hold(id string) *conversation {
	c := m.conversations[id]
	if c == nil {
		c = &conversation{id: id}
		m.conversations[id] = c
	}
	c.taken, c.released = true, make(chan struct{})
	if m.active++; m.active == 1 {
		m.idle = make(chan struct{})
		m.lease.Busy()
	}
	return c
}

// release frees a conversation. Once all are free, the manager's lease is idle.
func (m *Manager) release(c *conversation) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.settle(c)
	c.taken, c.writing, c.stop = false, false, nil
	close(c.released)
	if c.deleted || len(c.tokens) == 0 {
		delete(m.conversations, c.id)
	}
	if m.active--; m.active == 0 {
		m.shrink()
		m.lease.Idle()
		close(m.idle)
	}
}
