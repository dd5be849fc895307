package indexer

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"dowse/engine"
	"dowse/indexer/document"
	"dowse/indexer/extract"
	"dowse/indexer/skip"
	"dowse/indexer/walk"
	"dowse/store"
)

// LeftOut looks at the folders as they are now and returns what of them is not in the index,
// and why, by reason and path. A folder that is left out stands for all below it. Files that were
// refused before, and did not change, are not read again.
func (ix *Indexer) LeftOut(ctx context.Context) ([]engine.LeftOut, error) {
	roots, err := ix.Roots()
	if err != nil {
		return nil, err
	}
	indexed, err := ix.pathsUnder(roots)
	if err != nil {
		return nil, err
	}
	before, err := ix.readRefused()
	if err != nil {
		return nil, err
	}
	out := []engine.LeftOut{}
	err = walk.Walk(ctx, ix.existing(roots), ix.walkOptions(), func(e walk.Entry) error {
		if !indexed[e.Path] {
			out = append(out, ix.unread(ctx, e, before))
		}
		return nil
	}, func(s walk.Skip) {
		out = append(out, engine.LeftOut{Path: s.Path, Reason: string(s.Reason)})
	})
	slices.SortFunc(out, func(a, b engine.LeftOut) int {
		return cmp.Or(cmp.Compare(a.Reason, b.Reason), cmp.Compare(a.Path, b.Path))
	})
	return out, err
}

// pathsUnder returns the paths of the files that the index holds below roots.
func (ix *Indexer) pathsUnder(roots []string) (map[string]bool, error) {
	indexed := map[string]bool{}
	return indexed, ix.opts.Store.View(func(tx *store.Tx) error {
		return filesUnder(tx, roots, func(f store.File) { indexed[f.Path] = true })
	})
}

// waiting is the reason of files that nothing keeps out: the next look at the folders takes them.
const waiting = "not indexed yet"

// unread says why a file has no record.
func (ix *Indexer) unread(ctx context.Context, e walk.Entry, before refused) engine.LeftOut {
	out := engine.LeftOut{Path: e.Path, Reason: waiting}
	was, known := before[refusedKey(e)]
	known = known && was.reason != skip.TooLarge // which limit it met is asked for
	if known && (isAsRead(was.changed, e.Changed) || was.changed == store.Unsettled) {
		out.Reason = string(was.reason)
		return out
	}
	source, err := extract.Open(e.Path, ix.reading())
	if err == nil {
		_, err = source.Document(document.WithoutPrograms(ctx))
		err = errors.Join(err, source.Close())
	}
	var left *skip.Error
	if errors.As(err, &left) {
		out.Reason, out.Detail = string(left.Reason), left.Detail
	}
	return out
}
