package indexer

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/dustin/go-humanize"
	"golang.org/x/sync/errgroup"

	"dowse/engine"
	"dowse/engine/leann"
	"dowse/engine/lexical"
	"dowse/indexer/skip"
	"dowse/store"
)

// Bounds of a batch: one transaction. A batch is large enough for the cost of
// a commit (a few writes that wait for the disk, and merges of postings) not to be felt, and small
// enough for a kill to lose seconds of work.
const (
	batchChunks = 4096
	batchFiles  = 512
	batchTime   = 2 * time.Second

	firstBatch = 8 // files: what was written last is found at once; each further batch has twice as many
	// A batch has half of the files that are left at most, or lastBatch where that is more: while the last one is committed
	// nothing else is left to do, and one core rests.
	lastBatch = 32
)

// tally counts the work of a sync.
type tally struct {
	engine.Changed
	skipped  skips
	embedded int          // chunks
	waiting  []store.File // that are gone, and not removed yet
}

// sync brings the index in step with the files at and below scopes. full says
// that scopes are whole roots, so that what was left out is all there is.
// The caller holds ix.turn.
func (ix *Indexer) sync(ctx context.Context, roots, scopes []string, full bool) (done *tally, err error) {
	prog := newProgress(ix.opts.Emit, full)
	prog.phase(engine.Scanning)
	found, err := ix.list(ctx, roots, scopes)
	if err != nil {
		return nil, err
	}
	ix.reportUnread(found.unread, full)
	if full {
		if err := errors.Join(ix.renewReaders(), ix.renewPrograms(), ix.renewEncodings(), ix.renewSecrets(), ix.renewBrowsers()); err != nil {
			return nil, err
		}
	}
	before, err := ix.readRefused()
	if err != nil {
		return nil, err
	}
	now := refused{}
	suspects := ix.suspectsAt(scopes)
	defer func() {
		if err != nil { // whatever was read of them may not be in the index
			ix.suspect(slices.Collect(maps.Keys(suspects)))
		}
	}()
	todo, err := ix.compare(found, scopes, before, now, suspects)
	if err != nil {
		return nil, err
	}
	if err := errors.Join(ix.adoptTimes(todo.adopt), ix.verify(ctx, todo, found, now)); err != nil {
		return nil, err
	}
	if full {
		ix.failed = failed{}
	}
	if ix.postpones.Load() {
		defer ix.later.release()
		if n := ix.postpone(todo); n > 0 && full {
			ix.opts.Emit(engine.Event{Problem: fmt.Sprintf("pictures, sounds and videos that wait for programs of yours: %s; they are read one after the other while dowse runs", humanize.Comma(int64(n)))})
		}
	}
	prog.plan(len(todo.read), todo.bytes())
	s := &session{
		Indexer: ix,
		prog:    prog,
		room:    newRoom(ix.opts.Prepared, ix.opts.Ledger),
		done:    tally{skipped: found.skipped},
		refused: now,
	}
	if s.donors, err = ix.newDonors(todo); err != nil {
		return nil, err
	}
	if full { // what could not be embedded may be there again
		ix.behind.forget()
	}
	if len(todo.read)+len(todo.gone) > 0 {
		if err := s.run(ctx, todo, full); err != nil {
			ix.behind.forget()
			s.refused.keep(before) // what was not looked at is as it was
			return nil, errors.Join(err, s.noteRefused(before, s.refused))
		}
	}
	if !full || slices.ContainsFunc(roots, func(root string) bool { return !slices.Contains(scopes, root) }) {
		s.refused.keep(before) // of a root that was not looked at, perhaps
	}
	if full {
		err = s.noteLeft(scopes, before)
	} else {
		err = s.noteRefused(before, s.refused)
	}
	if err != nil {
		return nil, err
	}
	if err := s.finish(ctx, full); err != nil {
		return nil, err
	}
	prog.phase(engine.Idle)
	return &s.done, nil
}

// finish embeds what lacks a vector and makes the index small, or leaves both to embedLater.
func (s *session) finish(ctx context.Context, full bool) error {
	if s.postpones.Load() {
		s.Indexer.behind.add(s.behind)
		s.catchUpSoon(full)
		return nil
	}
	err := s.embedAll(ctx)
	if errors.Is(err, engine.ErrNoVectors) {
		return errors.Join(fmt.Errorf("files that are new or changed are found by words alone for now: %w", err), s.mergeDue(ctx))
	}
	if err != nil {
		return err
	}
	return s.compress(ctx, full)
}

