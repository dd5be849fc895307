package search

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"dowse/engine"
	"dowse/engine/layout"
	"dowse/store"
)

// An engine may have others beside it, each with an index and an embedder of its own: those
// of folders that a person gave another model. A search asks all of them. Words are counted
// over all together (lexical.Joint), vectors are compared with those of the same embedder
// alone, and both lists are merged before they are fused, with cosines on the scale that
// rankings are fused on. So chunks that lie in two indexes of one embedder rank as if they
// lay in one.
//
// Which of two indexes shows a folder is noted in the one beside (layout.Shown). What else
// holds files of it, while it moves from one to the other, leaves them out.

// beside are the engines that are searched with one.
type beside struct {
	mu   sync.Mutex
	list []*Engine
}

// idBits are the bits of a chunk id that are the index's own. Above them stands which of the
// indexes it is of, 0 for the engine's own, so that the ids of a result are unique and mean
// the same after a commit.
const idBits = 28

// jointID is the id of a chunk of a part among those of all parts.
func jointID(part int, chunk uint32) uint32 { return uint32(part)<<idBits | chunk }

// splitID is the inverse of jointID.
func splitID(id uint32) (part int, chunk uint32) { return int(id >> idBits), id & (1<<idBits - 1) }

// Beside makes an engine over another index that is searched with this one, once it is
// joined. Who has subscribed to this one is told what the other publishes.
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

// viewAll runs fn with a transaction of each engine's store.
func viewAll(engines []*Engine, fn func(txs []*store.Tx) error) error {
	txs := make([]*store.Tx, 0, len(engines))
	var open func() error
	open = func() error {
		if len(txs) == len(engines) {
			return fn(txs)
		}
		return engines[len(txs)].opts.Store.View(func(tx *store.Tx) error {
			txs = append(txs, tx)
			return open()
		})
	}
	return open()
}

// mask says which files of an index count.
type mask struct {
	only  []string // folders that alone do, where one is set
	set   bool
	other []string // folders that do not
}

// masksOf are those of an engine's index and of the ones beside it.
func masksOf(txs []*store.Tx) ([]mask, error) {
	masks := make([]mask, len(txs))
	for i, tx := range txs[1:] {
		shown, err := layout.Shown(tx)
		if err != nil {
			return nil, err
		}
		masks[i+1] = mask{only: shown, set: true}
		masks[0].other = append(masks[0].other, shown...)
	}
	return masks, nil
}

// maskBeside is the mask of this engine's own index.
func (e *Engine) maskOf(engines []*Engine) (m mask, err error) {
	if len(engines) == 1 {
		return m, nil
	}
	err = viewAll(engines, func(txs []*store.Tx) error {
		masks, err := masksOf(txs)
		if err == nil {
			m = masks[slices.Index(engines, e)]
		}
		return err
	})
	return m, err
}

// equal reports whether two masks leave out the same.
func (m mask) equal(o mask) bool {
	return m.set == o.set && slices.Equal(m.only, o.only) && slices.Equal(m.other, o.other)
}

// admits reports whether a file at a path counts.
func (m mask) admits(path string) bool {
	within := func(dir string) bool { return below(path, dir) }
	return (!m.set || slices.ContainsFunc(m.only, within)) && !slices.ContainsFunc(m.other, within)
}

// needed is the mask where a file of the snapshot does not count, and else none: mostly
// nothing moves, and all files count.
func (m mask) needed(s *snapshot) mask {
	if m.set || len(m.other) > 0 {
		for _, f := range s.files {
			if !m.admits(f.Path) {
				return m
			}
		}
	}
	return mask{}
}

// examine looks what is damaged in the indexes.
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

// damageOf is what is known to be damaged in the indexes.
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

// holding returns the engine whose index shows a file, and which of them it is: this one
// where none does.
func (e *Engine) holding(engines []*Engine, path string) (at int, err error) {
	if len(engines) == 1 {
		return 0, nil
	}
	err = viewAll(engines, func(txs []*store.Tx) error {
		masks, err := masksOf(txs)
		for i := range masks[min(1, len(masks)):] {
			if masks[i+1].admits(path) {
				at = i + 1
			}
		}
		return err
	})
	return at, err
}

// modesOf are the mode of a search and those in which each index is searched: by words alone
// where its vectors are not those of its embedder, which is said.
func modesOf(engines []*Engine, mode engine.Mode, estimate bool, rec *recorder) (engine.Mode, []engine.Mode, error) {
	if len(engines) == 1 {
		mode, err := engines[0].byWords(mode, estimate, rec)
		return mode, []engine.Mode{mode}, err
	}
	modes, with, why := make([]engine.Mode, len(engines)), 0, ""
	for i, e := range engines {
		modes[i] = mode
		if e.opts.ByWords != "" && mode != engine.Lexical {
			modes[i], why = engine.Lexical, e.opts.ByWords
			continue
		}
		with++
	}
	switch {
	case why == "":
		return mode, modes, nil
	case with == 0 && mode == engine.Vector:
		return "", nil, fmt.Errorf("%w: the passages cannot be ranked by meaning alone: %s", engine.ErrQuery, why)
	case mode == engine.Vector:
		rec.stats.ByWords = "some passages are left out: " + why
	default:
		rec.stats.ByWords = "some passages are ranked by words alone: " + why
	}
	if with == 0 {
		mode = engine.Lexical
	}
	if !estimate {
		rec.problem(rec.stats.ByWords)
	}
	return mode, modes, nil
}
