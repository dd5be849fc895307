package indexes

import (
	"context"
	"reflect"

	"dowse/engine"
	"dowse/indexer"
	"dowse/internal/config"
	"dowse/store"
)

// FollowModel implements engine.Service.
func (o *Owner) FollowModel(ctx context.Context) (*engine.ModelChange, error) {
	settings, err := config.Load(o.opener.Home.ConfigFile())
	if err != nil {
		return nil, err
	}
	o.migrations.want(settings.Model)
	o.migrations.wantFolders(settings.Folders)
	if !reflect.DeepEqual(settings.Places, o.Stack().settings.now.Load().said) {
		if err := o.reload(); err != nil {
			return nil, err
		}
	}
	select {
	case o.poke <- struct{}{}:
	default:
	}
	if err := o.followChoice(ctx, settings); err != nil {
		return nil, err
	}
	s := o.Stack()
	if !s.needsMigration(settings.Model) {
		if !o.watching.Load() {
			if _, err := o.migrate(ctx, false); err != nil { // drops what was begun
				return nil, err
			}
		}
		return &engine.ModelChange{To: settings.Model, Over: true}, nil
	}
	st, err := o.Status(ctx)
	if err != nil {
		return nil, err
	}
	if st.Change == nil { // it has just ended
		return &engine.ModelChange{To: st.Model, Over: true}, nil
	}
	return st.Change, nil
}

// FollowModel implements engine.Service. An index that is only read stays as it is.
func (s *Stack) FollowModel(ctx context.Context) (*engine.ModelChange, error) {
	st, err := s.Status(ctx)
	if err != nil {
		return nil, err
	}
	if st.Change == nil {
		return &engine.ModelChange{To: st.Model, Over: true}, nil
	}
	return st.Change, nil
}

// status is the change that is ahead or under way; nil where none is.
func (o *Owner) status(st *engine.Status) *engine.ModelChange {
	s := o.Stack()
	o.migrations.mu.Lock()
	to, m, problem := o.migrations.wanted, o.migrations.progress, o.migrations.problem
	o.migrations.mu.Unlock()
	if !s.needsMigration(to) {
		return nil
	}
	if m != nil && m.now().To == to {
		c := m.now()
		return &c
	}
	c := o.opener.migrationTo(s, to, st)
	if problem != "" {
		c.Problem = problem
	}
	c.Working = o.watching.Load() && c.Problem == ""
	return c
}

// migrationAhead is the change to the embedder of the settings that the next owner will make.
func (op *Opener) migrationAhead(s *Stack, st *engine.Status) *engine.ModelChange {
	if !s.needsMigration(op.Config.Model) {
		return nil
	}
	return op.migrationTo(s, op.Config.Model, st)
}

// migrationTo is a migration that no process is working on.
func (op *Opener) migrationTo(s *Stack, to string, st *engine.Status) *engine.ModelChange {
	c := &engine.ModelChange{From: s.from(), To: to, All: st.Chunks}
	path, err := op.EmbedderPath(to)
	if err != nil {
		c.Problem = err.Error()
		return c
	}
	sum, err := op.EmbedderPrint(context.Background(), to, path)
	if err != nil {
		c.Problem = err.Error()
		return c
	}
	// One that is not there, or is being written, says nothing.
	if db, err := store.Open(op.nextPath(), store.Options{ReadOnly: true, Fingerprint: Fingerprint(sum)}); err == nil {
		c.Done, _ = embeddedOf(db)
		_ = db.Close()
	}
	return c
}

// from is the embedder that searches use; "" where they go by words alone.
func (s *Stack) from() string {
	if s.byWords {
		return ""
	}
	return s.model
}

// embeddedOf counts the chunks of an index that have all that they are to have.
func embeddedOf(db *store.DB) (n int, err error) {
	if n, err = chunksOf(db); err != nil {
		return 0, err
	}
	lacking, err := indexer.Lacking(context.Background(), db)
	return n - lacking, err
}

// chunksOf counts the chunks of an index.
func chunksOf(db *store.DB) (n int, err error) {
	err = db.View(func(tx *store.Tx) error {
		counts, err := tx.Counts()
		n = counts.Chunks
		return err
	})
	return n, err
}
