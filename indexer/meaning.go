package indexer

import (
	"cmp"
	"context"
	"slices"
	"time"

	"dowse/engine"
	"dowse/engine/layout"
	"dowse/engine/lexical"
	"dowse/store"
)

// Words come first: a sync commits files with their postings, at the speed of the disk, and they can be searched by
// words, phrases and filters from then on. Their vectors come behind, those of the newest files first, in steps of one
// transaction each. Which chunks lack one follows from what is stored, so that a kill loses a step at most, and so that
// what a repair dropped is embedded again the same way.

// Bounds of a step, which is one transaction: a file that is saved meanwhile waits for it.
const (
	stepChunks = 512
	stepTime   = 2 * time.Second
	// embedSlice is how many chunks are embedded between two looks at the time, and two reports of progress.
	embedSlice = 128
)

// metaLacking is set while chunks may lack a vector. It is written with the change that leaves them so.
const metaLacking = "indexer.lacking"

// behind are the files whose chunks lack vectors. The indexer's turn guards it.
type behind struct {
	known  bool // files are all that there are
	noted  bool // metaLacking was set when they were looked for
	files  []lackingFile
	chunks int  // that they lack, about
	stale  bool // some could not be embedded, since their files are not as they were indexed

	open *openText // of the last file of a step, with which the next one may go on
}

// openText is the text of a file; nil where it cannot be read.
type openText struct {
	file uint32
	text *engine.Text
}

// lackingFile is a file some of whose chunks lack a vector.
type lackingFile struct {
	id     uint32 // of the version
	chunks int    // that lack one, when it was noted
}

// noteLacking notes in a transaction that chunks lack vectors.
func noteLacking(tx *store.Tx) error { return tx.PutMeta(metaLacking, []byte{1}) }

// add puts the files of a sync before all others.
func (b *behind) add(files []lackingFile) {
	b.files = append(files, b.files...)
	for _, f := range files {
		b.chunks += f.chunks
	}
}

// forget has the files looked for again.
func (b *behind) forget() { *b = behind{} }

// findBehind looks for the files with chunks that lack vectors, unless they are known. The newest come first.
func (ix *Indexer) findBehind(ctx context.Context) error {
	b := &ix.behind
	if b.known {
		return nil
	}
	b.forget()
	type found struct {
		lackingFile
		modTime int64
		path    string
	}
	var all []found
	err := ix.opts.Store.View(func(tx *store.Tx) error {
		set, err := tx.Meta(metaLacking)
		if b.noted = set != nil; err != nil || !b.noted {
			return err
		}
		lacking, err := ix.lacking(ctx, tx)
		if err != nil || lacking.Len() == 0 {
			return err
		}
		return tx.Files(func(f store.File) error {
			n := 0
			for _, id := range f.IDs.All() {
				if lacking.Has(id) {
					n++
				}
			}
			if n > 0 {
				all = append(all, found{lackingFile{f.ID, n}, f.ModTime, f.Path})
			}
			return ctx.Err()
		})
	})
	if err != nil {
		return err
	}
	slices.SortFunc(all, func(a, b found) int {
		return cmp.Or(cmp.Compare(b.modTime, a.modTime), cmp.Compare(a.path, b.path))
	})
	files := make([]lackingFile, len(all))
	for i, f := range all {
		files[i] = f.lackingFile
	}
	b.add(files)
	b.known = true
	return nil
}

// lacking returns the chunks that are to have a vector and have none.
func (ix *Indexer) lacking(ctx context.Context, tx *store.Tx) (*lexical.Set, error) {
	set, err := vectorChunks(tx)
	if err != nil {
		return nil, err
	}
	return set, ix.index().Lack(ctx, layout.VectorIndex{Tx: tx}, set)
}

// embedStep embeds the next chunks and commits their vectors. It reports whether more are left.
func (ix *Indexer) embedStep(ctx context.Context, prog *progress, probes *probes) (embedded int, left bool, err error) {
	if err := ix.findBehind(ctx); err != nil {
		return 0, false, err
	}
	b := &ix.behind
	if len(b.files) == 0 {
		return 0, false, ix.endBehind()
	}
	prog.meaning(b.chunks)
	step, err := ix.newMeaningStep(ctx)
	if err != nil {
		return 0, false, err
	}
	if err := step.read(ctx); err != nil {
		return 0, false, err
	}
	if err := step.embed(ctx, prog); err != nil {
		return 0, false, err
	}
	rest, stale, given := b.files[step.done():], b.stale || step.stale, 0
	err = ix.commitError(ix.opts.Store.Update(func(tx *store.Tx) (err error) {
		if given, err = step.put(tx); err != nil || len(rest) > 0 || stale {
			return err
		}
		return tx.PutMeta(metaLacking, nil)
	}))
	if err != nil {
		return 0, false, err
	}
	probes.gather(step)
	b.files, b.stale, b.chunks = rest, stale, max(0, b.chunks-given)
	if len(rest) == 0 {
		*b = behind{known: true}
	}
	return step.embedded(), len(rest) > 0, nil
}

// endBehind takes back the note that chunks lack vectors, where a look at all of them found none.
func (ix *Indexer) endBehind() error {
	if !ix.behind.noted {
		return nil
	}
	ix.behind.noted = false
	return ix.commitError(ix.opts.Store.Update(func(tx *store.Tx) error { return tx.PutMeta(metaLacking, nil) }))
}
