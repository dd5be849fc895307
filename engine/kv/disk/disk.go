package disk

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"dowse/engine/kv"
)

// Options say where a Disk lies and what it keeps.
type Options struct {
	Folder string // made if need be, for this user alone
	// Model names all that keys and values depend on: weights, adapter, tokenizer,
	// arithmetic. What another model left in the folder is removed.
	Model  string
	Layout Layout
	// Quota is the most bytes that chunks may take; 0 is no limit. Logs of tokens are
	// never dropped and do not count.
	Quota int64
	// ReadRate and WriteRate are the most bytes of chunks a second, for measurements of
	// slow disks; 0 is no limit.
	ReadRate, WriteRate int64
}

// Errors that callers tell apart.
var (
	// ErrInUse says that another process has the folder.
	ErrInUse = errors.New("another dowse keeps conversations there, and only one at a time may")
	// ErrFull says that the disk has no room. What was there before is still there.
	ErrFull = errors.New("the disk is full")
	// ErrMissing says that a chunk is not on the disk.
	ErrMissing = errors.New("no such chunk on the disk")
	// ErrDamaged says that the bytes of a chunk are not those that were put. It counts
	// as missing from then on.
	ErrDamaged = errors.New("a chunk on the disk is damaged")
	// ErrUnknown says that there is no conversation of that name.
	ErrUnknown = errors.New("no such conversation on the disk")
	// ErrNothing says that a folder holds no conversations that this version can read.
	ErrNothing = errors.New("no conversations are kept there")
)

// Entry is a chunk on the disk.
type Entry struct {
	// Level is what it lies in: at least what each of its owners asked for, unless the
	// quota or a crash left the higher one out. Too low a level is as good as missing.
	Level kv.Level
	Bytes int
	// Density is what the first of its owners gave it.
	Density float32
}

// Conversation is what is known of one without reading it.
type Conversation struct {
	Name   string
	Tokens int
	Chunks int   // that were put, on the disk or not
	Stored int   // those on the disk
	Bytes  int64 // that those take there, shared ones included, and the log
	Used   time.Time
}

// Disk keeps conversations in a folder. Its methods may be called at the same time.
type Disk struct {
	folder  string
	key     ChunkID
	layout  Layout
	quota   int64
	unlock  func() error
	reads   *Throttle
	writes  *Throttle
	file    *os.File // the slots
	repairs Repairs

	// work is held by whoever changes anything, mu for the moment in which the maps
	// change. So reads never wait for writes.
	work          sync.Mutex
	index         log    // of slots; guarded by work
	unsaid        []byte // records that the index had no room for; guarded by work
	space         space  // of slots; guarded by work
	mu            sync.RWMutex
	conversations map[string]*conversation
	chunks        map[ChunkID]*chunk
	left          int64 // chunks that the quota had no room for or dropped, since Open
}

// chunk is the keys and values of an id: where they lie, if on the disk, and whose
// they are.
type chunk struct {
	slot
	owners []owner
}

// owner is a place in a conversation where a chunk is.
type owner struct {
	conv     *conversation
	position int
}

func (o owner) level() kv.Level { return o.conv.chunks[o.position].Level }

// used returns when the last of the owners was.
func (c *chunk) used() (last time.Time) {
	for _, o := range c.owners {
		if o.conv.used.After(last) {
			last = o.conv.used
		}
	}
	return last
}

// levelOfOthers returns the highest level that an owner other than conv asked for, 0 if there
// is none.
func (c *chunk) levelOfOthers(conv *conversation) (most kv.Level) {
	for _, o := range c.owners {
		if o.conv != conv {
			most = max(most, o.level())
		}
	}
	return most
}

// ModelID returns what the first chunk of every conversation follows.
func (d *Disk) ModelID() ChunkID { return d.key }

// Layout returns how long chunks are.
func (d *Disk) Layout() Layout { return d.layout }

// Bytes returns what all chunks take on the disk.
func (d *Disk) Bytes() int64 {
	d.mu.RLock()
	defer d.mu.RUnlock()
	return d.bytes()
}

