package indexes

import (
	"cmp"
	"context"
	"fmt"

	"dowse/engine"
	"dowse/indexer"
	"dowse/store"
)

// Status implements engine.Searcher, with what only the process knows.
func (s *Stack) Status(ctx context.Context) (*engine.Status, error) {
	return within(ctx, &s.gate, s.status)
}

func (s *Stack) status(ctx context.Context) (*engine.Status, error) {
	st, err := s.Engine.Status(ctx)
	if err != nil {
		return nil, err
	}
	st.Watching, st.Waiting = s.watching.Load(), cmp.Or(s.indexer.Blocked(), s.calm.Why())
	if st.Lacking, err = indexer.Lacking(ctx, s.DB); err != nil {
		return nil, err
	}
	left, err := s.indexer.Left()
	if err != nil {
		return nil, err
	}
	st.Skipped, st.SkippedFiles, st.Partial = left.Skipped, left.Files, left.Partial
	if !st.Watching {
		st.Owner = 0
	}
	// Conversations that cannot be read say so where they are listed.
	st.Conversations, _ = s.conversations.Status()
	if b := s.limiter.Limits(); b.Full > 0 {
		st.Budget = &engine.Budget{Bytes: b.After, Full: b.Full}
	}
	if fi := s.folderIndex.Load(); fi != nil {
		if err := fi.addStatus(ctx, st); err != nil {
			return nil, err
		}
	}
	if st.Named, err = s.listFolders(st.Progress); err != nil {
		return nil, err
	}
	s.addPackStatus(st)
	if s.addFolderModels != nil {
		if err := s.addFolderModels(ctx, st); err != nil {
			return nil, err
		}
	}
	st.Writer, st.Servers = s.Models.Chosen().Writer.Use(), s.servers
	if s.byWords {
		st.Model = ""
	}
	if s.pending != nil {
		st.Change = s.pending(st)
	}
	return st, nil
}

// LeftOut implements engine.Lister.
func (s *Stack) LeftOut(ctx context.Context) ([]engine.LeftOut, error) {
	ctx, leave, err := s.gate.enter(ctx)
	if err != nil {
		return nil, err
	}
	defer leave()
	left, err := s.indexer.LeftOut(ctx)
	if fi := s.folderIndex.Load(); err == nil && fi != nil {
		var more []engine.LeftOut
		more, err = fi.leftOut(ctx)
		left = append(left, more...)
	}
	return left, err
}

// Check implements engine.Service.
func (s *Stack) Check(ctx context.Context, emit func(engine.Event)) (*engine.CheckReport, error) {
	ctx, leave, err := s.gate.enter(ctx)
	if err != nil {
		return nil, err
	}
	defer leave()
	tell := func(problem string) {
		if emit != nil {
			emit(engine.Event{Problem: problem})
		}
	}
	sum, blocks, err := s.indexer.Check(ctx, func(p store.Problem) { tell(p.String()) })
	if err != nil {
		return nil, fmt.Errorf("the check could not be finished: %w", err)
	}
	if fi := s.folderIndex.Load(); fi != nil {
		more, moreBlocks, err := fi.check(ctx, func(p store.Problem) { tell("folders with a model of their own: " + p.String()) })
		if err != nil {
			return nil, fmt.Errorf("the check of folders with a model of their own could not be finished: %w", err)
		}
		sum.Files, sum.Chunks, sum.Problems, blocks = sum.Files+more.Files, sum.Chunks+more.Chunks, sum.Problems+more.Problems, blocks+moreBlocks
	}
	if err := s.checkPacks(ctx, &sum, tell); err != nil {
		return nil, fmt.Errorf("the check of packs could not be finished: %w", err)
	}
	report := &engine.CheckReport{Files: sum.Files, Chunks: sum.Chunks, Blocks: blocks, Problems: sum.Problems}
	report.Keys, err = s.Models.Keys.Check(ctx, func(problem string) {
		tell("keys and values of conversations: " + problem + "; what is lost of them is computed again")
	})
	if err != nil {
		return nil, fmt.Errorf("the check of conversations could not be finished: %w", err)
	}
	st, err := s.Engine.Status(ctx)
	switch {
	case err == nil:
		report.Bytes = st.Bytes["total"]
		if fi := s.folderIndex.Load(); fi != nil {
			if more, err := fi.Status(ctx); err == nil {
				report.Bytes += more.Bytes["total"]
			}
		}
	case sum.Problems == 0:
		return nil, err
	}
	return report, nil
}
