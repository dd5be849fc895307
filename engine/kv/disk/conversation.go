package disk

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"time"

	"dowse/engine/kv"
)

// Owned is a chunk of a conversation, stored or not.
type Owned struct {
	ID      ChunkID
	Level   kv.Level // as the conversation asked for
	Density float32  // information density, as the conversation last gave it
}

// conversation is the log of a conversation, as held in memory.
type conversation struct {
	name string
	log  log // changes with Disk.work held; the fields below with Disk.mu, too

	bytes  int64 // of the log on the disk
	tokens int
	chunks []Owned
	used   time.Time
}

// Records of a conversation's log. Tokens and truncations are synced before their caller is told.
const (
	kindConversation = 'c' // header: key of the meta, name
	kindTokens       = 't' // appended tokens, a uvarint each
	kindTruncate     = 'x' // number of tokens that stay, a uvarint, and the chunks within them
	kindChunks       = 'k' // position of the first chunk, a uvarint, and chunks
)

const logSuffix = ".tokens"

// logPath returns the file of a conversation. Its name is hashed, since it may hold anything;
// the header has it.
func logPath(folder, name string) string {
	of := sha256.Sum256([]byte(name))
	return filepath.Join(folder, hex.EncodeToString(of[:16])+logSuffix)
}

func appendConversationHeader(dst []byte, key ChunkID, name string) []byte {
	return appendRecord(dst, kindConversation, func(b []byte) []byte { return append(append(b, key[:]...), name...) })
}

func appendTokens(dst []byte, tokens []int32) []byte {
	return appendRecord(dst, kindTokens, func(b []byte) []byte {
		for _, token := range tokens {
			b = binary.AppendUvarint(b, uint64(uint32(token)))
		}
		return b
	})
}

func appendTruncate(dst []byte, n int) []byte {
	return appendRecord(dst, kindTruncate, func(b []byte) []byte { return binary.AppendUvarint(b, uint64(n)) })
}

const ownedBytes = len(ChunkID{}) + 1 + 4

func appendOwned(dst []byte, first int, chunks []Owned) []byte {
	return appendRecord(dst, kindChunks, func(b []byte) []byte {
		b = binary.AppendUvarint(b, uint64(first))
		for _, c := range chunks {
			b = append(append(b, c.ID[:]...), byte(c.Level))
			b = binary.LittleEndian.AppendUint32(b, math.Float32bits(c.Density))
		}
		return b
	})
}

// content is the content of a conversation's log.
type content struct {
	key    ChunkID
	name   string
	tokens []int32
	chunks []Owned
}

// readContent reads the first bytes of a conversation's log and returns how many of them are
// valid, 0 if it is no such log.
func readContent(path string, bytes int64, layout *Layout) (c content, whole int, err error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return c, 0, err
	}
	data = data[:min(int64(len(data)), bytes)]
	whole = replay(data, func(payload []byte) bool {
		if payload[0] == kindConversation || c.name == "" {
			return c.name == "" && c.header(payload)
		}
		return c.apply(payload, layout)
	})
	return c, whole, nil
}

func (c *content) header(payload []byte) bool {
	if payload[0] != kindConversation || len(payload) <= 1+len(c.key) {
		return false
	}
	c.name = string(payload[1+copy(c.key[:], payload[1:]):])
	return true
}

// apply applies a record behind the header and reports whether it is valid.
func (c *content) apply(payload []byte, layout *Layout) bool {
	kind, rest := payload[0], payload[1:]
	if kind == kindTokens {
		return c.applyTokens(rest)
	}
	value, n := binary.Uvarint(rest)
	if n <= 0 || value > uint64(len(c.tokens)) {
		return false
	}
	switch kind {
	case kindTruncate:
		c.truncate(int(value), layout)
		return true
	case kindChunks:
		return c.applyOwned(int(value), rest[n:], layout)
	}
	return false
}

// truncate keeps the first n tokens and the complete chunks within them.
func (c *content) truncate(n int, layout *Layout) {
	c.tokens = c.tokens[:min(n, len(c.tokens))]
	c.chunks = c.chunks[:min(len(c.chunks), n/layout.ChunkTokens)]
}

func (c *content) applyTokens(b []byte) bool {
	had := len(c.tokens)
	for len(b) > 0 {
		token, n := binary.Uvarint(b)
		if n <= 0 || token > math.MaxUint32 {
			c.tokens = c.tokens[:had]
			return false
		}
		c.tokens, b = append(c.tokens, int32(uint32(token))), b[n:]
	}
	return true
}

