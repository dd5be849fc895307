package store

import (
	"errors"
	"math"
	"time"
)

// File is what is known of one indexed file.
type File struct {
	ID      uint32          // given by PutFile, a new one to each version; never given again
	Path    string          // absolute; any bytes that the system allows in names
	Root    string          // the indexed folder it belongs to
	Size    int64           // of the file, in bytes
	ModTime int64           // of the file, unix nanoseconds
	Changed int64           // when the system last changed the file's inode, unix nanoseconds, or Unsettled; 0: not known
	Hash    [hashBytes]byte // of the file's bytes
	Kind    uint8           // as the extractor numbers kinds
	Date    int64           // that the document gives, in unix seconds; 0 where it gives none
	// Plain says that the extracted text is the file byte for byte, so that
	// chunks can be read straight from it.
	Plain     bool
	TextBytes int64  // of extracted text; PutFile takes it from the chunks
	Chunks    uint32 // how many, as PutFile was given
	IDs       Runs   // of its chunks, in their order; given by PutFile
}

// Time is the date that the document gives, or else the time of the file, in unix
// nanoseconds.
func (f *File) Time() int64 {
	const most = math.MaxInt64 / int64(time.Second)
	if f.Date == 0 {
		return f.ModTime
	}
	return min(max(f.Date, -most), most) * int64(time.Second)
}

// Unsettled is the Changed of a file that was read so soon after its last change that another
// change may have left its times as they were.
const Unsettled = -1

// hashBytes is the length of File.Hash: two versions of a file are taken for
// one once in 2^48 changes.
const hashBytes = 6

// maxPathBytes is far above what systems allow.
const maxPathBytes = 32 << 10

// errEnd ends a walk early.
var errEnd = errors.New("end of the walk")

// whole returns the file of an entry with its path and root.
func (tx *Tx) whole(e *entry) (File, error) {
	folders, err := tx.folderList()
	if err != nil {
		return File{}, err
	}
	if int(e.folder) >= len(folders) {
		return File{}, corrupt("file %d is in folder %d of %d", e.ID, e.folder, len(folders))
	}
	f := e.File
	f.Path, f.Root = folders[e.folder].path+e.name, folders[e.folder].root
	return f, nil
}

// entryAt finds the entry of a file, without chunks.
func (tx *Tx) entryAt(id uint32) (*entry, error) {
	number, value, err := tx.floorIn(tableFiles, id)
	if err != nil {
		return nil, err
	}
	d, found, last := decoder{rest: value}, false, entry{}
	d.eachFile(number, func(e *entry) bool {
		if e.ID == id {
			found, last = true, *e
		}
		return e.ID < id
	})
	if d.err != nil {
		return nil, locatedIn(tableFiles, number, d.err)
	}
	if !found {
		return nil, ErrNotFound
	}
	return &last, nil
}

// File finds a file by its id; ErrNotFound when it was deleted, or is another
// version by now.
func (tx *Tx) File(id uint32) (File, error) {
	e, err := tx.entryAt(id)
	if err != nil {
		return File{}, err
	}
	return tx.whole(e)
}

// FileByPath finds a file; ErrNotFound when it is not indexed.
func (tx *Tx) FileByPath(path string) (File, error) {
	ids, err := tx.idsOf(path)
	if err != nil {
		return File{}, err
	}
	for _, id := range ids {
		f, err := tx.File(id)
		if errors.Is(err, ErrNotFound) {
			return File{}, corrupt("file %d, found by the hash of a path, has no record", id)
		}
		if err != nil || f.Path == path {
			return f, err
		}
	}
	return File{}, ErrNotFound
}

// eachEntry calls fn for every file in the order of ids. The entry holds no
// chunks.
func (tx *Tx) eachEntry(fn func(e *entry) error) error {
	return tx.eachIn(tableFiles, 0, func(number uint32, value []byte) error {
		return eachEntryIn(number, value, fn)
	})
}

// eachEntryIn calls fn for the files of a block.
func eachEntryIn(number uint32, value []byte, fn func(e *entry) error) (failed error) {
	d := decoder{rest: value}
	d.eachFile(number, func(e *entry) bool {
		failed = fn(e)
		return failed == nil
	})
	if d.err != nil {
		return locatedIn(tableFiles, number, d.err)
	}
	return failed
}

// Files calls fn for every file in the order of ids.
func (tx *Tx) Files(fn func(File) error) error {
	return tx.eachEntry(func(e *entry) error {
		f, err := tx.whole(e)
		if err != nil {
			return err
		}
		return fn(f)
	})
}

// FilesUnder calls fn for every file below a folder, at any depth, in the
// order of ids. Both kinds of path separator end the folder's name. Where no
// file is below the folder that is quick to tell; otherwise all are looked at.
func (tx *Tx) FilesUnder(folder string, fn func(File) error) error {
	below, err := tx.foldersBelow(folder)
	if err != nil || below == nil {
		return err
	}
	return tx.eachEntry(func(e *entry) error {
		if int(e.folder) < len(below) && !below[e.folder] {
			return nil
		}
		f, err := tx.whole(e)
		if err != nil {
			return err
		}
		return fn(f)
	})
}
