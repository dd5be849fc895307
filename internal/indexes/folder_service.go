package indexes

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"

	"dowse/engine"
	"dowse/internal/config"
	"dowse/store"
)

// addStatus adds what the index holds to the status of the main one.
func (o *folderIndex) addStatus(ctx context.Context, st *engine.Status) error {
	ctx, leave, err := o.gate.enter(ctx)
	if err != nil {
		return nil // it is just being dropped, and shows nothing
	}
	defer leave()
	added, err := o.Status(ctx)
	if err != nil {
		return err
	}
	st.Files, st.Chunks, st.TextBytes = st.Files+added.Files, st.Chunks+added.Chunks, st.TextBytes+added.TextBytes
	for name, n := range added.Bytes {
		st.Bytes[name] += n
	}
	for _, root := range added.Roots {
		if !slices.Contains(st.Roots, root) {
			st.Roots = append(st.Roots, root)
		}
	}
	if added.Updated.After(st.Updated) {
		st.Updated = added.Updated
	}
	st.Waiting = cmp.Or(st.Waiting, o.indexer.Blocked())
	left, err := o.indexer.Left()
	for why, n := range left.Skipped {
		st.Skipped[why] += n
		st.SkippedFiles[why] = append(st.SkippedFiles[why], left.Files[why]...)
	}
	st.Partial = append(st.Partial, left.Partial...)
	return err
}

// leftOut lists what of the folders of the index is not in it.
func (o *folderIndex) leftOut(ctx context.Context) ([]engine.LeftOut, error) {
	ctx, leave, err := o.gate.enter(ctx)
	if err != nil {
		return nil, nil // it is being replaced, or closed
	}
	defer leave()
	return o.indexer.LeftOut(ctx)
}

// check verifies every record of the index.
func (o *folderIndex) check(ctx context.Context, report func(store.Problem)) (sum store.Summary, blocks int, err error) {
	ctx, leave, err := o.gate.enter(ctx)
	if err != nil {
		return sum, 0, nil
	}
	defer leave()
	return o.indexer.Check(ctx, report)
}

// watch follows the folders of the index until ctx ends, and has it repaired when a search
// meets damage. One without its embedder is left as it is.
func (o *folderIndex) watch(ctx context.Context) {
	if o.byWords != "" {
		return
	}
	ctx, leave, err := o.gate.enter(ctx)
	if err != nil {
		return
	}
	defer leave()
	var beside sync.WaitGroup
	defer beside.Wait()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	tell := func(what string, err error) {
		if err != nil && ctx.Err() == nil {
			o.Publish(engine.Event{Problem: fmt.Sprintf("folders with a model of their own: %s: %v", what, err)})
		}
	}
	beside.Go(func() {
		for {
			select {
			case <-ctx.Done():
				return
			case <-o.damaged:
				_, err := o.indexer.Run(ctx, nil)
				tell("the index could not be repaired", err)
			}
		}
	})
	if roots, err := o.indexer.Roots(); err == nil && len(roots) == 0 {
		<-ctx.Done()
		return
	}
	err = o.indexer.Watch(ctx, nil, func() {
		beside.Go(func() { tell("vectors could not be computed ahead, so searches take longer", o.Warm(ctx)) })
	})
	tell("they are not kept fresh", err)
}

// whyNot is indexer.WhyNot of the index that shows a path.
func (s *Stack) whyNot(path string) (string, error) {
	for _, at := range s.packPaths() {
		if inside(path, []string{at}) {
			return fmt.Sprintf("the pack %s has no such file", at), nil
		}
	}
	if fi := s.folderIndex.Load(); fi != nil && inside(path, s.shownByFolders.get()) {
		return fi.indexer.WhyNot(path)
	}
	return s.indexer.WhyNot(path)
}

// folderModels adds to a status the folders that have an embedder of their own, are to have one by
// want, or go back to the main index. problem is why none moves.
func (s *Stack) folderModels(st *engine.Status, want config.Folders, problem string) error {
	fi, shown := s.folderIndex.Load(), s.shownByFolders.get()
	roots, err := s.indexer.Roots()
	if err != nil {
		return nil // what is damaged is told elsewhere
	}
	for _, folder := range outermost(slices.Concat(shown, want.Paths)) {
		f := engine.FolderModel{Folder: folder, Model: s.from()}
		here, there, to := s.DB, (*store.DB)(nil), want.Model
		if fi != nil {
			there = fi.db
		}
		if inside(folder, shown) {
			here, there, f.Model = fi.db, s.DB, fi.name
			if fi.byWords != "" {
				f.Model, f.Problem = "", fi.byWords
			}
			if !inside(folder, want.Paths) {
				to = st.Model
			}
		} else if len(rootsWithin(folder, roots)) == 0 {
			continue // it is not indexed
		}
		shows, err := holdings(here, folder)
		if err != nil {
			return err
		}
		hides, err := holdings(there, folder)
		if err != nil {
			return err
		}
		f.Files, f.Chunks = shows.files, shows.chunks
		st.Files, st.Chunks, st.TextBytes = st.Files-hides.files, st.Chunks-hides.chunks, st.TextBytes-hides.text // each counts once
		if to != f.Model && !(fi != nil && fi.byWords != "" && to == fi.name) {
			f.To, f.Done = to, hides.chunks
			if f.Problem == "" {
				f.Problem = problem
			}
		}
		st.Folders = append(st.Folders, f)
	}
	return nil
}
