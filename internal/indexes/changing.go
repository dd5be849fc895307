package indexes

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"dowse/engine"
	"dowse/internal/config"
	"dowse/store"
)

// changeState is what an owner knows of the embedder that is wanted.
type changeState struct {
	mu      sync.Mutex
	wanted  string             // name of the embedder
	cancel  context.CancelFunc // of the change under way; nil
	meter   *meter             // of it; nil before it has begun
	problem string             // why the last one ended
	shown   bool               // subscribers were told of one that has not ended well

	folders config.Folders // that are to have an embedder of their own
	stuck   string         // why they have not got it
}

// want notes which embedder is wanted, and ends the change to another one.
func (c *changeState) want(name string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if name != c.wanted && c.cancel != nil {
		c.cancel()
	}
	c.wanted = name
}

// wantFolders notes which folders are to have an embedder of their own.
func (c *changeState) wantFolders(f config.Folders) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.folders = f
}

// ownFolders are those that are to have another embedder than the rest.
func (c *changeState) ownFolders() config.Folders {
	c.mu.Lock()
	defer c.mu.Unlock()
	return resolvedFolders(c.folders.Own(c.wanted))
}

// moved notes how a move of folders ended.
func (c *changeState) moved(ctx context.Context, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.stuck = ""; err != nil && ctx.Err() == nil {
		c.stuck = err.Error()
	}
}

// whyStuck is why folders have not got the embedder that they are to have.
func (c *changeState) whyStuck() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.stuck
}

// target is the embedder that is wanted.
func (c *changeState) target() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.wanted
}

// begin notes that a change to what is wanted begins, whose ctx ends when something else
// is. end is told how it ended, and says whether that was why.
func (c *changeState) begin(ctx context.Context) (to string, inside context.Context, end func(error) (overtaken bool)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	inside, cancel := context.WithCancel(ctx)
	to = c.wanted
	c.cancel = cancel
	return to, inside, func(err error) bool {
		c.mu.Lock()
		defer c.mu.Unlock()
		cancel()
		c.cancel, c.meter, c.problem = nil, nil, ""
		if overtaken := c.wanted != to; overtaken || err == nil || ctx.Err() != nil {
			return overtaken && ctx.Err() == nil
		}
		c.problem = err.Error()
		return false
	}
}

// show notes how the change under way is measured.
func (c *changeState) show(m *meter) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.meter, c.shown = m, true
}

// dropped reports, once, whether subscribers are to be told that a change was taken back.
func (c *changeState) dropped() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	shown := c.shown
	c.shown = false
	return shown
}

// runChange changes the index to the embedder that is wanted, if it is built with another
// one, and follows what is wanted. All subscribers are told how far it is. Patiently,
// searches come first. report is nil where nothing was to be done.
func (o *Owner) runChange(ctx context.Context, patient bool) (report *engine.IndexReport, err error) {
	if err := o.changing.Acquire(ctx, 1); err != nil {
		return nil, err
	}
	defer o.changing.Release(1)
	for {
		to, inside, end := o.ahead.begin(ctx)
		report, err = o.changeTo(inside, to, patient)
		if !end(err) {
			return report, err
		}
	}
}

// changeTo changes the index to an embedder. A second index of a change that was taken back
// is dropped.
func (o *Owner) changeTo(ctx context.Context, to string, patient bool) (*engine.IndexReport, error) {
	from := o.Stack()
	if !from.lacks(to) {
		if o.ahead.dropped() {
			o.Publish(engine.Event{Change: &engine.ModelChange{To: to, Over: true}})
		}
		return nil, store.Discard(o.opener.nextPath())
	}
	c, err := o.openChange(from, to, patient)
	if err != nil {
		return nil, err
	}
	if err := c.run(ctx); err != nil {
		return nil, errors.Join(err, c.abandon())
	}
	return &c.report, nil
}

// lacks reports whether the index is built with another embedder.
func (s *Stack) lacks(embedder string) bool { return s.byWords || s.model != embedder }

// changeAgain is when a change that failed is tried again: a disk may have room by then.
const changeAgain = time.Minute

