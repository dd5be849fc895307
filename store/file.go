package store

import (
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
)

// File is what is known of one indexed file.
type File struct {
	ID      uint32   // given by PutFile; never given again
	Path    string   // absolute; any bytes that the system allows in names
	Root    string   // the indexed folder it belongs to
	Size    int64    // of the file, in bytes
	ModTime int64    // of the file, unix nanoseconds
	Hash    [16]byte // of the file's bytes
	Kind    uint8    // as the extractor numbers kinds
	// Plain says that the extracted text is the file byte for byte, so that
	// chunks can be read straight from it.
	Plain      bool
	TextBytes  int64  // of extracted text; PutFile takes it from the chunks
	FirstChunk uint32 // given by PutFile
	Chunks     uint32 // ids FirstChunk to FirstChunk+Chunks-1
}

const (
	maxPathBytes = 32 << 10 // bbolt's limit for a key
	flagPlain    = 1
	flagRooted   = 2 // the root is a prefix of the path: its length is kept
)

// encode gives the record; the path is its key.
func (f File) encode() []byte {
	flags := byte(0)
	if f.Plain {
		flags |= flagPlain
	}
	rooted := strings.HasPrefix(f.Path, f.Root)
	if rooted {
		flags |= flagRooted
	}
	value := append(make([]byte, 0, 64), flags, f.Kind)
	value = append(value, f.Hash[:]...)
	if rooted {
		value = binary.AppendUvarint(value, uint64(len(f.Root)))
	} else {
		value = appendString(value, f.Root)
	}
	for _, n := range []uint64{uint64(f.ID), uint64(f.Size), uint64(f.TextBytes), uint64(f.FirstChunk), uint64(f.Chunks)} {
		value = binary.AppendUvarint(value, n)
	}
	return binary.AppendVarint(value, f.ModTime)
}

func decodeFile(path string, value []byte) (File, error) {
	d := decoder{rest: value}
	f := File{Path: path}
	head := d.bytes(2 + uint64(len(f.Hash)))
	if d.err != nil {
		return File{}, d.err
	}
	flags := head[0]
	f.Kind, f.Plain = head[1], flags&flagPlain != 0
	copy(f.Hash[:], head[2:])
	if flags&flagRooted == 0 {
		f.Root = d.string()
	} else if n := d.uvarint(); n <= uint64(len(path)) {
		f.Root = path[:n]
	} else {
		d.fail("root longer than the path")
	}
	f.ID, f.Size, f.TextBytes = d.uint32(), d.int63(), d.int63()
	f.FirstChunk, f.Chunks = d.uint32(), d.uint32()
	f.ModTime = d.varint()
	return f, d.end()
}

func (tx *Tx) decodeFile(path, value []byte) (File, error) {
	f, err := decodeFile(string(path), value)
	if err != nil {
		return File{}, located(bucketFiles, path, err)
	}
	return f, nil
}

// FileByPath finds a file; ErrNotFound when it is not indexed.
func (tx *Tx) FileByPath(path string) (File, error) {
	value, err := tx.get(bucketFiles, []byte(path))
	if err != nil {
		return File{}, err
	}
	return tx.decodeFile([]byte(path), value)
}

// File finds a file by its id; ErrNotFound when it was deleted.
func (tx *Tx) File(id uint32) (File, error) {
	path, err := tx.get(bucketIDs, key32(id))
	if err != nil {
		return File{}, err
	}
	f, err := tx.FileByPath(string(path))
	if errors.Is(err, ErrNotFound) {
		return File{}, corrupt("file %d has no record under its path", id)
	}
	return f, err
}

// Files calls fn for every file in the order of path bytes.
func (tx *Tx) Files(fn func(File) error) error {
	return tx.each(bucketFiles, nil, func(path, value []byte) error {
		f, err := tx.decodeFile(path, value)
		if err != nil {
			return err
		}
		return fn(f)
	})
}

// errEnd ends a walk early.
var errEnd = errors.New("end of the walk")

