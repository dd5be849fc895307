package search

import (
	"context"
	"errors"
	"fmt"
	"time"

	"dowse/engine"
	"dowse/engine/layout"
	"dowse/engine/leann"
	"dowse/engine/lexical"
	"dowse/store"
)

// An index whose records are damaged, but not its pages, is searched by what is
// sound of it: by words alone where vectors or codes are damaged, by meaning
// alone where postings are, without the files whose records are. The result
// says so.

// Search implements Searcher.
func (e *Engine) Search(ctx context.Context, req engine.Request, emit func(engine.Event)) (*engine.Result, error) {
	if req.Context != "" {
		return e.converse(ctx, req, emit)
	}
	return e.inquire(ctx, &inquiry{Request: req}, emit)
}

// inquire answers an inquiry.
func (e *Engine) inquire(ctx context.Context, in *inquiry, emit func(engine.Event)) (*engine.Result, error) {
	result, err := e.searchSound(ctx, in, e.opts.Store.Damage(), emit)
	if errors.Is(err, store.ErrCorrupt) && !errors.Is(err, store.ErrBroken) && ctx.Err() == nil {
		// Met only now, by this search or another one.
		damage, found := e.opts.Store.Examine(ctx)
		if found != nil {
			err = found
		} else if damage.Any() {
			result, err = e.searchSound(ctx, in, damage, emit)
		}
	}
	if e.opts.Damaged != nil && (errors.Is(err, store.ErrCorrupt) || err == nil && result.Stats.Damage != "") {
		e.opts.Damaged()
	}
	if err != nil {
		return nil, searchError(ctx, err)
	}
	return result, nil
}

// searchSound searches what a damage leaves, and says that it did.
func (e *Engine) searchSound(ctx context.Context, in *inquiry, damage store.Damage, emit func(engine.Event)) (*engine.Result, error) {
	if !damage.Any() {
		return e.search(ctx, in, emit)
	}
	mode, how, err := soundMode(in.Request, damage)
	if err != nil {
		return nil, err
	}
	in.Mode = mode
	result, err := e.search(ctx, in, emit)
	if err != nil {
		return nil, err
	}
	result.Stats.Damage = fmt.Sprintf("the index is damaged (%v); %s; dowse index repairs it", damage, how)
	if emit != nil {
		emit(engine.Event{Problem: result.Stats.Damage})
	}
	return result, nil
}

// soundMode is the mode in which what a request asks for can be had, and what
// that means.
func soundMode(req engine.Request, damage store.Damage) (mode engine.Mode, how string, err error) {
	q, err := engine.Parse(req.Query, time.Now())
	if err != nil {
		return "", "", err
	}
	switch {
	case damage.Terms && damage.Vectors && q.HasText(),
		damage.Terms && (len(q.Phrases) > 0 || len(q.Without) > 0 || req.Mode == engine.Lexical),
		damage.Vectors && req.Mode == engine.Vector:
		return "", "", fmt.Errorf("%w: what this search needs is damaged (%v)", store.ErrCorrupt, damage)
	case damage.Terms:
		return engine.Vector, "the passages are ranked by meaning alone", nil
	case damage.Vectors:
		return engine.Lexical, "the passages are ranked by words alone", nil
	case damage.Graph && !damage.Files && !damage.Unmended:
		return req.Mode, "it is searched without its graph", nil
	case damage.Files || damage.Unmended:
		return req.Mode, "some files may be missing", nil
	}
	return req.Mode, "the passages may not be the best ones", nil
}

// soundFiles calls fn for the files whose records can be read. That there are
// others must be known, so that the search says so.
func soundFiles(tx *store.Tx, fn func(store.File) error) error {
	damaged, err := tx.SoundFiles(fn)
	if err == nil && damaged && !tx.Damage().Files {
		err = fmt.Errorf("%w: files", store.ErrCorrupt)
	}
	return err
}

// soundErrors reads the error model of estimates; what stands for a measurement that was
// never made does for one that is damaged too.
func soundErrors(tx *store.Tx) (leann.ErrorModel, error) {
	m, err := layout.Errors(tx)
	if errors.Is(err, store.ErrCorrupt) && tx.Damage().Any() {
		return layout.DefaultErrors, nil
	}
	return m, err
}

// soundCollection reads the headers of the postings; an empty collection stands
// for damaged ones, which a search by meaning does not look at.
func soundCollection(tx *store.Tx, live *lexical.Set) (*lexical.Collection, error) {
	c, err := lexical.NewCollection(tx.Postings(), live)
	if errors.Is(err, store.ErrCorrupt) && tx.Damage().Terms {
		return lexical.NewCollection(noPostings{}, live)
	}
	return c, err
}

// noPostings is an index without any.
type noPostings struct{ lexical.Reader }

func (noPostings) Segments() ([]uint32, error) { return nil, nil }
