package store

import (
	"errors"
	"math"
	"strings"
	"time"
)

// File is what is known of one indexed file.
type File struct {
	ID      uint32          // of one version, given by PutFile, never given again
	Path    string          // absolute; any bytes that the system allows in names
	Root    string          // the indexed folder it belongs to
	Size    int64           // of the file, in bytes
	ModTime int64           // of the file, unix nanoseconds
	Changed int64           // the inode's time (ctime), unix nanoseconds; Unsettled; 0: not known
	Hash    [hashBytes]byte // of the file's bytes
	Kind    uint8           // numbered by the extractor
	Date    int64           // given by the document, unix seconds; 0: none
	// Plain says that the extracted text is the file byte for byte, so that
	// chunks are read straight from it.
	Plain     bool
	TextBytes int64  // of extracted text; computed by PutFile
	Chunks    uint32 // how many; set by PutFile
	IDs       Runs   // of its chunks, in their order; set by PutFile
}

// Time is the document's date, or else the file's time, in unix nanoseconds.
func (f *File) Time() int64 {
	const most = math.MaxInt64 / int64(time.Second)
	if f.Date == 0 {
		return f.ModTime
	}
	return min(max(f.Date, -most), most) * int64(time.Second)
}

// Unsettled is the Changed of a file read so soon after its last change that
// another change may have left its times equal.
const Unsettled = -1

// hashBytes is the length of File.Hash: two versions collide once in 2^48
// changes.
const hashBytes = 6

// maxPathBytes is far above what systems allow.
const maxPathBytes = 32 << 10

var errEnd = errors.New("end of the walk")

// whole returns an entry's file with its path and root.
func (tx *Tx) whole(e *entry) (File, error) {
	folders, err := tx.folderList()
	if err != nil {
		return File{}, err
	}
	if int(e.folder) >= len(folders) {
		return File{}, corrupt("file %d is in folder %d of %d", e.ID, e.folder, len(folders))
	}
	if tx.db.mount != nil && strings.ContainsAny(e.name, `/\`) {
		return File{}, corrupt("file %d is called %q", e.ID, e.name)
	}
	f := e.File
	f.Path, f.Root = folders[e.folder].path+e.name, folders[e.folder].root
	return f, nil
}

func (tx *Tx) entryAt(id uint32) (*entry, error) {
	number, value, err := tx.floorIn(tableFiles, id)
	if err != nil {
		return nil, err
	}
	if b := tx.filling; b != nil && b.last.ID == id && b.is(number, value, tx.filled) { // of a file that was put a moment ago more is put
		last := *b.last
		return &last, nil
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

// File finds a file by id; ErrNotFound when it was deleted or is another
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

// eachEntry calls fn for every file in the order of ids, without chunks.
func (tx *Tx) eachEntry(fn func(e *entry) error) error {
	return tx.eachIn(tableFiles, 0, func(number uint32, value []byte) error {
		return eachEntryIn(number, value, fn)
	})
}

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

// FilesUnder calls fn for every file below a folder, in the order of ids. Both
// kinds of path separator end the folder's name. It looks at all files, unless
// no folder below this one has any.
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
