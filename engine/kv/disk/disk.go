package disk

import (
	"context"
	"errors"
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

// Layout is how long chunks are.
type Layout struct {
	ChunkTokens int
	// Groups holds for each level the bytes of each group of layers, in the order in
	// which they lie in a chunk.
	Groups map[kv.Level][kv.Groups]int
}

// Errors that callers tell apart.
var (
	// ErrInUse says that another process has the folder.
	ErrInUse = errors.New("another dowse keeps conversations here")
	// ErrFull says that the disk has no room. What was there before is still there.
	ErrFull = errors.New("the disk is full")
	// ErrMissing says that a chunk is not on the disk.
	ErrMissing = errors.New("no such chunk on the disk")
	// ErrDamaged says that the bytes of a chunk are not those that were put. It counts
	// as missing from then on.
	ErrDamaged = errors.New("a chunk on the disk is damaged")
	// ErrUnknown says that there is no conversation of that name.
	ErrUnknown = errors.New("no such conversation")
)

// Owned is a chunk of a conversation, whether or not its keys and values are on the
// disk.
type Owned struct {
	ID      ChunkID
	Level   kv.Level // that the conversation asked for
	Density float32  // of information, as the conversation last gave it
}

// Chunk is a complete chunk that is put.
type Chunk struct {
	Position int // number of the chunk in its conversation
	ID       ChunkID
	Level    kv.Level
	Density  float32
	Data     []byte // all layers; nil for what is already on the disk, or need not be
}

// Entry is a chunk on the disk.
type Entry struct {
	Level kv.Level // that it lies in; at least what each of its owners asked for
	Bytes int
}

// Conversation is what is known of one without reading it.
type Conversation struct {
	Name   string
	Tokens int
	Chunks int // complete ones that were put, on the disk or not
	Stored int // those on the disk
	Bytes  int64
	Used   time.Time
}

// Disk keeps conversations in a folder. Its methods may be called at the same time.
type Disk struct{}

var errNotYet = errors.New("not written yet")

// Open opens or makes the folder and takes its lock. An ErrInUse is wrapped where
// another process has that.
func Open(Options) (*Disk, error) { return nil, errNotYet }

// Close gives the lock back.
func (d *Disk) Close() error { return errNotYet }

// ModelID is what the first chunk of every conversation follows.
func (d *Disk) ModelID() ChunkID { return ChunkID{} }

// Conversations lists the conversations by name.
func (d *Disk) Conversations() []Conversation { return nil }

// Tokens returns the tokens of a conversation. One that is not there has none.
func (d *Disk) Tokens(name string) ([]int32, error) { return nil, errNotYet }

// Chunks returns the chunks of a conversation that were put, by position.
func (d *Disk) Chunks(name string) ([]Owned, error) { return nil, errNotYet }

// Append adds tokens to a conversation, which is made where there is none. They are
// on the disk when it returns.
func (d *Disk) Append(name string, tokens []int32) error { return errNotYet }

// Truncate keeps the first n tokens of a conversation and the chunks that lie within
// them. That is on the disk when it returns.
func (d *Disk) Truncate(name string, n int) error { return errNotYet }

// Put makes chunks of one conversation its own, and writes those with Data that are
// not on the disk in that level or a higher one. A chunk of a position that has one
// already takes its place: that is how a chunk is lowered. Neighbours are written at
// once and lie one after the other. What the quota has no room for is left out
// without an error: Find says what is there.
func (d *Disk) Put(name string, chunks []Chunk) error { return errNotYet }

// Find returns what is on the disk of a chunk.
func (d *Disk) Find(id ChunkID) (Entry, bool) { return Entry{}, false }

// Read reads a group of layers of a chunk to dst, which is as long as the group, and
// checks it.
func (d *Disk) Read(ctx context.Context, id ChunkID, group int, dst []byte) error { return errNotYet }

// ReadMany reads whole chunks, those of neighbours at once. dsts are as long as the
// chunks. It returns an error for each chunk, nil for those that were read.
func (d *Disk) ReadMany(ctx context.Context, ids []ChunkID, dsts [][]byte) []error { return nil }

// Touch says that a conversation is used now, which decides what the quota drops.
func (d *Disk) Touch(name string) error { return errNotYet }

// Delete removes a conversation: its tokens, and the bytes of the chunks that no
// other conversation owns.
func (d *Disk) Delete(name string) error { return errNotYet }
