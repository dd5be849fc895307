package walk

import (
	"errors"
	"io/fs"
	"path/filepath"
	"strings"
	"time"

	"dowse/indexer/ignore"
	"dowse/indexer/nofollow"
	"dowse/indexer/paths"
	"dowse/indexer/skip"
	"dowse/indexer/stamp"
)

// Options choose what is left out. The zero value suits a person's notes.
type Options struct {
	Workers int  // directories read at the same time; 0 means defaultWorkers
	Hidden  bool // take hidden entries too
	// MaxBytes returns the size above which a file is too large; nil means that none is.
	MaxBytes func(path string) int64
	// Except are folders, absolute and resolved, that belong to another index: they are passed
	// over with all below them, and are no skips.
	Except []string
	// Rules are what the settings say of folders.
	Rules []Rule
	// OnDir, when not nil, is called with every directory that is entered, before
	// the files in it, from the goroutine that called Walk.
	OnDir func(dir string)
}

// defaultWorkers is the number of directories read at the same time. Reading
// directories waits for the disk more than it computes, so it does not follow
// the number of processors.
const defaultWorkers = 8

// Entry is a file to index.
type Entry struct {
	Path    string // absolute; the names are as the file system has them
	Root    string // the innermost given folder that holds it, resolved
	Size    int64  // in bytes
	ModTime time.Time
	Changed int64 // when the system changed its inode last, or that of a write-ahead log beside it, unix nanoseconds; 0 where that is not told
	IsDir   bool  // a directory; only Filter.Check returns those
}

// Skip is an entry that is left out.
type Skip struct {
	Path   string
	Reason skip.Reason
	IsDir  bool
	Err    error // what the system said; nil where a rule decided
}

// excepts reports whether a path is of another index.
func (o *Options) excepts(path string) bool {
	return paths.WithinAny(path, o.Except)
}

// judge decides about an entry by what the rules say of it, its name and its
// type; nil means that it stays.
func (o *Options) judge(verdict ignore.Verdict, path string, mode fs.FileMode) *Skip {
	switch left := o.ruledOut(path, mode); {
	case left != nil:
		return left
	case mode.IsRegular() && isICloudStub(filepath.Base(path)):
		return &Skip{Path: path, Reason: skip.NotHere}
	case filepath.Base(path)[0] == '.' && !o.Hidden && verdict != ignore.Kept:
		return &Skip{Path: path, Reason: skip.Hidden, IsDir: mode.IsDir()}
	case verdict == ignore.Ignored:
		return &Skip{Path: path, Reason: skip.Ignored, IsDir: mode.IsDir()}
	case mode&fs.ModeSymlink != 0:
		return linked(path)
	case !mode.IsRegular() && !mode.IsDir():
		return &Skip{Path: path, Reason: skip.Special}
	}
	return nil
}

// linked decides about a symbolic link: one of git-annex stays where its contents are here.
func linked(path string) *Skip {
	switch _, _, err := nofollow.Annexed(path); {
	case err == nil:
		return nil
	case errors.Is(err, fs.ErrNotExist):
		return &Skip{Path: path, Reason: skip.NotHere}
	}
	return &Skip{Path: path, Reason: skip.Symlink}
}

// target returns the info of a file, or of the contents that its link of git-annex stands for.
func target(path string, info fs.FileInfo) (fs.FileInfo, error) {
	if info.Mode()&fs.ModeSymlink == 0 {
		return info, nil
	}
	_, object, err := nofollow.Annexed(path)
	return object, err
}

// weigh decides about a regular file by its size and by whether its contents are here; nil means that it stays.
func (o *Options) weigh(path string, info fs.FileInfo) *Skip {
	switch {
	case isElsewhere(path, info):
		return &Skip{Path: path, Reason: skip.NotHere}
	case info.Size() == 0:
		return &Skip{Path: path, Reason: skip.Empty}
	case o.MaxBytes != nil && info.Size() > o.MaxBytes(path):
		return &Skip{Path: path, Reason: skip.TooLarge}
	}
	return nil
}

// failed returns the Skip of something the system refused.
func failed(path string, isDir bool, err error) *Skip {
	return &Skip{Path: path, Reason: skip.FromOS(path, err).Reason, IsDir: isDir, Err: err}
}

// unruled returns the Skip of a directory with a rule file that cannot be read.
func unruled(path string, err error) *Skip {
	return &Skip{Path: path, Reason: skip.Unreadable, IsDir: true, Err: err}
}

func entryOf(root, path string, info fs.FileInfo) Entry {
	return Entry{Path: path, Root: root, Size: info.Size(), ModTime: info.ModTime(), Changed: stamp.Changed(info), IsDir: info.IsDir()}
}

// join puts name behind dir. Unlike filepath.Join it leaves the name as it is.
func join(dir, name string) string {
	if strings.HasSuffix(dir, string(filepath.Separator)) {
		return dir + name
	}
	return dir + string(filepath.Separator) + name
}
