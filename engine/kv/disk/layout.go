package disk

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"dowse/engine/kv"
	"dowse/internal/atomicfile"
)

// Layout is the sizes of chunks.
type Layout struct {
	ChunkTokens int `json:"chunk_tokens"`
	// Groups holds the bytes of each group of layers by level, in the order of the file.
	Groups map[kv.Level][kv.Groups]int `json:"groups"`
}

// LayoutOf returns the layout of chunks of a shape at some levels.
func LayoutOf(s kv.Shape, levels ...kv.Level) Layout {
	l := Layout{ChunkTokens: s.ChunkTokens, Groups: map[kv.Level][kv.Groups]int{}}
	for _, level := range levels {
		var sizes [kv.Groups]int
		for g := range sizes {
			from, to := s.GroupBytes(g, level)
			sizes[g] = to - from
		}
		l.Groups[level] = sizes
	}
	return l
}

// Bytes returns the bytes of a chunk at a level; 0 for an unknown level.
func (l *Layout) Bytes(level kv.Level) int {
	total := 0
	for _, size := range l.Groups[level] {
		total += size
	}
	return total
}

func (l *Layout) check() error {
	if l.ChunkTokens <= 0 || len(l.Groups) == 0 {
		return errors.New("keys and values: a layout without chunks")
	}
	for level, sizes := range l.Groups {
		for _, size := range sizes {
			if size < 0 {
				return fmt.Errorf("keys and values: a group of %d bytes at %d bits", size, level)
			}
		}
		if size := l.Bytes(level); size == 0 || size > mostChunk {
			return fmt.Errorf("keys and values: a chunk of %d bytes at %d bits", size, level)
		}
	}
	return nil
}

// mostChunk bounds the bytes of a chunk.
const mostChunk = 1 << 30

// formatVersion changes with the format of any file of the folder.
const formatVersion = 1

// meta identifies the content of a folder. Its hash is in the header of every file, so no file
// of another model or format is read.
type meta struct {
	Format int    `json:"format"`
	Model  string `json:"model"`
	Layout Layout `json:"layout"`
}

const metaName = "meta.json"

func (m *meta) encode() ([]byte, error) { return json.Marshal(m) }

func (m *meta) key() (ChunkID, error) {
	data, err := m.encode()
	return sha256.Sum256(data), err
}

// readMeta returns the meta of a folder, or an error that wraps fs.ErrNotExist if there is none
// of this version.
func readMeta(folder string) (m meta, err error) {
	data, err := os.ReadFile(filepath.Join(folder, metaName))
	if err != nil {
		return meta{}, err
	}
	if json.Unmarshal(data, &m) != nil || m.Format != formatVersion || m.Layout.check() != nil {
		return meta{}, fmt.Errorf("%s is not of this version: %w", metaName, fs.ErrNotExist)
	}
	return m, nil
}

// writeMeta writes the meta of a folder unless it is there.
func writeMeta(folder string, m meta) error {
	data, err := m.encode()
	if err != nil {
		return err
	}
	path := filepath.Join(folder, metaName)
	if old, err := os.ReadFile(path); err == nil && string(old) == string(data) {
		return nil
	}
	return atomicfile.WriteFile(path, data, 0o600)
}

// ChunkID identifies the content of a chunk of keys and values.
type ChunkID [sha256.Size]byte

// NextID returns the id of the chunk of tokens behind the chunk previous, which is ModelID for
// a conversation's first one. salt is empty while all chunks before it had 8 bits when it was
// computed, and else the conversation's name.
func NextID(previous ChunkID, tokens []int32, salt string) ChunkID {
	b := make([]byte, 0, len(previous)+8+4*len(tokens)+len(salt))
	b = append(b, previous[:]...)
	b = binary.LittleEndian.AppendUint64(b, uint64(len(tokens)))
	for _, token := range tokens {
		b = binary.LittleEndian.AppendUint32(b, uint32(token))
	}
	b = append(b, salt...)
	return sha256.Sum256(b)
}
