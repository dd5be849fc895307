package indexes

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"dowse/engine"
	"dowse/engine/fusion"
	"dowse/engine/modelset"
	"dowse/indexer"
	"dowse/models"
	"dowse/store"
)

// nextPath is where the second index lies.
func (op *Opener) nextPath() string { return op.Home.Index() + ".next" }

// needsMigration reports whether the index is built with another embedder.
func (s *Stack) needsMigration(embedder string) bool { return s.byWords || s.model != embedder }

// migrate changes the index to the wanted embedder, and to another one that is wanted meanwhile.
// Subscribers are told how far it is. A patient migration lets searches go first. report is nil
// where the index has that embedder.
func (o *Owner) migrate(ctx context.Context, patient bool) (report *engine.IndexReport, err error) {
	if err := o.migrating.Acquire(ctx, 1); err != nil {
		return nil, err
	}
	defer o.migrating.Release(1)
	for {
		to, inside, end := o.migrations.begin(ctx)
		report, err = o.migrateTo(inside, to, patient)
		if !end(err) {
			return report, err
		}
	}
}

// migrateTo changes the index to an embedder. Where it has that, the second index of a migration
// that was taken back is dropped.
func (o *Owner) migrateTo(ctx context.Context, to string, patient bool) (*engine.IndexReport, error) {
	from := o.Stack()
	if !from.needsMigration(to) {
		if o.migrations.takenBack() {
			o.Publish(engine.Event{Change: &engine.ModelChange{To: to, Over: true}})
		}
		return nil, store.Discard(o.opener.nextPath())
	}
	c, err := o.openMigration(from, to, patient)
	if err != nil {
		return nil, err
	}
	if err := c.run(ctx); err != nil {
		return nil, errors.Join(err, c.abandon())
	}
	return &c.report, nil
}

// migrateAgain is the pause after a migration that failed: a disk may have room by then.
const migrateAgain = time.Minute

// migrateWhenWanted migrates the index, or moves folders, whenever the settings want it, until ctx
// ends. named are folders to be indexed with an embedder of their own.
func (o *Owner) migrateWhenWanted(ctx context.Context, named []string) {
	told := ""
	for {
		_, err := o.migrate(ctx, true)
		what := "the index could not be changed to the model " + o.migrations.target()
		if err == nil {
			if _, err = o.move(ctx, named, false); err == nil {
				named = nil
			}
			what = "folders could not be moved to their model"
		}
		if ctx.Err() != nil {
			return
		}
		var again <-chan time.Time
		if err != nil && !errors.Is(err, context.Canceled) { // which a change of folders did
			if err.Error() != told {
				told = err.Error()
				o.Publish(engine.Event{Problem: fmt.Sprintf("%s, which will be tried again: %v", what, err)})
			}
			again = time.After(migrateAgain)
		}
		select {
		case <-ctx.Done():
			return
		case <-o.poke:
		case <-again:
		}
	}
}

// migration is the building of a second index.
type migration struct {
	*Owner
	from     *Stack
	to       string        // name of the embedder
	models   *modelset.Set // those of from, but for the embedder
	db       *store.DB     // the second index
	built    *indexer.Indexer
	progress *progress

	reserved int64 // bytes for files that are being indexed
	report   engine.IndexReport
}

// openMigration opens the embedder and the second index, which is emptied if other settings began
// it.
func (o *Owner) openMigration(from *Stack, to string, patient bool) (m *migration, err error) {
	path, err := o.opener.EmbedderPath(to)
	if err != nil {
		return nil, err
	}
	m = &migration{Owner: o, from: from, to: to}
	machine := o.opener.Machine(from.ledger)
	machine.Memory = from.Models.Memory
	options := o.opener.EmbedderOptions(machine, to, path)
	options.Cosines = &fusion.Scale{} // it is measured when all else is done
	if m.models, err = from.Models.WithEmbedder(options); err != nil {
		return nil, err
	}
	if m.db, err = openSecond(o.opener.nextPath(), Fingerprint(m.models.Embedder.Fingerprint())); err != nil {
		return nil, errors.Join(err, m.models.CloseEmbedder())
	}
	m.progress = newProgress(m.from, m.to, m.db, func(change engine.ModelChange) {
		o.Publish(engine.Event{Change: &change})
	})
	o.migrations.show(m.progress)
	m.reserved = m.models.Memory.Part(lastingShare, indexer.DefaultPrepared)
	m.models.Memory.Reserve(m.reserved)
	work := o.opener.IndexerOptions(m.db, m.models, from.ledger, m.reserved, m.tell, nil)
	work.Except, work.Settings = from.shownByFolders.get, from.settings.rules
	if patient {
		work.Embedder = yieldingEmbedder{Embedder: m.models.Embedder, awaitSearches: o.awaitSearches}
	}
	m.built = indexer.New(work)
	return m, nil
}

// nextPatience is how long to wait for a process that reads how far the second index is.
const nextPatience = 5 * time.Second

// openSecond opens the second index.
func openSecond(path, fingerprint string) (*store.DB, error) {
	opts := store.Options{Fingerprint: fingerprint, Timeout: nextPatience}
	db, err := store.Open(path, opts)
	if errors.Is(err, store.ErrFingerprint) || Unusable(err) {
		if err = store.Discard(path); err == nil {
			db, err = store.Open(path, opts)
		}
	}
	return db, err
}

// tell passes on problems and progress of the second index; its changes of files concern no
// subscriber yet.
func (m *migration) tell(e engine.Event) {
	switch {
	case e.Problem != "":
		m.Publish(e)
	case e.Progress != nil:
		m.progress.embedded(e.Progress.Chunks)
	}
}

// fewEmbedded bounds the passages embedded by a run that found an index in step with its files.
const fewEmbedded = 256

// run builds the second index and puts it in the place of the first.
func (m *migration) run(ctx context.Context) error {
	for {
		embedded, err := m.catchUp(ctx)
		if err != nil {
			return err
		}
		if embedded <= fewEmbedded {
			break
		}
	}
	if m.to != models.DefaultEmbedder {
		// Of a model that tells nothing apart the cosines stay as they are.
		m.models.Cosines, _ = fusion.MeasureScale(ctx, m.models.Embedder)
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	if err := noteBuilder(m.db, m.to, m.models); err != nil {
		return err
	}
	return m.replace(ctx)
}

// catchUp brings the second index in step with the folders of the first, and returns how many
// passages it embedded.
func (m *migration) catchUp(ctx context.Context) (embedded int, err error) {
	roots, err := m.from.indexer.Roots()
	if err != nil || len(roots) == 0 {
		return 0, err
	}
	there := slices.DeleteFunc(slices.Clone(roots), missing)
	if len(there) == 0 {
		return 0, errNoRoots
	}
	if err := m.eraseOthers(ctx, roots); err != nil {
		return 0, err
	}
	if err := m.putRoots(there); err != nil {
		return 0, err
	}
	m.progress.begin()
	report, err := m.built.Run(ctx, nil)
	if err != nil {
		return 0, err
	}
	before := m.report
	m.report = *report
	m.report.Added += before.Added
	m.report.Embedded += before.Embedded
	m.report.Seconds += before.Seconds
	m.report.Rate = float64(m.report.Embedded) / m.report.Seconds
	return report.Embedded, nil
}
