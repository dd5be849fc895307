// Package stamp tells by the times that the system keeps of a file whether it may have changed.
//
// A file's time of modification (mtime) is what a program last said: cp -p, touch -r, rsync --times and
// restored backups leave a new content its old one. The time at which its inode was changed (ctime) is set
// by the system alone, at each write, and also by chmod, by a new link and by a rename.
//
// # Caveats
//
// The system writes times by a clock that stands still for some milliseconds, for two seconds on some file
// systems. What changes within that after a file was read may leave its times as they were: Settled says
// where that can be. It compares the file's clock with that of this machine, so that it says nothing of a
// file system whose clock is another one, such as a server's that is minutes off.
//
// What a program writes through a mapping of a file changes its times at the first write to a page that was
// clean, and no event tells of it. What it writes to that page before the system has written it to the disk,
// up to half a minute later, changes none.
package stamp

import (
	"io/fs"
	"os"
	"time"
)

const (
	// fine is longer than a clock stands still by which times are written that are no multiples of coarseUnit:
	// a tick of the kernel, 10 ms at most.
	fine = 100 * time.Millisecond
	// coarse is the granule of file systems that keep whole seconds (HFS+, ext3) or two of them (FAT).
	coarse     = 2*time.Second + fine
	coarseUnit = 10 * time.Millisecond
)

// WAL is what SQLite adds to the name of a database for the write-ahead log beside it: what a program has changed in the
// database comes there first, and into its file later.
const WAL = "-wal"

// Of returns Changed and Settled of the file at a path; a write-ahead log beside it is a part of the file.
func Of(path string, info fs.FileInfo, asked time.Time) (changed int64, settled bool) {
	changed, settled = Changed(info), Settled(info, asked)
	if wal, err := os.Lstat(path + WAL); err == nil && wal.Mode().IsRegular() {
		changed = max(changed, Changed(wal), wal.ModTime().UnixNano())
		settled = settled && Settled(wal, asked)
	}
	return changed, settled
}

// Settled reports whether each change of a file after asked gives it other times than info has, which was
// taken then or later.
func Settled(info fs.FileInfo, asked time.Time) bool {
	last := Changed(info)
	if last == 0 {
		last = info.ModTime().UnixNano()
	}
	still := fine
	if last%int64(coarseUnit) == 0 {
		still = coarse
	}
	return asked.Sub(time.Unix(0, last)).Abs() >= still
}
