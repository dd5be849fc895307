package indexer

import (
	"context"
	"errors"
	"time"

	"dowse/indexer/walk"
	"dowse/internal/ticks"
	"dowse/store"
)

// A file that was rewritten with the size and the times that it had is found by its hash alone. While folders are
// watched and nobody searches, all files are read again, one round a day, or slower where that would read too much.
const (
	checkRound = 24 * time.Hour
	checkTick  = time.Minute
	checkBytes = 2 << 20 // read in a tick, on average: 3 GB a day
)

// checkLater reads files again until ctx ends.
func (ix *Indexer) checkLater(ctx context.Context) {
	tick := ticks.New(ix.checkAfter)
	defer tick.Stop()
	next, credit := uint32(0), int64(0)
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		if ix.opts.Quiet != nil && ix.opts.Quiet(ctx) != nil {
			return
		}
		credit = min(credit+checkBytes, checkBytes)
		if credit > 0 {
			next, credit = ix.checkSome(ctx, next, credit)
		}
	}
}

// checkSome reads the next files again, and returns where to go on and what is left of the bytes; less than nothing
// after a large file.
func (ix *Indexer) checkSome(ctx context.Context, next uint32, credit int64) (uint32, int64) {
	var files []store.File
	all := 0
	err := ix.opts.Store.View(func(tx *store.Tx) error {
		counts, err := tx.Counts()
		if err != nil {
			return err
		}
		all = max(1, int(int64(counts.Files)*int64(checkTick)/int64(checkRound))+1)
		var stop = errors.New("enough")
		err = tx.Files(func(f store.File) error {
			if f.ID >= next {
				files = append(files, f)
			}
			if len(files) == all {
				return stop
			}
			return nil
		})
		if errors.Is(err, stop) {
			err = nil
		}
		return err
	})
	if err != nil || len(files) == 0 {
		return 0, credit // damage is met elsewhere; or the round is over
	}
	for i := range files {
		f := &files[i]
		if ctx.Err() != nil || credit <= 0 {
			return f.ID, credit
		}
		credit -= f.Size
		if ix.rewritten(ctx, f) {
			ix.polling.noteDeaf(f.Root)
			ix.Outdated(f.Path)
		}
	}
	return files[len(files)-1].ID + 1, credit
}

// rewritten reports whether a file has other bytes than were indexed, though its size and times are those.
func (ix *Indexer) rewritten(ctx context.Context, f *store.File) bool {
	if len(ix.unpaused([]string{f.Path})) == 0 || isLog(f) {
		return false
	}
	info, err := lookAt(f.Path)
	if err != nil || info.Size() != f.Size || info.ModTime().UnixNano() != f.ModTime {
		return false // an event told of it, or a look at its root finds it
	}
	d := doubtful{job: job{Entry: walk.Entry{Path: f.Path, Root: f.Root, Size: f.Size, ModTime: info.ModTime()}, stored: f}}
	return ix.rehash(ctx, &d) == nil && !d.lacks && !d.same && d.file.Size == f.Size && d.file.ModTime == f.ModTime
}