// noteLeft ends a look at whole roots: it stores and reports the files left out.
func (s *session) noteLeft(scopes []string, before refused) error {
	if n := s.done.skipped.total()[string(skip.NoReader)]; n > 0 {
		s.opts.Emit(engine.Event{Problem: fmt.Sprintf("files left out because what reads them is not installed: %d; dowse doctor says what is missing, and how to get it", n)})
	}
	s.failed.end(s.opts.Emit)
	return errors.Join(s.noteRefused(before, s.refused), s.noteSkips(scopes, s.done.skipped))
}

// session is one sync at work.
type session struct {
	*Indexer
	prog   *progress
	donors *donors
	room   *room
	probes probes
	behind []lackingFile // whose words are committed, and that are to be embedded
	open   *openText     // of the last file that was read to be embedded: the next step may go on with it
	done   tally

	postings *lexical.Builder // of a batch; its memory serves all

	refused refused // files that have nothing to index
}

// run brings the words of files into the index, and takes out files that are gone. Where programs of the person's
// are asked about some, which takes hours, all others are embedded before.
func (s *session) run(ctx context.Context, todo *plan, full bool) error {
	late := slices.IndexFunc(todo.read, func(j job) bool { return s.isLate(j.Path) })
	if late < 0 || s.postpones.Load() { // nothing waits for them where folders are watched
		late = len(todo.read)
	}
	if err := s.indexWords(ctx, todo.read[:late]); err != nil {
		return err
	}
	if late < len(todo.read) {
		if err := s.embedAll(ctx); err != nil {
			return err
		}
		if err := s.indexWords(ctx, todo.read[late:]); err != nil {
			return err
		}
	}
	// Last, because files that are gone lend their vectors to renamed ones. Unless everything was looked at, such a file
	// may be about to turn up.
	gone := todo.gone
	if !full {
		gone, s.done.waiting = s.ripe(gone)
	}
	if len(gone) > 0 {
		if err := s.commit(ctx, nil, gone); err != nil {
			return err
		}
	}
	return nil
}

// prepareAhead is how many files are begun, at most, before the first of them is committed.
// They are committed in their order, so that one that takes long to read (a PDF of a thousand
// pages takes half a minute) has to be begun while there is enough to read before it. Their
// room bounds what that takes of memory.
const prepareAhead = 1024

// indexWords pushes files through three stages that work at the same time: read and cut (as many
// at a time as there are threads), gather, commit.
func (s *session) indexWords(ctx context.Context, jobs []job) error {
	group, stage := errgroup.WithContext(ctx)
	cutFiles := make(chan (<-chan *prepared), prepareAhead)
	batches := make(chan []*prepared)
	group.Go(func() error {
		defer close(cutFiles)
		return s.prepareAll(stage, jobs, cutFiles)
	})
	group.Go(func() error {
		defer close(batches)
		return s.gatherAll(stage, len(jobs), cutFiles, batches)
	})
	group.Go(func() error {
		for batch := range batches {
			if err := s.commit(stage, batch, nil); err != nil {
				return err
			}
			for _, p := range batch {
				s.room.leave(p)
			}
		}
		return nil
	})
	return group.Wait()
}

// compress makes the index as small as it gets: without vectors that a code
// can stand for, without what is gone, without free pages. After everything was
// looked at nothing is left of what is gone. Merges that are due come here, behind the words, which are found without
// them, and behind the vectors.
func (s *session) compress(ctx context.Context, full bool) error {
	start := time.Now()
	defer func() { s.opts.Clock.add(clockCompress, start) }()
	quantized, err := s.quantize(ctx, full)
	switch {
	case err != nil:
		return err
	case !full && !quantized:
		return s.mergeDue(ctx)
	}
	if err := s.vacuumCodes(ctx, leann.VacuumShare); err != nil {
		return err
	}
	if err := s.mergeAll(ctx); err != nil {
		return err
	}
	if err := s.mergeDue(ctx); err != nil { // of segments beside one that has nearly everything
		return err
	}
	if full {
		if has, err := s.hasTraces(); err != nil || has {
			return errors.Join(err, s.erase(ctx))
		}
	}
	return s.vacuumFile(ctx)
}
