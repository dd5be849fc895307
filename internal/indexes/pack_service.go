package indexes

import (
	"context"
	"errors"
	"time"

	"dowse/engine"
	"dowse/internal/config"
	"dowse/store"
)

// packFolder tells of a pack what is told of folders.
func (s *Stack) packFolder(of engine.NamedFolder) (f engine.Folder, err error) {
	f = engine.Folder{NamedFolder: of, Pack: true, State: engine.Packed, Named: s.settings.place(of.Path).Name != ""}
	p, why := s.packs.of(of.Path)
	switch {
	case p == nil && why == nil:
		return f, nil // it is just being added, or removed
	case p == nil:
		f.State, f.Why = engine.Refused, why.Error()
		if at := s.settings.place(of.Path).Pack; !store.OnServer(at) && missing(at) {
			f.State = engine.Gone
		}
		return f, nil
	}
	_, leave, err := p.gate.enter(context.Background())
	if err != nil {
		return f, nil //nolint:nilerr // likewise
	}
	defer leave()
	f.Model, f.Why = p.model, p.byWords
	err = p.db.View(func(tx *store.Tx) error {
		counts, err := tx.RootCounts()
		c := counts[of.Path]
		f.Files, f.Chunks, f.TextBytes = c.Files, c.Chunks, c.TextBytes
		if p.info != nil {
			f.Bytes = p.info.Size()
		}
		if c.Newest != 0 {
			f.Newest = time.Unix(0, c.Newest)
		}
		return err
	})
	if errors.Is(err, store.ErrCorrupt) {
		f.State, f.Why, err = engine.Refused, packError(err).Error(), nil
	}
	return f, err
}

// addPackStatus adds to a status what packs hold.
func (s *Stack) addPackStatus(st *engine.Status) {
	for _, f := range st.Named {
		if f.Pack {
			st.Files, st.Chunks, st.TextBytes = st.Files+f.Files, st.Chunks+f.Chunks, st.TextBytes+f.TextBytes
			st.Roots = append(st.Roots, f.Path)
		}
	}
}

// checkPacks verifies every byte and record of packs, those too that are not open.
func (s *Stack) checkPacks(ctx context.Context, sum *store.Summary, tell func(string)) error {
	for _, p := range s.packPlaces() {
		more, err := checkPack(ctx, p, func(problem string) { tell(p.Pack + ": " + problem) })
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			tell(p.Pack + " " + packError(err).Error())
			sum.Problems++
		}
		sum.Files, sum.Chunks, sum.Problems = sum.Files+more.Files, sum.Chunks+more.Chunks, sum.Problems+more.Problems
	}
	return nil
}

func checkPack(ctx context.Context, of config.Place, tell func(string)) (sum store.Summary, err error) {
	db, err := store.OpenPack(ctx, of.Pack, of.Path)
	if err != nil {
		return sum, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	return db.Check(ctx, func(p store.Problem) { tell(p.String()) })
}