func (c *content) applyOwned(first int, b []byte, layout *Layout) bool {
	count := len(b) / ownedBytes
	if len(b)%ownedBytes != 0 || first > len(c.chunks) || count > 0 && (first+count-1)*layout.ChunkTokens >= len(c.tokens) {
		return false
	}
	for i := range count {
		var o Owned
		b = b[copy(o.ID[:], b):]
		o.Level, o.Density = kv.Level(b[0]), math.Float32frombits(binary.LittleEndian.Uint32(b[1:]))
		b = b[5:]
		if first+i < len(c.chunks) {
			c.chunks[first+i] = o
		} else {
			c.chunks = append(c.chunks, o)
		}
	}
	return true
}

// encode returns the records of the shortest log of this content.
func (c *content) encode() []byte {
	b := appendTokens(appendConversationHeader(nil, c.key, c.name), c.tokens)
	if len(c.chunks) > 0 {
		b = appendOwned(b, 0, c.chunks)
	}
	return b
}

// openConversation reads a log, cuts off an incomplete end, and rewrites a log that is mostly
// superseded. ok is false for a log of another model or version.
func openConversation(path string, key ChunkID, layout *Layout) (conv *conversation, cut, ok bool, err error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, false, false, err
	}
	c, whole, err := readContent(path, info.Size(), layout)
	if err != nil || whole == 0 || c.key != key || logPath(filepath.Dir(path), c.name) != path {
		return nil, false, false, err
	}
	conv = &conversation{name: c.name, log: log{path: path, size: int64(whole)}, tokens: len(c.tokens), chunks: c.chunks, used: info.ModTime()}
	if cut = info.Size() > int64(whole); cut {
		if err := conv.log.cut(); err != nil {
			return nil, false, false, fmt.Errorf("what a crash left at the end of a log: %w", err)
		}
	}
	if short := c.encode(); whole > wasted*len(short)+pageBytes {
		// A full disk keeps the long one, which is as good.
		if l, err := createLog(path, short); err == nil {
			conv.log = l
		}
	}
	conv.bytes = conv.log.size
	return conv, cut, true, os.Chtimes(path, time.Time{}, conv.used)
}

// wasted is the factor over the shortest form from which a log is rewritten.
const wasted = 3

// Append adds tokens to a conversation, creating it if need be. They are durable when it
// returns; after an error none of them is.
func (d *Disk) Append(name string, tokens []int32) error {
	d.work.Lock()
	defer d.work.Unlock()
	conv := d.conversations[name]
	if conv == nil {
		return d.begin(name, tokens)
	}
	if err := conv.log.append(appendTokens(nil, tokens), true); err != nil {
		return fmt.Errorf("tokens of a conversation: %w", err)
	}
	d.use(conv, conv.tokens+len(tokens))
	return nil
}

func (d *Disk) begin(name string, tokens []int32) error {
	if name == "" {
		return fmt.Errorf("tokens of a conversation: %w: it has no name", ErrUnknown)
	}
	made := content{key: d.key, name: name, tokens: tokens}
	l, err := createLog(logPath(d.folder, name), made.encode())
	if err != nil {
		return fmt.Errorf("tokens of a conversation: %w", err)
	}
	conv := &conversation{name: name, log: l}
	d.use(conv, len(tokens))
	d.mu.Lock()
	defer d.mu.Unlock()
	d.conversations[name] = conv
	return nil
}

// Truncate keeps the first n tokens of a conversation and the complete chunks within them,
// durably. The log is rewritten without the others, except on a full disk, where they stay
// until there is room.
func (d *Disk) Truncate(name string, n int) error {
	d.work.Lock()
	defer d.work.Unlock()
	conv := d.conversations[name]
	if conv == nil {
		return ErrUnknown
	}
	if n < 0 || n > conv.tokens {
		return fmt.Errorf("keep %d of a conversation's %d tokens", n, conv.tokens)
	}
	if err := d.shorten(conv, n); err != nil {
		return fmt.Errorf("tokens of a conversation: %w", err)
	}
	d.use(conv, n)
	d.mu.Lock()
	loose := d.disown(conv, min(len(conv.chunks), n/d.layout.ChunkTokens))
	d.mu.Unlock()
	return d.free(loose)
}

// shorten rewrites the log of a conversation with its first n tokens, or on a full disk
// appends a truncation.
func (d *Disk) shorten(conv *conversation, n int) error {
	c, _, err := readContent(conv.log.path, conv.log.size, &d.layout)
	if err != nil {
		return err
	}
	c.truncate(n, &d.layout)
	l, err := createLog(conv.log.path, c.encode())
	switch {
	case err == nil:
		conv.log = l
	case errors.Is(err, ErrFull):
		return conv.log.append(appendTruncate(nil, n), true)
	default: // the file may be the new one already
		conv.log.broken = fmt.Errorf("%s could not be written anew: %w; it goes on after a restart", conv.log.path, err)
	}
	return err
}
