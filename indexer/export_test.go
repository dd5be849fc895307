package indexer

import (
	"context"
	"os"
	"time"

	"dowse/indexer/extract"
	"dowse/indexer/walk"

	"github.com/fsnotify/fsnotify"
)

// Follow indexes what events named, as Watch does, and returns what is to be
// looked at again.
func (ix *Indexer) Follow(ctx context.Context, paths []string) (again []string, err error) {
	ix.suspect(paths)
	return ix.follow(ctx, paths)
}

// Recode gives the index new codes if it has outgrown its codebook.
func (ix *Indexer) Recode(ctx context.Context) error { return ix.recode(ctx) }

// HoldFor sets how long a file that is gone waits to be removed.
func (ix *Indexer) HoldFor(d time.Duration) { ix.holdFor = d }

// RotateFrom sets from how many chunks on codebooks have a rotation.
func (ix *Indexer) RotateFrom(chunks int) { ix.rotateFrom = chunks }

// Waiting counts the files that are gone and wait to be removed.
func (ix *Indexer) Waiting() int {
	if err := ix.turn.Acquire(context.Background(), 1); err != nil {
		panic(err) // that context has no end
	}
	defer ix.turn.Release(1)
	return len(ix.vanished)
}

// MetaReaders is where the index says what read its files.
const MetaReaders = metaReaders

// RoomOf returns the room that is taken for a file before it is read, and what it
// holds when it is.
func (ix *Indexer) RoomOf(path string) (taken, holds int64) {
	info, err := os.Stat(path)
	if err != nil {
		return 0, 0
	}
	p := ix.prepare(context.Background(), job{Entry: walk.Entry{Path: path, Size: info.Size()}}, nil)
	return newRoom(1<<40, nil).estimate(extract.Expected(path, info.Size())), p.bytes()
}

// Suspects counts the files that are to be read whatever the system knows of them.
func (ix *Indexer) Suspects() int {
	ix.suspects.mu.Lock()
	defer ix.suspects.mu.Unlock()
	return len(ix.suspects.paths)
}

// RescanAfter sets how long Watch waits before it looks at everything again.
func (ix *Indexer) RescanAfter(d time.Duration) { ix.rescanAfter = d }

// MetaSecrets is where the index says whether secrets were looked for.
const MetaSecrets = metaSecrets

// BytesRead returns how many bytes of files were read so far.
func (ix *Indexer) BytesRead() int64 { return ix.read.Load() }

// HasTraces reports whether there is something to erase.
func (ix *Indexer) HasTraces() (bool, error) { return ix.hasTraces() }

// Deaf has Watch watch no folder: each one fails with err, or nothing is told of it.
func (ix *Indexer) Deaf(err error) {
	ix.watchDir = func(*fsnotify.Watcher, string) error { return err }
}

// CheckAfter sets how often files are read again while nobody searches.
func (ix *Indexer) CheckAfter(d time.Duration) { ix.checkAfter = d }
