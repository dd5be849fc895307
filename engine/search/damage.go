package search

import (
	"context"
	"errors"
	"fmt"
	"time"

	"dowse/engine"
	"dowse/store"
)

// An index whose records are damaged, but not its pages, is searched by what is
// sound of it: by words alone where vectors or codes are damaged, by meaning
// alone where postings are, without the files whose records are. What a passage is like
// is looked for among the vectors and codes that are sound. The result says so.

// Search implements Searcher.
func (e *Engine) Search(ctx context.Context, req engine.Request, emit func(engine.Event)) (*engine.Result, error) {
	e = e.present()
	if req.Context != "" {
		return e.converse(ctx, req, nil, emit)
	}
	return e.inquire(ctx, &inquiry{Request: req}, emit)
}

// inquire answers an inquiry.
func (e *Engine) inquire(ctx context.Context, in *inquiry, emit func(engine.Event)) (result *engine.Result, err error) {
	engines, leave := e.engines()
	defer leave()
	if in.machines != nil && in.machines.without {
		engines = []*Engine{}
	}
	in.engines = engines
	err = e.soundly(ctx, engines, func(damage store.Damage) (told string, err error) {
		if result, err = e.searchSound(ctx, in, damage, emit); err != nil {
			return "", err
		}
		return result.Stats.Damage, nil
	})
	if err != nil {
		return nil, err
	}
	return result, nil
}

// soundly runs look with the damage that is known of the indexes, and once more with all of it
// where look meets damage that was not known. look returns what it told people of the damage.
func (e *Engine) soundly(ctx context.Context, engines []*Engine, look func(damage store.Damage) (told string, err error)) error {
	told, err := look(damageOf(engines))
	if errors.Is(err, store.ErrCorrupt) && !errors.Is(err, store.ErrBroken) && ctx.Err() == nil {
		// Met only now, by this search or another one.
		damage, found := examine(ctx, engines)
		if found != nil {
			err = found
		} else if damage.Any() {
			told, err = look(damage)
		}
	}
	if e.opts.Damaged != nil && (errors.Is(err, store.ErrCorrupt) || err == nil && told != "") {
		e.opts.Damaged()
	}
	if err != nil {
		return searchError(ctx, err)
	}
	return nil
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
	result.Stats.Damage = tellDamage(damage, how, emit)
	return result, nil
}

// tellDamage says that there is a damage and how it was gone about.
func tellDamage(damage store.Damage, how string, emit func(engine.Event)) string {
	told := fmt.Sprintf("the index is damaged (%v); %s; dowse index repairs it", damage, how)
	if emit != nil {
		emit(engine.Event{Problem: told})
	}
	return told
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
		damage.Terms && (len(q.Phrases)+len(q.Without)+len(q.Exact) > 0 || req.Mode == engine.Lexical),
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

// soundLikeness says what a damage means to a look for passages like another one, which
// needs neither postings nor graph; "" where it means nothing.
func soundLikeness(damage store.Damage) string {
	switch {
	case damage.Vectors:
		return "passages whose vectors or codes are damaged are left out"
	case damage.Files || damage.Unmended:
		return "some files may be missing"
	case damage.Any() && !damage.Terms && !damage.Graph:
		return "the passages may not be the best ones"
	}
	return ""
}
