package indexes

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"dowse/engine"
	"dowse/engine/layout"
	"dowse/internal/config"
	"dowse/store"
)

// A folder moves from one index to the other by being indexed there from its files while it
// is searched where it was; then the one transaction that notes who shows it (layout.Shown)
// has searches find it in the other, and what the first held of it is dropped. What is left
// to do follows from the settings and what the two indexes hold, so that whoever owns them
// next goes on after a kill.

// move brings the folders of the index in step with the settings: those that have lost
// their own embedder go back, and those that have got one go to its index. named are folders
// that a person wants indexed with it.
// With refresh all folders with an embedder of their own are looked at, moved or not.
func (o *Owner) move(ctx context.Context, named []string, refresh bool) (*engine.IndexReport, error) {
	if err := o.changing.Acquire(ctx, 1); err != nil {
		return nil, err
	}
	defer o.changing.Release(1)
	m := &mover{Owner: o, s: o.Stack(), want: o.ahead.ownFolders(), named: named, refresh: refresh}
	err := m.run(ctx)
	o.ahead.moved(ctx, err)
	return &m.report, err
}

// mover is a move under way.
type mover struct {
	*Owner
	s     *Stack
	want  config.Folders
	named []string

	refresh bool
	report  engine.IndexReport
}

func (m *mover) run(ctx context.Context) error {
	if m.s.byWords {
		return nil // it is built anew first
	}
	if err := m.back(ctx); err != nil {
		return err
	}
	if err := m.out(ctx); err != nil {
		return err
	}
	return m.tidy(ctx)
}

// catchUp indexes what is new until little is, so that little changes while nobody writes.
func (m *mover) catchUp(ctx context.Context, run func(context.Context, []string) (*engine.IndexReport, error)) error {
	for {
		report, err := run(ctx, nil)
		if err != nil {
			return err
		}
		m.report = addReports(m.report, *report)
		if report.Embedded <= few {
			return nil
		}
	}
}

// addReports sums two runs; files and passages are those of the later one.
func addReports(a, b engine.IndexReport) engine.IndexReport {
	b.Added, b.Updated, b.Removed, b.Embedded, b.Seconds = a.Added+b.Added, a.Updated+b.Updated, a.Removed+b.Removed, a.Embedded+b.Embedded, a.Seconds+b.Seconds
	if b.Seconds > 0 {
		b.Rate = float64(b.Embedded) / b.Seconds
	}
	return b
}

// pause runs do while nobody writes. Who watches begins again afterwards.
func (m *mover) pause(do func() error) error {
	m.turning.Lock()
	defer m.turning.Unlock()
	m.s.gate.hold()
	defer m.s.gate.resume()
	return do()
}

// back moves folders to the index of the rest that the settings give no embedder any more, or
// another one than they have.
func (m *mover) back(ctx context.Context) error {
	own := m.s.own.Load()
	if own == nil {
		return nil
	}
	keep := m.want.Paths
	switch _, err := m.opener.PackPath(m.want.Model); {
	case m.want.Model != own.name:
		keep = nil
	case own.byWords != "" && err != nil:
		return fmt.Errorf("%s: %w", strings.Join(keep, ", "), err)
	case own.byWords != "":
		keep = nil // a model of the same name is installed that is another one
	}
	roots, err := own.indexer.Roots()
	if err != nil {
		return err
	}
	stays := func(folder string) bool { return inside(folder, keep) }
	shown := shownBy(own.db)
	leaving, left := slices.DeleteFunc(slices.Clone(roots), stays), slices.DeleteFunc(slices.Clone(roots), func(r string) bool { return !stays(r) })
	still := slices.DeleteFunc(slices.Clone(shown), func(f string) bool { return !stays(f) })
	if len(leaving) == 0 && len(still) == len(shown) && len(roots) > 0 {
		return nil
	}
	for _, root := range leaving {
		if missing(root) {
			return fmt.Errorf("%s is not there; it gets the model of the other folders when it is", root)
		}
	}
	if len(leaving) > 0 {
		m.s.elsewhere.set(still)
		if err := m.s.indexer.AddRoots(ctx, leaving); err != nil {
			return err
		}
		if err := m.catchUp(ctx, m.s.indexer.Run); err != nil {
			return err
		}
	}
	err = m.pause(func() error {
		if len(leaving) > 0 {
			if _, err := m.s.indexer.Run(ctx, nil); err != nil {
				return err
			}
		}
		err := own.db.Update(func(tx *store.Tx) error { return errors.Join(layout.PutShown(tx, still), tx.PutRoots(left)) })
		if err == nil && len(left) == 0 {
			m.s.own.Store(nil)
		}
		return err
	})
	if err != nil {
		return err
	}
	if len(left) == 0 {
		m.leaving.Wait() // of stacks that ask it too
		return own.drop(m.opener, m.s)
	}
	return own.indexer.Forget(ctx, leaving)
}