func (d *Disk) bytes() (total int64) {
	for _, c := range d.chunks {
		total += c.pages * pageBytes
	}
	return total
}

// LeftOut returns how many chunks the quota had no room for, or dropped, since the Disk
// was opened. Their tokens are kept.
func (d *Disk) LeftOut() int64 {
	d.mu.RLock()
	defer d.mu.RUnlock()
	return d.left
}

// Conversations lists the conversations by name.
func (d *Disk) Conversations() []Conversation {
	d.mu.RLock()
	defer d.mu.RUnlock()
	all := make([]Conversation, 0, len(d.conversations))
	for _, conv := range d.conversations {
		all = append(all, d.describe(conv))
	}
	slices.SortFunc(all, func(a, b Conversation) int { return strings.Compare(a.Name, b.Name) })
	return all
}

// Conversation returns one of them. It is zero for a name that none has.
func (d *Disk) Conversation(name string) Conversation {
	d.mu.RLock()
	defer d.mu.RUnlock()
	if conv := d.conversations[name]; conv != nil {
		return d.describe(conv)
	}
	return Conversation{}
}

// describe is what is known of a conversation. The caller holds mu.
func (d *Disk) describe(conv *conversation) Conversation {
	c := Conversation{Name: conv.name, Tokens: conv.tokens, Chunks: len(conv.chunks), Bytes: conv.bytes, Used: conv.used}
	for _, o := range conv.chunks {
		if of := d.chunks[o.ID]; of.there() {
			c.Stored++
			c.Bytes += of.pages * pageBytes
		}
	}
	return c
}

// Tokens returns the tokens of a conversation. One that is not there has none.
func (d *Disk) Tokens(name string) ([]int32, error) {
	d.mu.RLock()
	conv := d.conversations[name]
	if conv == nil {
		d.mu.RUnlock()
		return nil, nil
	}
	path, bytes, count := conv.log.path, conv.bytes, conv.tokens
	d.mu.RUnlock()
	c, whole, err := readContent(path, bytes, &d.layout) // what is appended meanwhile lies behind
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil // it is being deleted
	}
	if err != nil {
		return nil, fmt.Errorf("read the tokens of a conversation: %w", err)
	}
	if int64(whole) < bytes || len(c.tokens) != count {
		return nil, fmt.Errorf("%s is damaged: it has %d whole bytes and %d tokens, want %d and %d; after a restart it ends there", path, whole, len(c.tokens), bytes, count)
	}
	return c.tokens, nil
}

// Chunks returns the chunks of a conversation that were put, by position. One that is
// not there has none.
func (d *Disk) Chunks(name string) []Owned {
	d.mu.RLock()
	defer d.mu.RUnlock()
	if conv := d.conversations[name]; conv != nil {
		return slices.Clone(conv.chunks)
	}
	return nil
}

// Find returns what is on the disk of a chunk.
func (d *Disk) Find(id ChunkID) (Entry, bool) {
	d.mu.RLock()
	defer d.mu.RUnlock()
	c := d.chunks[id]
	if c == nil || !c.there() {
		return Entry{}, false
	}
	e := Entry{Level: c.level, Bytes: d.layout.Bytes(c.level)}
	if len(c.owners) > 0 { // else it is being deleted
		first := c.owners[0]
		e.Density = first.conv.chunks[first.position].Density
	}
	return e, true
}

// Touch says that a conversation is used now, which decides what the quota drops.
func (d *Disk) Touch(name string) error {
	d.work.Lock()
	defer d.work.Unlock()
	conv := d.conversations[name]
	if conv == nil {
		return ErrUnknown
	}
	d.use(conv, conv.tokens)
	return os.Chtimes(conv.log.path, time.Time{}, conv.used)
}

// use says that a conversation is used now, and what its log holds. The file remembers
// that by the time at which it changed.
func (d *Disk) use(conv *conversation, tokens int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	conv.used, conv.bytes, conv.tokens = time.Now(), conv.log.size, tokens
}

// Close waits for what is under way, and gives the lock back.
func (d *Disk) Close() error {
	d.work.Lock()
	defer d.work.Unlock()
	return errors.Join(d.file.Close(), d.unlock())
}
