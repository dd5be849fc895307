package indexer

import (
	"context"
	"errors"
	"time"

	"golang.org/x/sync/errgroup"

	"dowse/indexer/extract"
	"dowse/indexer/skip"
	"dowse/store"
)

// doubtful is a file of which the size and time are as they were, while its inode was changed, or an event told
// of it, or it was read too soon after its last change. Mostly nothing but its mode, its links or its name was
// changed: its hash decides.
type doubtful struct {
	job
	refused refusal // where the index has no such file

	file  store.File // as it is now
	same  bool       // its bytes are as they were
	lacks bool       // it cannot be opened now, and stays what it was
}

// verifyBatch is how many files are verified between two transactions.
const verifyBatch = 4096

// verify reads the files of a plan that are in doubt, and puts those to be indexed whose bytes are others.
// Files that cannot be read stay as they are indexed.
func (ix *Indexer) verify(ctx context.Context, p *plan, found *listing, now refused) error {
	for from := 0; from < len(p.doubt); from += verifyBatch {
		batch := p.doubt[from:min(from+verifyBatch, len(p.doubt))]
		var group errgroup.Group
		group.SetLimit(ix.opts.Threads)
		for i := range batch {
			group.Go(func() error { return ix.rehash(ctx, &batch[i]) })
		}
		if err := group.Wait(); err != nil {
			return err
		}
		if err := ix.noteTouched(batch); err != nil {
			return err
		}
		for i := range batch {
			d := &batch[i]
			switch {
			case d.stored != nil && d.lacks:
				found.skipped.add(d.Root, d.Path, skip.Unreadable)
			case d.stored == nil && d.lacks:
				now[refusedKey(d.Entry)] = d.refused
				found.skipped.add(d.Root, d.Path, d.refused.reason)
			case d.stored == nil && d.same:
				now[refusedKey(d.Entry)] = refusal{d.refused.reason, d.file.Changed, d.refused.hash}
				found.skipped.add(d.Root, d.Path, d.refused.reason)
			case !d.same:
				p.read = append(p.read, d.job)
			}
		}
	}
	p.doubt = nil
	ix.order(p.read)
	return nil
}

// rehash reads a doubtful file and compares its hash. The error is that of ctx.
func (ix *Indexer) rehash(ctx context.Context, d *doubtful) error {
	defer ix.opts.Clock.add(clockPrepare, time.Now())
	source, err := extract.Open(d.Path, ix.reading())
	if err == nil {
		d.file = store.File{Size: source.Info.Size(), ModTime: source.Info.ModTime().UnixNano(), Changed: changedOf(source)}
		d.file.Hash, err = hashOf(ctx, source)
		err = errors.Join(err, source.Close())
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		reason, _ := skip.ReasonOf(err)
		d.lacks = reason == skip.Unreadable
		return nil
	}
	hash := d.refused.hash
	if d.stored != nil {
		hash = d.stored.Hash
	}
	d.same = d.file.Hash == hash && d.file.Size == d.Size && d.file.ModTime == d.ModTime.UnixNano()
	return nil
}

// noteTouched notes the times of files whose bytes are as they were.
func (ix *Indexer) noteTouched(batch []doubtful) error {
	return ix.commitError(ix.opts.Store.Update(func(tx *store.Tx) error {
		for i := range batch {
			d := &batch[i]
			if d.stored == nil || !d.same || d.file.Changed == d.stored.Changed {
				continue
			}
			if err := tx.TouchFile(d.stored.ID, d.file.Size, d.file.ModTime, d.file.Changed); err != nil {
				return err
			}
		}
		return nil
	}))
}

// adoptTimes notes when the inodes of files were changed of which the index does not know it: earlier versions
// of this program did not keep that.
func (ix *Indexer) adoptTimes(changed map[uint32]int64) error {
	if len(changed) == 0 {
		return nil
	}
	return ix.commitError(ix.opts.Store.Update(func(tx *store.Tx) error { return tx.AdoptChanged(changed) }))
}
