// Package modelset holds the models that a search computes with, open or opened by their first
// user: an embedder, a reranker, a reader and a writer, of this machine or of servers.
package modelset

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"dowse/engine/answer"
	"dowse/engine/answer/local"
	"dowse/engine/endpoint/vectors"
	"dowse/engine/fusion"
	"dowse/engine/kernel"
	"dowse/engine/leann"
	"dowse/engine/memory"
	"dowse/engine/opened"
	"dowse/engine/transformer"
)

// Set is what a search computes with: an embedder, which is open, and a
// reranker, a reader and a writer on the same kernels, which their first users open. A person may
// choose another reranker or writer while all is in use (Choose).
type Set struct {
	Memory    *memory.Arbiter // that the others take turns on; nil: any number of bytes
	Kernel    *kernel.Kernel
	Embedder  Embedder
	Cosines   fusion.Scale // of Embedder
	Reader    *local.Reader
	Extractor *answer.Extractor // quotes what the reader marks
	Keys      *local.Keys       // of conversations; nil where none are kept

	machine opened.Machine
	chosen  *atomic.Pointer[Chosen] // shared by those that WithEmbedder makes
}

// Options say which models there are, and where they work.
type Options struct {
	Machine  opened.Machine // whose Kernel is made of Kernel
	Kernel   kernel.Options
	Embedder string // name of it, for messages
	Pack     string // path of the embedder's pack
	Fitted   bool   // the embedder is the one that rankings were fitted with
	// Cosines is the scale of the embedder's cosines, where it was measured before.
	Cosines *fusion.Scale
	// Static reads the embedder's table of static vectors; nil where it has none.
	Static func() ([]byte, error)
	Choice Choice
	Keys   *local.Keys // of conversations, which Set closes; nil: none are kept

	// Server embeds in the place of Embedder, where it is not nil. Pack is then that of the
	// same model on this machine, if it is installed.
	Server *vectors.Options
}

// embedderShare of the memory, as 1/embedderShare, is what an embedder may have at
// most, since it is needed in every phase. One that is larger is read from the disk as
// it works.
const embedderShare = 3

// openEmbedder opens the embedder in its share of the memory, which is reserved, and tells
// the scale of its cosines. Where the share is too little it takes what it needs, since
// nothing is searched without it.
func (o *Options) openEmbedder(k *kernel.Kernel) (Embedder, fusion.Scale, error) {
	if o.Server != nil {
		return o.openServed(k)
	}
	opts := transformer.EmbedderOptions{
		Threads: o.Machine.Threads, Budget: o.Machine.Memory.Budget() / embedderShare, Ledger: o.Machine.Ledger,
	}
	e, err := transformer.OpenEmbedder(context.Background(), o.Pack, k, opts)
	if errors.Is(err, transformer.ErrBudget) {
		opts.Budget = 0
		e, err = transformer.OpenEmbedder(context.Background(), o.Pack, k, opts)
	}
	if err != nil {
		again := fmt.Sprintf("run dowse models remove %s and dowse models pull to get it again", o.Embedder)
		return nil, fusion.Scale{}, opened.Unusable(o.Pack, err, again)
	}
	o.Machine.Memory.Reserve(e.Peak())
	embedder := rounded{e, o.Static}
	switch {
	case o.Fitted:
		return embedder, fusion.Scale{}, nil
	case o.Cosines != nil:
		return embedder, *o.Cosines, nil
	}
	// A model that tells nothing apart keeps its cosines: the scale is zero then.
	cosines, _ := fusion.MeasureScale(context.Background(), embedder)
	return embedder, cosines, nil
}

// WithEmbedder are the same models, which go on being shared, but for the embedder: it is
// opened besides, for an index that is built with it while this one's is searched.
// CloseEmbedder closes either of the two.
func (m *Set) WithEmbedder(o Options) (*Set, error) {
	e, cosines, err := o.openEmbedder(m.Kernel)
	if err != nil {
		return nil, err
	}
	other := *m
	other.Embedder, other.Cosines = e, cosines
	return &other, nil
}

// CloseEmbedder closes the embedder alone and gives back its memory.
func (m *Set) CloseEmbedder() error {
	m.Memory.Reserve(-m.Embedder.Peak())
	return m.Embedder.Close()
}

// Open opens the embedder and makes the others ready.
func Open(o Options) (*Set, error) {
	k, err := kernel.New(o.Kernel)
	if err != nil {
		return nil, err
	}
	e, cosines, err := o.openEmbedder(k)
	if err != nil {
		return nil, errors.Join(err, k.Close())
	}
	machine := o.Machine
	machine.Kernel = k
	m := &Set{
		Memory: machine.Memory, Kernel: k, Embedder: e, Cosines: cosines, Reader: local.NewReader(machine), Keys: o.Keys,
		machine: machine, chosen: &atomic.Pointer[Chosen]{},
	}
	m.Extractor = answer.NewExtractor(m.Reader)
	m.chosen.Store(&Chosen{})
	chosen, err := m.make(o.Choice)
	if err != nil {
		return nil, errors.Join(err, m.Close())
	}
	m.chosen.Store(chosen)
	return m, nil
}

// Vectors is the index of the embedder's vectors.
func (m *Set) Vectors() leann.Index {
	return leann.Index{Dim: m.Embedder.Dim(), Dot: m.Kernel}
}

// drainPatience is how long Close waits for the disk. Keys and values not written by then are
// computed again.
const drainPatience = 5 * time.Second

// Close sees what the last questions of conversations left to the disk, waits for the
// users of each model and closes it.
func (m *Set) Close() error {
	ctx, cancel := context.WithTimeout(context.Background(), drainPatience)
	defer cancel()
	_ = m.Keys.Drain(ctx) // costs time when the conversation goes on, and nothing else
	return errors.Join(m.Chosen().Writer.Close(), m.Keys.Close(), m.Reader.Close(), m.Chosen().Reranker.Close(), m.Embedder.Close(), m.Kernel.Close())
}
