package disk

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"time"

	"dowse/engine/kv"
)

// Owned is a chunk of a conversation, whether or not its keys and values are on the
// disk.
type Owned struct {
	ID      ChunkID
	Level   kv.Level // that the conversation asked for
	Density float32  // of information, as the conversation last gave it
}

// conversation is what is held in memory of the log of one.
type conversation struct {
	name string
	log  log // changes with Disk.work held; what follows with Disk.mu, too

	bytes  int64 // of the log that are on the disk
	tokens int
	chunks []Owned
	used   time.Time
}

// Records of the log of a conversation. One that is whole has happened; what it says
// of tokens was on the disk before anybody was told so.
const (
	kindConversation = 'c' // header: the key of the folder's meta, the name
	kindTokens       = 't' // tokens that follow, a uvarint each
	kindTruncate     = 'x' // only that many tokens stay, a uvarint, and the chunks within them
	kindChunks       = 'k' // the position of the first chunk, a uvarint, and chunks
)

// logSuffix ends the names of conversations' logs.
const logSuffix = ".tokens"

// logPath returns the file of a conversation. The name, which may hold anything,
// stands in the file.
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

// ownedBytes is what a chunk takes in a record.
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

// content is all that the log of a conversation says.
type content struct {
	key    ChunkID
	name   string
	tokens []int32
	chunks []Owned
}

// readContent reads the first bytes of the log of a conversation, and returns how many of
// them are whole. That is 0 if it is no such log.
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
		return c.take(payload, layout)
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

// take adds what a record behind the header says. It reports whether that makes sense.
func (c *content) take(payload []byte, layout *Layout) bool {
	kind, rest := payload[0], payload[1:]
	if kind == kindTokens {
		return c.takeTokens(rest)
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
		return c.takeOwned(int(value), rest[n:], layout)
	}
	return false
}

// truncate keeps the first n tokens, and the complete chunks within them.
func (c *content) truncate(n int, layout *Layout) {
	c.tokens = c.tokens[:min(n, len(c.tokens))]
	c.chunks = c.chunks[:min(len(c.chunks), n/layout.ChunkTokens)]
}

func (c *content) takeTokens(b []byte) bool {
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

func (c *content) takeOwned(first int, b []byte, layout *Layout) bool {
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

// encode returns the records of a log that says the same, and no more.
func (c *content) encode() []byte {
	b := appendTokens(appendConversationHeader(nil, c.key, c.name), c.tokens)
	if len(c.chunks) > 0 {
		b = appendOwned(b, 0, c.chunks)
	}
	return b
}

// openConversation reads a log, and cuts off what a crash left at its end. One in which
// most is of the past is written anew. ok is false for a log of another model, of
// another version, or of nothing.
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
		// A full disk leaves the long one, which is as good.
		if l, err := createLog(path, short); err == nil {
			conv.log = l
		}
	}
	conv.bytes = conv.log.size
	return conv, cut, true, os.Chtimes(path, time.Time{}, conv.used)
}

// wasted is how much longer than need be a log may be before it is written anew.
const wasted = 3