// FilesUnder calls fn for every file below a folder, at any depth, in the
// order of path bytes. Both kinds of path separator end the folder's name.
func (tx *Tx) FilesUnder(folder string, fn func(File) error) error {
	prefix := strings.TrimRight(folder, `/\`)
	err := tx.each(bucketFiles, []byte(prefix), func(path, value []byte) error {
		if !strings.HasPrefix(string(path), prefix) {
			return errEnd
		}
		if rest := path[len(prefix):]; len(rest) == 0 || rest[0] != '/' && rest[0] != '\\' {
			return nil
		}
		f, err := tx.decodeFile(path, value)
		if err != nil {
			return err
		}
		return fn(f)
	})
	if errors.Is(err, errEnd) {
		return nil
	}
	return err
}

// PutFile stores a file with its chunks in place of any earlier file of that
// path, whose chunk ids become tombstones. It gives f its ID, FirstChunk,
// Chunks and TextBytes.
func (tx *Tx) PutFile(f *File, chunks []Chunk) error {
	if f.Path == "" || len(f.Path) > maxPathBytes {
		return fmt.Errorf("a path of %d bytes cannot be stored", len(f.Path))
	}
	if f.Size < 0 {
		return fmt.Errorf("%s: negative size %d", f.Path, f.Size)
	}
	if err := checkTiling(chunks); err != nil {
		return fmt.Errorf("%s: %w", f.Path, err)
	}
	old, err := tx.FileByPath(f.Path)
	if err == nil {
		err = tx.DeleteFile(old.ID)
	}
	if err != nil && !errors.Is(err, ErrNotFound) {
		return err
	}
	c := &tx.counters
	if uint64(c.nextChunk)+uint64(len(chunks)) > 1<<32-1 || c.nextFile == 1<<32-1 {
		return errors.New("the index has given all its ids: remove it and index again")
	}
	f.ID, f.FirstChunk, f.Chunks, f.TextBytes = c.nextFile, c.nextChunk, uint32(len(chunks)), 0
	if len(chunks) > 0 {
		f.TextBytes = chunks[len(chunks)-1].End
		if err := tx.put(bucketChunks, key32(f.FirstChunk), encodeChunks(f.ID, chunks)); err != nil {
			return err
		}
	}
	c.nextFile++
	c.nextChunk += f.Chunks
	c.files++
	c.chunks += f.Chunks
	c.textBytes += f.TextBytes
	return tx.putRecord(*f)
}

// putRecord writes the record of a file under its path and the path under
// its id.
func (tx *Tx) putRecord(f File) error {
	if err := tx.put(bucketFiles, []byte(f.Path), f.encode()); err != nil {
		return err
	}
	return tx.put(bucketIDs, key32(f.ID), []byte(f.Path))
}

// TouchFile notes a new size and time of a file whose content is the same.
func (tx *Tx) TouchFile(id uint32, size, modTime int64) error {
	f, err := tx.File(id)
	if err != nil {
		return fmt.Errorf("touch file %d: %w", id, err)
	}
	f.Size, f.ModTime = size, modTime
	return tx.put(bucketFiles, []byte(f.Path), f.encode())
}

// DeleteFile removes a file, its chunks and its vectors.
func (tx *Tx) DeleteFile(id uint32) error {
	f, err := tx.File(id)
	if err != nil {
		return fmt.Errorf("delete file %d: %w", id, err)
	}
	keys := []struct{ bucket, key []byte }{{bucketFiles, []byte(f.Path)}, {bucketIDs, key32(id)}}
	if f.Chunks > 0 {
		first := key32(f.FirstChunk)
		keys = append(keys, struct{ bucket, key []byte }{bucketChunks, first}, struct{ bucket, key []byte }{bucketVectors, first})
	}
	for _, k := range keys {
		if err := tx.delete(k.bucket, k.key); err != nil {
			return err
		}
	}
	tx.counters.files--
	tx.counters.chunks -= f.Chunks
	tx.counters.textBytes -= f.TextBytes
	return nil
}
