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

// move brings folders in step with the settings: to the main index where they have lost their own
// embedder, to the folder index where they have got one. named are folders that a person wants
// indexed with it. With refresh, every folder with an embedder of its own is indexed again.
func (o *Owner) move(ctx context.Context, named []string, refresh bool) (*engine.IndexReport, error) {
	if err := o.migrating.Acquire(ctx, 1); err != nil {
		return nil, err
	}
	defer o.migrating.Release(1)
	m := &folderMove{Owner: o, s: o.Stack(), want: o.migrations.ownFolders(), named: named, refresh: refresh}
	err := m.run(ctx)
	o.migrations.noteMove(ctx, err)
	return &m.report, err
}

// folderMove is a move under way.
type folderMove struct {
	*Owner
	s     *Stack
	want  config.Folders
	named []string

	refresh bool
	report  engine.IndexReport
}

func (m *folderMove) run(ctx context.Context) error {
	if m.s.byWords {
		return nil // the main index is rebuilt first
	}
	if err := m.moveBack(ctx); err != nil {
		return err
	}
	if err := m.moveOut(ctx); err != nil {
		return err
	}
	return m.dropHidden(ctx)
}

// catchUp indexes until a run finds little, so that writers are held for a short time only.
func (m *folderMove) catchUp(ctx context.Context, run func(context.Context, []string) (*engine.IndexReport, error)) error {
	for {
		report, err := run(ctx, nil)
		if err != nil {
			return err
		}
		m.report = addReports(m.report, *report)
		if report.Embedded <= fewEmbedded {
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

// holdWriters runs do with all writers held. A watch that this ended begins again afterwards.
func (o *Owner) holdWriters(s *Stack, do func() error) error {
	o.replacing.Lock()
	defer o.replacing.Unlock()
	s.gate.hold()
	defer s.gate.resume()
	return do()
}

// moveBack moves folders to the main index that the settings give no embedder any more, or another
// one than they have.
func (m *folderMove) moveBack(ctx context.Context) error {
	fi := m.s.folderIndex.Load()
	if fi == nil {
		return nil
	}
	keep := m.want.Paths
	switch _, err := m.opener.PackPath(m.want.Model); {
	case m.want.Model != fi.name:
		keep = nil
	case fi.byWords != "" && err != nil:
		return fmt.Errorf("%s: %w", strings.Join(keep, ", "), err)
	case fi.byWords != "":
		keep = nil // a model of the same name is installed that is another one
	}
	roots, err := fi.indexer.Roots()
	if err != nil {
		return err
	}
	stays := func(folder string) bool { return inside(folder, keep) }
	shown := shownBy(fi.db)
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
		m.s.shownByFolders.set(still)
		if err := m.s.indexer.AddRoots(ctx, leaving); err != nil {
			return err
		}
		if err := m.catchUp(ctx, m.s.indexer.Run); err != nil {
			return err
		}
	}
	err = m.holdWriters(m.s, func() error {
		if len(leaving) > 0 {
			if _, err := m.s.indexer.Run(ctx, nil); err != nil {
				return err
			}
		}
		err := fi.db.Update(func(tx *store.Tx) error { return errors.Join(layout.PutShown(tx, still), tx.PutRoots(left)) })
		if err == nil && len(left) == 0 {
			m.s.folderIndex.Store(nil)
		}
		return err
	})
	if err != nil {
		return err
	}
	if len(left) == 0 {
		m.retiring.Wait() // of stacks that ask it too
		return fi.drop(m.opener, m.s)
	}
	return fi.indexer.Forget(ctx, leaving)
}

// movePlan is what the folder index has, and is to have.
type movePlan struct {
	fi           *folderIndex // nil before the first move
	known, roots []string
	shown, show  []string
	atOnce       []string // folders of show without files in the main index
}

// plan says which folders are to move to their own embedder.
func (m *folderMove) plan() (p movePlan, err error) {
	rest, err := m.s.indexer.Roots()
	if err != nil {
		return p, err
	}
	if p.fi = m.s.folderIndex.Load(); p.fi != nil {
		if p.known, err = p.fi.indexer.Roots(); err != nil {
			return p, err
		}
		p.shown = shownBy(p.fi.db)
	}
	p.roots, p.show, p.atOnce = slices.Clone(p.known), slices.Clone(p.shown), slices.Clone(p.shown)
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
			p.atOnce = append(p.atOnce, folder)
		}
		p.roots, p.show = append(p.roots, within...), append(p.show, folder)
	}
	p.roots, p.show, p.atOnce = outermost(p.roots), outermost(p.show), outermost(p.atOnce)
	return p, nil
}

// begin has the folder index show what can be shown at once.
func (m *folderMove) begin(ctx context.Context, p *movePlan) (err error) {
	if p.fi == nil {
		if p.fi, err = m.opener.createFolderIndex(ctx, m.s, m.want.Model); err != nil {
			return err
		}
	}
	return m.noteShown(p.fi, p.roots, p.atOnce)
}

// moveOut moves folders to the folder index, and indexes what is named of them.
func (m *folderMove) moveOut(ctx context.Context) error {
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
	if err := m.catchUp(ctx, p.fi.indexer.Run); err != nil || slices.Equal(p.show, p.atOnce) {
		return err
	}
	return m.holdWriters(m.s, func() error {
		if _, err := p.fi.indexer.Run(ctx, nil); err != nil {
			return err
		}
		return m.noteShown(p.fi, p.roots, p.show)
	})
}

// showAtOnce has the folder index show folders before the main index reads those that are named: it
// has nothing of them yet, and would embed them in vain. After an error, or beside another move,
// they move later.
func (o *Owner) showAtOnce(ctx context.Context, named []string) {
	m := &folderMove{Owner: o, s: o.Stack(), want: o.migrations.ownFolders(), named: named}
	if len(m.want.Paths) == 0 || m.s.byWords || m.s.needsMigration(o.migrations.target()) || !o.migrating.TryAcquire(1) {
		return
	}
	defer o.migrating.Release(1)
	if fi := m.s.folderIndex.Load(); fi != nil && (fi.byWords != "" || fi.name != m.want.Model) {
		return
	}
	p, err := m.plan()
	if err != nil || slices.Equal(p.atOnce, p.shown) {
		return
	}
	p.roots = slices.DeleteFunc(p.roots, func(root string) bool { return !inside(root, p.atOnce) })
	_ = m.begin(ctx, &p)
}

// noteShown writes which roots an index has and which folders it shows, in one transaction.
func (m *folderMove) noteShown(fi *folderIndex, roots, show []string) error {
	err := fi.db.Update(func(tx *store.Tx) error { return errors.Join(layout.PutShown(tx, show), tx.PutRoots(roots)) })
	if err == nil {
		m.s.shownByFolders.set(show)
	}
	return err
}

// dropHidden drops from each index the files that the other one shows.
func (m *folderMove) dropHidden(ctx context.Context) error {
	fi := m.s.folderIndex.Load()
	if fi == nil {
		return nil
	}
	if err := m.s.indexer.Forget(ctx, m.s.shownByFolders.get()); err != nil || fi.byWords != "" {
		return err
	}
	roots, err := fi.indexer.Roots()
	if err != nil {
		return err
	}
	strays := map[string]bool{}
	err = fi.db.View(func(tx *store.Tx) error {
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
	return fi.indexer.Forget(ctx, folders)
}