// changeLater changes the index whenever another embedder is wanted, for all folders or for
// some, until ctx ends. named are folders that are to be indexed with one of their own.
func (o *Owner) changeLater(ctx context.Context, named []string) {
	told := ""
	for {
		_, err := o.runChange(ctx, true)
		what := "the index could not be changed to the model " + o.ahead.target()
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
		if err != nil {
			if err.Error() != told {
				told = err.Error()
				o.Publish(engine.Event{Problem: fmt.Sprintf("%s, which will be tried again: %v", what, err)})
			}
			again = time.After(changeAgain)
		}
		select {
		case <-ctx.Done():
			return
		case <-o.poked:
		case <-again:
		}
	}
}

// Index implements engine.Service. Where the index is built with another embedder than
// the settings name, and nobody watches, who would change it, it is changed, and that has
// everything indexed.
func (o *Owner) Index(ctx context.Context, folders []string, emit func(engine.Event)) (*engine.IndexReport, error) {
	o.tellSettings(emit)
	named, rest := o.splitOwn(folders)
	report := &engine.IndexReport{}
	if len(rest) > 0 || len(folders) == 0 && !o.onlyOwn() {
		var err error
		o.claim(ctx, folders)
		if report, err = o.index(ctx, rest, emit); err != nil {
			return nil, err
		}
		if !o.watching.Load() { // otherwise others were waited for
			o.opener.KeepPace(o.Stack().Models.Embedder.Fingerprint(), report)
		}
	}
	if !o.hasOwn() || o.watching.Load() && len(rest) > 0 && len(named) == 0 {
		return report, nil
	}
	return o.indexOwn(ctx, folders, named, report, emit)
}

// index is Index, but for what is learned of this machine.
func (o *Owner) index(ctx context.Context, folders []string, emit func(engine.Event)) (*engine.IndexReport, error) {
	s := o.Stack()
	if !s.lacks(o.ahead.target()) || o.watching.Load() && !s.byWords {
		return o.Relay.Index(ctx, folders, emit)
	}
	_, err := writing(ctx, &s.gate, func(ctx context.Context) (struct{}, error) {
		return struct{}{}, s.indexer.AddRoots(ctx, folders)
	})
	if errors.Is(err, errClosing) {
		return o.Relay.Index(ctx, folders, emit)
	}
	if err != nil {
		return nil, err
	}
	stop := func() {}
	if emit != nil {
		stop = s.forward(ctx, emit)
	}
	report, err := o.runChange(ctx, false)
	stop()
	switch {
	case err != nil && (s.byWords || ctx.Err() != nil):
		return nil, err
	case err != nil: // what there is goes on being of use
		o.Publish(engine.Event{Problem: err.Error()})
		fallthrough
	case report == nil:
		return o.Relay.Index(ctx, folders, emit)
	}
	return report, nil
}

// FollowModel implements engine.Service.
func (o *Owner) FollowModel(ctx context.Context) (*engine.ModelChange, error) {
	settings, err := config.Load(o.opener.Home.ConfigFile())
	if err != nil {
		return nil, err
	}
	o.ahead.want(settings.Model)
	o.ahead.wantFolders(settings.Folders)
	select {
	case o.poked <- struct{}{}:
	default:
	}
	s := o.Stack()
	if !s.lacks(settings.Model) {
		if !o.watching.Load() {
			if _, err := o.runChange(ctx, false); err != nil { // drops what was begun
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

// FollowModel implements engine.Service: nobody changes an index that is only read.
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
	o.ahead.mu.Lock()
	to, m, problem := o.ahead.wanted, o.ahead.meter, o.ahead.problem
	o.ahead.mu.Unlock()
	if !s.lacks(to) {
		return nil
	}
	if m != nil && m.now().To == to {
		c := m.now()
		return &c
	}
	c := o.opener.ahead(s, to, st)
	if problem != "" {
		c.Problem = problem
	}
	c.Working = o.watching.Load() && c.Problem == ""
	return c
}

// changeAhead is the change to the embedder of the settings that the next owner will make.
func (op *Opener) changeAhead(s *Stack, st *engine.Status) *engine.ModelChange {
	if !s.lacks(op.Config.Model) {
		return nil
	}
	return op.ahead(s, op.Config.Model, st)
}

// ahead is a change at which nobody is.
func (op *Opener) ahead(s *Stack, to string, st *engine.Status) *engine.ModelChange {
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
		c.Done, _ = chunksOf(db)
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

// chunksOf counts the chunks of an index.
func chunksOf(db *store.DB) (n int, err error) {
	err = db.View(func(tx *store.Tx) error {
		counts, err := tx.Counts()
		n = counts.Chunks
		return err
	})
	return n, err
}