// outing is what the index of folders with an embedder of their own has, and is to have.
type outing struct {
	own          *ownIndex // nil where there is none yet
	known, roots []string
	shown, show  []string
	at           []string // of show, those that can be shown at once: nothing of them is found elsewhere
}

// plan says which folders are to move to their own embedder.
func (m *mover) plan() (p outing, err error) {
	rest, err := m.s.indexer.Roots()
	if err != nil {
		return p, err
	}
	if p.own = m.s.own.Load(); p.own != nil {
		if p.known, err = p.own.indexer.Roots(); err != nil {
			return p, err
		}
		p.shown = shownBy(p.own.db)
	}
	p.roots, p.show, p.at = slices.Clone(p.known), slices.Clone(p.shown), slices.Clone(p.shown)
	for _, folder := range m.want.Paths {
		within := rootsWithin(folder, slices.Concat(rest, m.named, p.known))
		if len(within) == 0 {
			continue // it is not indexed
		}
		held, err := holdings(m.s.DB, folder)
		switch {
		case err != nil:
			return p, err
		case held.files > 0 && !inside(folder, p.shown) && missing(folder):
			return p, fmt.Errorf("%s is not there; it gets its own model when it is", folder)
		case held.files == 0:
			p.at = append(p.at, folder)
		}
		p.roots, p.show = append(p.roots, within...), append(p.show, folder)
	}
	p.roots, p.show, p.at = outermost(p.roots), outermost(p.show), outermost(p.at)
	return p, nil
}

// begin has the index show what can be shown at once.
func (m *mover) begin(ctx context.Context, p *outing) (err error) {
	if p.own == nil {
		if p.own, err = m.opener.createOwn(ctx, m.s, m.want.Model); err != nil {
			return err
		}
	}
	return m.note(p.own, p.roots, p.at)
}

// out moves folders to the index of their own embedder, and indexes what is named of them.
func (m *mover) out(ctx context.Context) error {
	if len(m.want.Paths) == 0 {
		return nil
	}
	p, err := m.plan()
	if err != nil || len(p.roots) == 0 || slices.Equal(p.roots, p.known) && slices.Equal(p.show, p.shown) && len(m.named) == 0 && !m.refresh {
		return err
	}
	if err := m.begin(ctx, &p); err != nil {
		return err
	}
	if err := m.catchUp(ctx, p.own.indexer.Run); err != nil || slices.Equal(p.show, p.at) {
		return err
	}
	return m.pause(func() error {
		if _, err := p.own.indexer.Run(ctx, nil); err != nil {
			return err
		}
		return m.note(p.own, p.roots, p.show)
	})
}

// claim has folders shown by the index of their own embedder before the other one looks at
// the folders that are named, where that has nothing of them yet and would embed them for
// nothing. Where it fails, or somebody moves folders already, they move later.
func (o *Owner) claim(ctx context.Context, named []string) {
	m := &mover{Owner: o, s: o.Stack(), want: o.ahead.ownFolders(), named: named}
	if len(m.want.Paths) == 0 || m.s.byWords || m.s.lacks(o.ahead.target()) || !o.changing.TryAcquire(1) {
		return
	}
	defer o.changing.Release(1)
	if own := m.s.own.Load(); own != nil && (own.byWords != "" || own.name != m.want.Model) {
		return
	}
	p, err := m.plan()
	if err != nil || slices.Equal(p.at, p.shown) {
		return
	}
	p.roots = slices.DeleteFunc(p.roots, func(root string) bool { return !inside(root, p.at) })
	_ = m.begin(ctx, &p)
}

// note writes which roots an index has and which folders it shows, in one transaction.
func (m *mover) note(own *ownIndex, roots, show []string) error {
	err := own.db.Update(func(tx *store.Tx) error { return errors.Join(layout.PutShown(tx, show), tx.PutRoots(roots)) })
	if err == nil {
		m.s.elsewhere.set(show)
	}
	return err
}

// tidy drops from each index what the other one shows.
func (m *mover) tidy(ctx context.Context) error {
	own := m.s.own.Load()
	if own == nil {
		return nil
	}
	if err := m.s.indexer.Forget(ctx, m.s.elsewhere.get()); err != nil || own.byWords != "" {
		return err
	}
	roots, err := own.indexer.Roots()
	if err != nil {
		return err
	}
	strays := map[string]bool{}
	err = own.db.View(func(tx *store.Tx) error {
		return tx.Files(func(f store.File) error {
			if !inside(f.Path, roots) {
				strays[f.Root] = true
			}
			return nil
		})
	})
	if err != nil {
		return err
	}
	var folders []string
	for root := range strays {
		if len(rootsWithin(root, roots)) == 0 {
			folders = append(folders, root)
		}
	}
	return own.indexer.Forget(ctx, folders)
}
