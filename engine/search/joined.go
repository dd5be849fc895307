package search

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"dowse/engine"
	"dowse/engine/search/passage"
	"dowse/engine/search/snapshot"
	"dowse/store"
)

// An engine may have others beside it, each with an index and an embedder of its own: those
// of folders that a person gave another model. A search asks all of them. Words are counted
// over all together (lexical.Joint), vectors are compared with those of the same embedder
// alone, and both lists are merged before they are fused, with cosines on the scale that
// rankings are fused on. So chunks that lie in two indexes of one embedder rank as if they
// lay in one.
//
// The index beside notes the folders that it shows (layout.Shown). Another index that holds files
// of them too, while a folder moves, leaves those files out.

// joined are the engines that are searched with one.
type joined struct {
	mu   sync.Mutex
	list []*Engine
}

// Beside makes an engine over another index that is searched with this one, once it is
// joined. Subscribers of this one get the events of the other.
func (e *Engine) Beside(opts Options) *Engine {
	next := New(opts)
	next.hub, next.searching = e.hub, e.searching
	return next
}

// Join has searches that begin from now on ask another engine too.
func (e *Engine) Join(other *Engine) {
	e.others.mu.Lock()
	defer e.others.mu.Unlock()
	e.others.list = append(slices.Clone(e.others.list), other)
}

// Part is the inverse of Join. It waits for the searches that have begun.
func (e *Engine) Part(other *Engine) {
	e.others.mu.Lock()
	e.others.list = slices.DeleteFunc(slices.Clone(e.others.list), func(o *Engine) bool { return o == other })
	e.others.mu.Unlock()
	other.users.Wait()
}

// engines are this one and those beside it, which stay open until leave is called.
func (e *Engine) engines() (all []*Engine, leave func()) {
	e.others.mu.Lock()
	defer e.others.mu.Unlock()
	list := e.others.list
	for _, o := range list {
		o.users.Add(1)
	}
	return append([]*Engine{e}, list...), func() {
		for _, o := range list {
			o.users.Done()
		}
	}
}

// maskOf is the mask of this engine's own index.
func (e *Engine) maskOf(engines []*Engine) (m snapshot.Mask, err error) {
	if len(engines) == 1 {
		return m, nil
	}
	err = snapshot.ViewAll(indexesOf(engines), func(txs []*store.Tx) error {
		masks, err := snapshot.Masks(txs)
		if err == nil {
			m = masks[slices.Index(engines, e)]
		}
		return err
	})
	return m, err
}

// indexesOf are those of engines.
func indexesOf(engines []*Engine) []*snapshot.Index {
	all := make([]*snapshot.Index, len(engines))
	for i, e := range engines {
		all[i] = e.index
	}
	return all
}

// examine looks for damage in the indexes.
func examine(ctx context.Context, engines []*Engine) (all store.Damage, err error) {
	for _, e := range engines {
		d, err := e.opts.Store.Examine(ctx)
		if err != nil {
			return d, err
		}
		all = bothDamages(all, d)
	}
	return all, nil
}

// damageOf is the damage that is known of the indexes.
func damageOf(engines []*Engine) (all store.Damage) {
	for _, e := range engines {
		all = bothDamages(all, e.opts.Store.Damage())
	}
	return all
}

// bothDamages is what two indexes have suffered.
func bothDamages(a, b store.Damage) store.Damage {
	return store.Damage{
		Records: append(slices.Clip(a.Records), b.Records...), Files: a.Files || b.Files, Vectors: a.Vectors || b.Vectors,
		Terms: a.Terms || b.Terms, Graph: a.Graph || b.Graph, Lost: a.Lost || b.Lost, Unmended: a.Unmended || b.Unmended,
	}
}

// holding returns which of the engines has the index that shows a file: the first where none does.
func (e *Engine) holding(engines []*Engine, path string) (at int, err error) {
	if len(engines) == 1 {
		return 0, nil
	}
	err = snapshot.ViewAll(indexesOf(engines), func(txs []*store.Tx) error {
		masks, err := snapshot.Masks(txs)
		for i := range masks[min(1, len(masks)):] {
			if masks[i+1].Admits(path) {
				at = i + 1
			}
		}
		return err
	})
	return at, err
}

// Preview implements Searcher. Lines are those of the extracted text; for a
// file that is indexed as it is, those are the lines of the file.
func (e *Engine) Preview(ctx context.Context, p engine.Passage, before, after int) (*engine.Preview, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	engines, leave := e.engines()
	defer leave()
	of, err := mayRead(engines, p.Path)
	if err != nil {
		return nil, err
	}
	text, err := of.opts.Texts.Text(p.Path)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", engine.ErrFileGone, err)
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return passage.Preview(text, p, before, after), nil
}

// mayRead refuses paths that are in none of the indexes: a client of the socket may
// read what was indexed through it, and nothing else. It returns the engine whose index
// has the path.
func mayRead(engines []*Engine, path string) (of *Engine, err error) {
	err = snapshot.ViewAll(indexesOf(engines), func(txs []*store.Tx) error {
		for i, tx := range txs {
			_, err := tx.FileByPath(path)
			if err == nil {
				of = engines[i]
			}
			if !errors.Is(err, store.ErrNotFound) {
				return err
			}
		}
		return engine.ErrFileGone
	})
	return of, err
}
