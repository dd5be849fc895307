package search

import (
	"cmp"
	"context"
	"dowse/engine/search/passage"
	"dowse/engine/search/snapshot"
	"dowse/store"
	"slices"
	"time"
)

// Step filter: which chunks may be returned at all.

// filter applies every filter of the query: filters on files, then phrases and negations, which
// look at chunks. The later steps rank what they leave.
func (l *retrieval) filter(ctx context.Context, txs []*store.Tx) error {
	masks, err := snapshot.Masks(txs)
	if err != nil {
		return err
	}
	sifts := false
	for i, p := range l.indexes {
		clock := time.Now()
		changed, err := p.observe(txs[i], masks[i])
		if err != nil {
			return err
		}
		if changed {
			l.in = 0
		}
		sifts = sifts || p.sifts()
		p.filtering += time.Since(clock)
	}
	if sifts {
		if err := l.languages(ctx, txs); err != nil {
			return err
		}
	}
	for i, p := range l.indexes {
		clock := time.Now()
		if err := p.sift(ctx, txs[i]); err != nil {
			return err
		}
		p.filtering += time.Since(clock)
	}
	return nil
}

// observe takes in the commit of a transaction, and reports whether it is another one than
// before.
func (p *indexSearch) observe(tx *store.Tx, m snapshot.Mask) (changed bool, err error) {
	snap, err := p.index.At(tx)
	if err != nil {
		return false, err
	}
	if p.commit != nil && p.commit.Snap == snap && p.files.Mask.Equal(m) {
		return false, nil
	}
	if p.commit != nil && p.verify != nil {
		p.verify.follow(p.commit.Snap, snap)
	}
	p.commit = &passage.Commit{Source: p.source, Snap: snap}
	files := *p.files
	p.files.Mask, files.Mask = m, m.Needed(snap)
	if p.passed, err = p.index.Filter(tx, snap, &files); err != nil {
		return false, err
	}
	p.commit.NarrowBy(&files, p.q.Query)
	return true, nil
}

// sift applies the filters that look at chunks: phrases and negations.
func (p *indexSearch) sift(ctx context.Context, tx *store.Tx) error {
	p.left, p.judged = p.passed, judged{}
	if !p.sifts() {
		return nil
	}
	p.verify.analyse(p.opts.Analyzer, p.commit.Languages)
	var err error
	if p.judged, err = p.verify.judge(ctx, tx, p.commit.Snap, p.passed.Allow); err != nil {
		return err
	}
	allow := p.judged.allow
	p.left = snapshot.Left{Allow: allow, Files: p.commit.Snap.CountFiles(allow), Chunks: allow.Len()}
	return nil
}

// sifts reports whether the query has filters that look at chunks.
func (p *indexSearch) sifts() bool { return p.verify != nil && p.passed.Chunks > 0 }

// unread reports whether text has to be read before the filters are applied.
func (l *retrieval) unread() bool {
	return slices.ContainsFunc(l.indexes, func(p *indexSearch) bool { return len(p.judged.unread) > 0 })
}

// copyUnread notes where the chunks stand whose text has to be read.
func (l *retrieval) copyUnread(txs []*store.Tx) error {
	for i, p := range l.indexes {
		if err := p.commit.CopyRecords(txs[i], p.judged.unread); err != nil {
			return err
		}
	}
	return nil
}

// left is how many files and chunks all filters leave.
func (l *retrieval) left() (files, chunks int) {
	for _, p := range l.indexes {
		files, chunks = files+p.left.Files, chunks+p.left.Chunks
	}
	for _, m := range l.machines {
		if m.ranked != nil {
			files, chunks = files+m.ranked.LeftFiles, chunks+m.ranked.LeftChunks
		}
	}
	return files, chunks
}

// newest answers a query of filters alone: the files that pass, last changed
// first, each with the first of its chunks that passes, a log with the last.
func (l *retrieval) newest() []candidate {
	type listed struct {
		file  *store.File
		chunk uint32
	}
	var files []listed
	for _, p := range l.indexes {
		for _, f := range p.commit.Snap.Files {
			passes := false
			for _, id := range f.IDs.All() {
				if !p.left.Allow.Has(id) {
					continue
				}
				if !passes {
					files, passes = append(files, listed{f, snapshot.JointID(p.n, id)}), true
				}
				if snapshot.HasVectors(f) {
					break
				}
				files[len(files)-1].chunk = snapshot.JointID(p.n, id)
			}
		}
	}
	for _, m := range l.machines {
		if m.ranked == nil {
			continue
		}
		for _, c := range m.ranked.Listed {
			files = append(files, listed{m.commit.DistantFile(uint32(c)), m.id(c)})
		}
	}
	slices.SortFunc(files, func(a, b listed) int {
		return cmp.Or(cmp.Compare(b.file.Time(), a.file.Time()), cmp.Compare(a.file.Path, b.file.Path))
	})
	out := make([]candidate, len(files))
	for i, f := range files {
		out[i] = candidate{chunk: f.chunk}
	}
	return out
}
