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

// Options configure a Disk.
type Options struct {
	Folder string // created if need be, for this user alone
	// Model names everything that keys and values depend on: weights, adapter, tokenizer,
	// arithmetic. Open removes files of another model.
	Model  string
	Layout Layout
	// Quota is the most bytes of chunks; 0 is no limit. Logs of tokens are never dropped and
	// do not count.
	Quota int64
	// ReadRate and WriteRate slow the disk to bytes a second, for measurements; 0 is no limit.
	ReadRate, WriteRate int64
}

// Errors that callers distinguish.
var (
	// ErrInUse says that another process has the folder.
	ErrInUse = errors.New("another dowse keeps conversations there, and only one at a time may")
	// ErrFull says that the disk has no room. Earlier content is still there.
	ErrFull = errors.New("the disk is full")
	// ErrMissing says that the chunk is not on the disk.
	ErrMissing = errors.New("no such chunk on the disk")
	// ErrDamaged says that the bytes of a chunk are not those that were put. It is missing from now on.
	ErrDamaged = errors.New("a chunk on the disk is damaged")
	// ErrUnknown says that there is no conversation of that name.
	ErrUnknown = errors.New("no such conversation on the disk")
	// ErrNothing says that the folder holds no conversations that this version can read.
	ErrNothing = errors.New("no conversations are kept there")
)

// Entry is a chunk on the disk.
type Entry struct {
	// Level is the level on the disk: at least that of each owner, unless the quota or a
	// crash left the higher one out. A chunk at too low a level is as good as missing.
	Level   kv.Level
	Density float32 // as its first owner gave it
}

// Conversation sums up a conversation.
type Conversation struct {
	Name   string
	Tokens int
	Bytes  int64 // on the disk, of the log and of chunks, shared ones included
}

// Disk keeps conversations in a folder. Its methods are safe for concurrent use.
type Disk struct {
	folder  string
	key     ChunkID
	layout  Layout
	quota   int64
	unlock  func() error
	reads   *throttle
	writes  *throttle
	file    *os.File // the slots
	repairs repairs

	// work is held by every writer, mu only while the maps change, so reads never wait for
	// writes.
	work          sync.Mutex
	index         log    // of slots; guarded by work
	pending       []byte // records that the index had no room for; guarded by work
	space         space  // of slots; guarded by work
	mu            sync.RWMutex
	conversations map[string]*conversation
	chunks        map[ChunkID]*chunk
}

// chunk is the slot of a chunk, if it is stored, and its owners.
type chunk struct {
	slot
	owners []owner
}

// owner is a chunk's place in a conversation.
type owner struct {
	conv     *conversation
	position int
}

func (o owner) level() kv.Level { return o.conv.chunks[o.position].Level }

// used returns the last use of an owner.
func (c *chunk) used() (last time.Time) {
	for _, o := range c.owners {
		if o.conv.used.After(last) {
			last = o.conv.used
		}
	}
	return last
}

// levelOfOthers returns the highest level that an owner other than conv asked for, or 0.
func (c *chunk) levelOfOthers(conv *conversation) (most kv.Level) {
	for _, o := range c.owners {
		if o.conv != conv {
			most = max(most, o.level())
		}
	}
	return most
}

// ModelID returns the predecessor of every conversation's first chunk, for NextID.
func (d *Disk) ModelID() ChunkID { return d.key }

// Layout returns the sizes of chunks.
func (d *Disk) Layout() Layout { return d.layout }

// Bytes returns the bytes of all chunks on the disk.
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

// Conversation sums up a conversation; zero if there is no such name.
func (d *Disk) Conversation(name string) Conversation {
	d.mu.RLock()
	defer d.mu.RUnlock()
	if conv := d.conversations[name]; conv != nil {
		return d.describe(conv)
	}
	return Conversation{}
}

// describe sums up a conversation. The caller holds mu.
func (d *Disk) describe(conv *conversation) Conversation {
	c := Conversation{Name: conv.name, Tokens: conv.tokens, Bytes: conv.bytes}
	for _, o := range conv.chunks {
		if of := d.chunks[o.ID]; of.stored() {
			c.Bytes += of.pages * pageBytes
		}
	}
	return c
}

// Tokens returns the tokens of a conversation, none for an unknown one.
func (d *Disk) Tokens(name string) ([]int32, error) {
	d.mu.RLock()
	conv := d.conversations[name]
	if conv == nil {
		d.mu.RUnlock()
		return nil, nil
	}
	path, bytes, count := conv.log.path, conv.bytes, conv.tokens
	d.mu.RUnlock()
	c, whole, err := readContent(path, bytes, &d.layout) // excludes tokens appended meanwhile
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil // deleted meanwhile
	}
	if err != nil {
		return nil, fmt.Errorf("read the tokens of a conversation: %w", err)
	}
	if int64(whole) < bytes || len(c.tokens) != count {
		return nil, fmt.Errorf("%s is damaged: it has %d whole bytes and %d tokens, want %d and %d; after a restart it ends there", path, whole, len(c.tokens), bytes, count)
	}
	return c.tokens, nil
}

// Chunks returns the named chunks of a conversation by position, none for an unknown one.
func (d *Disk) Chunks(name string) []Owned {
	d.mu.RLock()
	defer d.mu.RUnlock()
	if conv := d.conversations[name]; conv != nil {
		return slices.Clone(conv.chunks)
	}
	return nil
}

// Find returns the stored form of a chunk.
func (d *Disk) Find(id ChunkID) (Entry, bool) {
	d.mu.RLock()
	defer d.mu.RUnlock()
	c := d.chunks[id]
	if c == nil || !c.stored() {
		return Entry{}, false
	}
	e := Entry{Level: c.level}
	if len(c.owners) > 0 { // else it is being deleted
		first := c.owners[0]
		e.Density = first.conv.chunks[first.position].Density
	}
	return e, true
}

// use updates a conversation and its time of use, which the log's modification time keeps
// across restarts.
func (d *Disk) use(conv *conversation, tokens int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	conv.used, conv.bytes, conv.tokens = time.Now(), conv.log.size, tokens
}

// Close waits for writes under way and releases the folder.
func (d *Disk) Close() error {
	d.work.Lock()
	defer d.work.Unlock()
	return errors.Join(d.file.Close(), d.unlock())
}
