package disk

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"dowse/engine/kv"
	"dowse/internal/atomicfile"
)

// Layout is how long chunks are.
type Layout struct {
	ChunkTokens int `json:"chunk_tokens"`
	// Groups holds for each level the bytes of each group of layers, in the order in
	// which they lie in a chunk.
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

// Bytes returns what a chunk takes at a level; 0 for one that the layout does not have.
func (l *Layout) Bytes(level kv.Level) int {
	total := 0
	for _, size := range l.Groups[level] {
		total += size
	}
	return total
}

// check returns an error unless chunks of the layout can be kept.
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

// mostChunk is more than a chunk of any model takes.
const mostChunk = 1 << 30

// formatVersion changes with the format of any file of the folder.
const formatVersion = 1

// meta says what the chunks of a folder are of. Its hash stands in the header of every
// file, so that none is taken for what it is not.
type meta struct {
	Format int    `json:"format"`
	Model  string `json:"model"`
	Layout Layout `json:"layout"`
}

const metaName = "meta.json"

// encode returns the bytes of the file, the same for the same content.
func (m *meta) encode() ([]byte, error) { return json.Marshal(m) }

// key returns what identifies the content.
func (m *meta) key() (ChunkID, error) {
	data, err := m.encode()
	return sha256.Sum256(data), err
}

// readMeta returns the meta of a folder. An error that wraps fs.ErrNotExist says that
// there is none that this version can read.
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
