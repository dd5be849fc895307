package indexes

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"time"

	"dowse/engine"
	"dowse/engine/fusion"
	"dowse/engine/modelset"
	"dowse/engine/search"
	"dowse/indexer"
	"dowse/models"
	"dowse/store"
)

// The index is changed to another embedder by building a second one beside it, from the
// files: cut as the new model's tokenizer counts, with its vectors, codes, links, margins
// and scale. The first one is searched, and kept in step with the files, by its own model
// meanwhile. So no vector is ever compared with one of another model. When the second one
// is complete it takes the name of the first, which is one rename: whatever moment a
// process dies at, what is searched is one of the two, and the next owner goes on with
// what the second one holds by then, as indexing goes on after a kill.

// nextPath is where the second index lies.
func (op *Opener) nextPath() string { return op.Home.Index() + ".next" }

// change is the building of a second index.
type change struct {
	*Owner
	from   *Stack
	to     string        // name of the embedder
	models *modelset.Set // those of from, but for the embedder
	db     *store.DB     // the second index
	built  *indexer.Indexer
	meter  *meter

	reserved int64 // bytes for files that are being indexed
	report   engine.IndexReport
}

// openChange opens the embedder and the second index, an empty one where it was begun with
// other settings.
func (o *Owner) openChange(from *Stack, to string, patient bool) (c *change, err error) {
	path, err := o.opener.EmbedderPath(to)
	if err != nil {
		return nil, err
	}
	c = &change{Owner: o, from: from, to: to}
	machine := o.opener.Machine(from.ledger)
	machine.Memory = from.Models.Memory
	options := o.opener.EmbedderOptions(machine, to, path)
	options.Cosines = &fusion.Scale{} // it is measured when all else is done
	if c.models, err = from.Models.WithEmbedder(options); err != nil {
		return nil, err
	}
	if c.db, err = openNext(o.opener.nextPath(), Fingerprint(c.models.Embedder.Fingerprint())); err != nil {
		return nil, errors.Join(err, c.models.CloseEmbedder())
	}
	c.meter = newMeter(c.from, c.to, c.db, func(m engine.ModelChange) {
		o.Publish(engine.Event{Change: &m})
	})
	o.ahead.show(c.meter)
	c.reserved = c.models.Memory.Part(lastingShare, indexer.DefaultPrepared)
	c.models.Memory.Reserve(c.reserved)
	work := o.opener.IndexerOptions(c.db, c.models, from.ledger, c.reserved, c.tell, nil)
	work.Except = from.elsewhere.get
	if patient {
		work.Embedder = considerate{Embedder: c.models.Embedder, quiet: o.quiet}
	}
	c.built = indexer.New(work)
	return c, nil
}

// nextPatience is how long to wait for somebody who looks how far the second index is.
const nextPatience = 5 * time.Second

// openNext opens the second index.
func openNext(path, fingerprint string) (*store.DB, error) {
	opts := store.Options{Fingerprint: fingerprint, Timeout: nextPatience}
	db, err := store.Open(path, opts)
	if errors.Is(err, store.ErrFingerprint) || Unusable(err) {
		if err = store.Discard(path); err == nil {
			db, err = store.Open(path, opts)
		}
	}
	return db, err
}

// tell passes on what goes on in the second index. That it holds other files is nobody's
// business yet.
func (c *change) tell(e engine.Event) {
	switch {
	case e.Problem != "":
		c.Publish(e)
	case e.Progress != nil:
		c.meter.look(e.Progress.Chunks)
	}
}

// few passages that were embedded in a run mean that the second index is in step with the
// files, but for what changes while one looks.
const few = 256

