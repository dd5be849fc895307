package indexes

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"dowse/engine"
	"dowse/engine/search"
	"dowse/store"
)

// replace puts the second index in the place of the first. Searches under way end on the first one;
// calls that write wait, and go to the second.
func (m *migration) replace(ctx context.Context) error {
	m.replacing.Lock()
	defer m.replacing.Unlock()
	m.from.gate.hold()
	_, err := m.catchUp(ctx)
	if err == nil {
		err = m.putAbsent()
	}
	if err == nil {
		err = m.db.TakePlace(m.opener.Home.Index())
	}
	if err != nil {
		m.from.gate.resume()
		return err
	}
	m.models.Memory.Reserve(-m.reserved)
	next := m.opener.assemble(m.db, m.models, m.from.ledger, false, search.Options{Model: m.to}, m.from)
	next.limiter = m.from.limiter
	next.watching.Store(m.watching.Load())
	next.followPacks(ctx)
	m.adopt(next)
	m.retiring.Go(func() {
		if err := m.from.closeRetired(); err != nil {
			m.Publish(engine.Event{Problem: fmt.Sprintf("the index of %s could not be closed: %v", m.from.model, err)})
		}
	})
	m.Publish(engine.Event{Changed: &engine.Changed{Updated: m.report.Files}})
	m.migrations.takenBack() // it was not
	m.progress.end()
	return nil
}

// errNoRoots holds a change up: its index would be empty.
var errNoRoots = errors.New("none of the indexed folders is there")

// putRoots notes which folders the second index is of.
func (m *migration) putRoots(roots []string) error {
	return m.db.Update(func(tx *store.Tx) error {
		known, err := tx.Roots()
		if err != nil || slices.Equal(known, roots) {
			return err
		}
		return tx.PutRoots(roots)
	})
}

// eraseOthers erases the folders from the second index that the first one has no more: its process ended in the middle
// of their removal.
func (m *migration) eraseOthers(ctx context.Context, roots []string) error {
	known, err := m.built.Roots()
	if err != nil {
		return err
	}
	for _, root := range known {
		if !inside(root, roots) {
			if _, err := m.built.Remove(ctx, root); err != nil {
				return err
			}
		}
	}
	return nil
}

// putAbsent notes the folders that are not there, so that they are indexed when they are,
// and says so.
func (m *migration) putAbsent() error {
	roots, err := m.from.indexer.Roots()
	if err != nil {
		return err
	}
	for _, root := range slices.DeleteFunc(slices.Clone(roots), func(root string) bool { return !missing(root) }) {
		m.Publish(engine.Event{Problem: fmt.Sprintf("%s is not there; its files are indexed by the model %s when it is", root, m.to)})
	}
	return m.putRoots(roots)
}

// abandon closes a migration that has not ended. The second index stays for the next one.
func (m *migration) abandon() error {
	m.models.Memory.Reserve(-m.reserved)
	return errors.Join(m.db.Close(), m.models.CloseEmbedder())
}

// closeRetired waits for the calls under way on a replaced stack, and releases what its successor
// does not share.
func (s *Stack) closeRetired() error {
	s.gate.drain()
	err := errors.Join(s.closePacks(), s.Engine.Close(), s.DB.Close(), s.Models.CloseEmbedder())
	s.Models.Memory.Reserve(-s.reserved)
	return err
}
