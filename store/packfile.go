package store

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/cespare/xxhash/v2"
)

// An index pack is an index of one folder in a file for others to read: a bbolt file, and behind
// its last page a seal. Its paths begin with the name of the folder, whatever the path was; where
// the pack is opened, the folder is mounted at a path of that machine.
//
// The seal, little endian:
//
//	magic    16 bytes
//	version  4, of the pack; the index within has a version of its own
//	         4, zero
//	size     8, of what stands before the seal
//	sum      8, XXH64 of that and of the seal up to here
const (
	packMagic   = "dowse index pack"
	packVersion = 1
	sealBytes   = len(packMagic) + 4 + 4 + 8 + 8
)

// ErrNoPack says that a file is no index pack, or the beginning of one.
var ErrNoPack = errors.New("not an index pack of dowse, or only the beginning of one")

// WritePack writes the index at a path, closed or open for reading, as a pack.
func WritePack(ctx context.Context, index string, w io.Writer) (size int64, err error) {
	file, err := os.Open(index)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	sum := xxhash.New()
	if size, err = io.Copy(io.MultiWriter(w, sum), untilDone{ctx, file}); err != nil {
		return size, err
	}
	seal := binary.LittleEndian.AppendUint32([]byte(packMagic), packVersion)
	seal = binary.LittleEndian.AppendUint64(append(seal, 0, 0, 0, 0), uint64(size))
	_, _ = sum.Write(seal) // a hash takes all
	n, err := w.Write(binary.LittleEndian.AppendUint64(seal, sum.Sum64()))
	return size + int64(n), err
}

// untilDone reads until ctx ends.
type untilDone struct {
	ctx context.Context
	io.Reader
}

func (r untilDone) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.Reader.Read(p)
}

// OpenPack opens a pack for reading and shows its folder as the path mount. All of a file is read once,
// so that a byte that differs is an ErrCorrupt; of a pack on a server records are checked as they are read. Other errors to tell apart: ErrNoPack, ErrVersion of
// a pack of a later dowse, and those of the system.
func OpenPack(ctx context.Context, path, mount string) (*DB, error) {
	if OnServer(path) {
		db, err := openServer(ctx, path, mount)
		if err != nil {
			return nil, fmt.Errorf("open pack %s: %w", path, translate(err))
		}
		return db, nil
	}
	if err := checkSeal(ctx, path); err != nil {
		return nil, fmt.Errorf("open pack %s: %w", path, err)
	}
	return Open(path, Options{ReadOnly: true, mount: mount})
}

// checkSeal compares a pack with its sum.
func checkSeal(ctx context.Context, path string) (err error) {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	info, err := file.Stat()
	if err != nil {
		return err
	}
	size := info.Size() - int64(sealBytes)
	if !info.Mode().IsRegular() || size <= 0 {
		return ErrNoPack
	}
	seal := make([]byte, sealBytes)
	if _, err := file.ReadAt(seal, size); err != nil {
		return err
	}
	if !bytes.HasPrefix(seal, []byte(packMagic)) {
		return ErrNoPack
	}
	head, rest := seal[:sealBytes-8], seal[len(packMagic):]
	sum := xxhash.New()
	if _, err := io.Copy(sum, untilDone{ctx, io.LimitReader(file, size)}); err != nil {
		return err
	}
	_, _ = sum.Write(head)
	switch version := binary.LittleEndian.Uint32(rest); {
	case sum.Sum64() != binary.LittleEndian.Uint64(seal[len(head):]):
		return corrupt("its sum is another one than when it was made")
	case version != packVersion:
		return fmt.Errorf("%w: it is a pack of format %d, this program reads format %d", ErrVersion, version, packVersion)
	case binary.LittleEndian.Uint64(rest[8:]) != uint64(size):
		return corrupt("it has another size than when it was made")
	}
	return nil
}

// mounting is where the folder of a pack is shown.
type mounting struct {
	name string // of the folder in the pack
	at   string // path of this machine
}

// readMount finds the one root of a pack.
func (db *DB) readMount(at string) error {
	if at == "" {
		return nil
	}
	return db.View(func(tx *Tx) error {
		roots, err := tx.Roots()
		switch {
		case err != nil:
			return err
		case len(roots) != 1 || CheckPackName(roots[0]) != nil:
			return corrupt("a pack has one folder, by its name alone, not %q", roots)
		}
		db.mount = &mounting{name: roots[0], at: strings.TrimRight(at, `/\`)}
		return nil
	})
}

// CheckPackName refuses what is no name of a folder within a pack: it is one part of a path.
func CheckPackName(name string) error {
	if name == "" || name == "." || name == ".." || strings.ContainsAny(name, "/\\\x00") {
		return fmt.Errorf("the folder of a pack cannot be called %q", name)
	}
	return nil
}

// show returns the path of this machine for one of the pack.
func (m *mounting) show(path string) (shown string, ok bool) {
	if m == nil {
		return path, true
	}
	rest, ok := strings.CutPrefix(path, m.name)
	if !ok || rest != "" && !isSeparator(rest[0]) || leadsUp(rest) {
		return "", false
	}
	return m.at + rest, true
}

// leadsUp reports whether a part of a path is "..": no file of a folder has such a path.
func leadsUp(path string) bool {
	for part := range strings.FieldsFuncSeq(path, func(r rune) bool { return r == '/' || r == '\\' }) {
		if part == ".." {
			return true
		}
	}
	return false
}

// find is the inverse of show.
func (m *mounting) find(path string) (stored string, ok bool) {
	if m == nil {
		return path, true
	}
	rest, ok := strings.CutPrefix(path, m.at)
	return m.name + rest, ok && rest != "" && isSeparator(rest[0])
}

// Mounted returns where a pack shows its folder; ok is false of any other index.
func (tx *Tx) Mounted() (path string, ok bool) {
	if tx.db.mount == nil {
		return "", false
	}
	return tx.db.mount.at, true
}

// PackName returns the name of the folder of a pack, "" of any other index.
func (db *DB) PackName() string {
	if db.mount == nil {
		return ""
	}
	return db.mount.name
}

// showFolders gives folders the paths that they are shown by.
func (m *mounting) showFolders(list []folder) error {
	for n, f := range list {
		if f == (folder{}) {
			continue // erased
		}
		path, ok := m.show(f.path)
		if !ok || f.root != m.name {
			return corrupt("folder %d is outside of the folder of the pack", n)
		}
		list[n] = folder{path: path, root: m.at}
	}
	return nil
}