// run builds the second index and puts it in the place of the first.
func (c *change) run(ctx context.Context) error {
	for {
		embedded, err := c.catchUp(ctx)
		if err != nil {
			return err
		}
		if embedded <= few {
			break
		}
	}
	if c.to != models.DefaultEmbedder {
		// Of a model that tells nothing apart the cosines stay as they are.
		c.models.Cosines, _ = fusion.MeasureScale(ctx, c.models.Embedder)
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	if err := noteBuilder(c.db, c.to, c.models); err != nil {
		return err
	}
	return c.takePlace(ctx)
}

// catchUp indexes what differs between the second index and the folders of the first, and
// says how many passages it embedded.
func (c *change) catchUp(ctx context.Context) (embedded int, err error) {
	roots, err := c.from.indexer.Roots()
	if err != nil || len(roots) == 0 {
		return 0, err
	}
	there := slices.DeleteFunc(slices.Clone(roots), isAbsent)
	if len(there) == 0 {
		return 0, errNoRoots
	}
	if err := c.putRoots(there); err != nil {
		return 0, err
	}
	c.meter.begin()
	report, err := c.built.Run(ctx, nil)
	if err != nil {
		return 0, err
	}
	before := c.report
	c.report = *report
	c.report.Added += before.Added
	c.report.Embedded += before.Embedded
	c.report.Seconds += before.Seconds
	c.report.Rate = float64(c.report.Embedded) / c.report.Seconds
	return report.Embedded, nil
}

// errNoRoots holds a change up: its index would be empty.
var errNoRoots = errors.New("none of the indexed folders is there")

// isAbsent reports whether nothing stands at a root, such as that of a disk that is not
// mounted.
func isAbsent(root string) bool {
	_, err := os.Stat(root)
	return errors.Is(err, fs.ErrNotExist)
}

// putRoots notes which folders the second index is of.
func (c *change) putRoots(roots []string) error {
	return c.db.Update(func(tx *store.Tx) error {
		known, err := tx.Roots()
		if err != nil || slices.Equal(known, roots) {
			return err
		}
		return tx.PutRoots(roots)
	})
}

// putAbsent notes the folders that are not there, so that they are indexed when they are,
// and says so.
func (c *change) putAbsent() error {
	roots, err := c.from.indexer.Roots()
	if err != nil {
		return err
	}
	for _, root := range slices.DeleteFunc(slices.Clone(roots), func(root string) bool { return !isAbsent(root) }) {
		c.Publish(engine.Event{Problem: fmt.Sprintf("%s is not there; its files are indexed by the model %s when it is", root, c.to)})
	}
	return c.putRoots(roots)
}

// takePlace puts the second index in the place of the first. Searches go on meanwhile: those
// that have begun end on the first one. Who writes to that waits, and writes to the second.
func (c *change) takePlace(ctx context.Context) error {
	c.turning.Lock()
	defer c.turning.Unlock()
	c.from.gate.hold()
	_, err := c.catchUp(ctx)
	if err == nil {
		err = c.putAbsent()
	}
	if err == nil {
		err = c.db.TakePlace(c.opener.Home.Index())
	}
	if err != nil {
		c.from.gate.resume()
		return err
	}
	c.models.Memory.Reserve(-c.reserved)
	next := c.opener.assemble(c.db, c.models, c.from.ledger, false, search.Options{Model: c.to}, c.from)
	next.limiter = c.from.limiter
	next.watching.Store(c.watching.Load())
	c.adopt(next)
	c.leaving.Go(func() {
		if err := c.from.finish(); err != nil {
			c.Publish(engine.Event{Problem: fmt.Sprintf("the index of %s could not be closed: %v", c.from.model, err)})
		}
	})
	c.Publish(engine.Event{Changed: &engine.Changed{Updated: c.report.Files}})
	c.ahead.dropped() // it was not
	c.meter.end()
	return nil
}

// abandon closes what a change has open that has not ended. What the second index holds is
// there for the next one.
func (c *change) abandon() error {
	c.models.Memory.Reserve(-c.reserved)
	return errors.Join(c.db.Close(), c.models.CloseEmbedder())
}
