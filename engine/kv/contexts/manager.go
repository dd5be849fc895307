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

	// Disk is where conversations outlast this process, opened for this model and the
	// Layout of its decoder's conversations; nil for nowhere. It stays the caller's.
	Disk *disk.Disk
	// Ratio is the part of their bytes at 8 bits that full chunks behind the last few
	// may have in the mean; 0 leaves all of them at 8 bits.
	Ratio     float64
	Objective kv.Objective
	// Meter follows what bringing chunks back takes on this machine; nil for that of the
	// decoder, which knows what prompts take, and begins with what the disk kept of it.
	Meter *kv.Meter
}

// Manager keeps the conversations of one model. Its methods may be called from several
// goroutines.
type Manager struct {
	options Options
	disk    *disk.Disk // nil: conversations live in memory alone
	meter   *kv.Meter
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

// New returns a manager of the conversations that the disk has, and of new ones.
func New(o Options) *Manager {
	m := &Manager{options: o, disk: o.Disk, meter: o.Meter, conversations: map[string]*conversation{}, idle: make(chan struct{})}
	if m.meter == nil {
		m.meter = o.Decoder.Meter()
		if m.disk != nil {
			if kept, there := m.disk.Profile(); there {
				m.meter.Begin(kept)
			}
		}
	}
	close(m.idle)
	m.background, m.end = context.WithCancel(context.Background())
	m.lease = o.Memory.Lease(m.yield)
	return m
}

// Layout is how long chunks of conversations are, whose keys and values have that shape.
func Layout(shape kv.Shape) disk.Layout { return disk.LayoutOf(shape, kv.Levels[:]...) }

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

// Interrupt stops what is loaded in the background, since somebody else needs the model
// now.
func (m *Manager) Interrupt() {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, c := range m.conversations {
		if c.stop != nil && !c.writing {
			c.stop()
		}
	}
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
		if gone := m.disk.Delete(id); !errors.Is(gone, disk.ErrUnknown) {
			err = errors.Join(err, gone)
		}
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
	if m.disk != nil && m.options.Meter == nil {
		if p := m.meter.Profile(); p != kv.UsualProfile {
			_ = m.disk.KeepProfile(p) // what a full disk does not keep is measured again
		}
	}
	return err
}
