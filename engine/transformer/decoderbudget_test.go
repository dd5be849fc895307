package transformer_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"dowse/engine/kv"
	"dowse/engine/memory"
	"dowse/engine/swap"
	"dowse/engine/transformer"
)

// restless is a context whose every look, one before each layer, may change the budget
// of a decoder, after it has compared what is held with the budget before.
type restless struct {
	context.Context
	t       *testing.T
	rng     *rand.Rand
	d       *transformer.Decoder
	ledger  *memory.Ledger
	most    int64 // that a budget is above the least
	now     int64 // the budget
	told    int64 // what the decoder says that it has become
	changes int
	waited  int // looks since a budget was set that does not count yet
}

// change sets another budget, often far below or above the one before.
func (r *restless) change() {
	r.now = r.d.Least() + r.rng.Int64N(r.most)
	if r.rng.IntN(8) == 0 {
		r.now = r.d.Least() / 2 // less than it does with
	}
	r.changes++
	r.waited = max(r.waited, 1)
	r.d.SetBudget(r.now, func(bytes int64) { r.told, r.waited = bytes, 0 })
}

// blocks of a prompt's tokens come through a layer with a look before each.
const blocks = 3

// look compares what is held with the budget that counts. One that was set does from the
// next layer on.
func (r *restless) look() {
	r.t.Helper()
	if r.waited > 0 {
		if r.waited++; r.waited > blocks+2 {
			r.t.Fatalf("the change of number %d is not followed", r.changes)
		}
		return
	}
	limit := max(r.now, r.d.Least())
	if held := r.ledger.Total(); held > limit+limit/10 {
		r.t.Fatalf("after %d changes %d bytes are held of %d: %v", r.changes, held, limit, r.ledger.Snapshot())
	}
}

func (r *restless) Err() error {
	r.look()
	if r.rng.IntN(4) != 0 {
		r.change()
	}
	return r.Context.Err()
}

// write goes on with a prompt greedily, one token at a time or with trees of which one
// node is kept, and returns the tokens.
func write(ctx context.Context, t *testing.T, d *transformer.Decoder, prompt []int32, tokens int, after func()) []int32 {
	t.Helper()
	s := d.NewSequence()
	defer freeSequence(t, s)
	logits := make([]float32, d.Vocabulary())
	if err := d.Append(ctx, s, prompt, logits); err != nil {
		t.Fatal(err)
	}
	var text []int32
	for range tokens {
		best := int32(0)
		for id, v := range logits {
			if v > logits[best] {
				best = int32(id)
			}
		}
		text = append(text, best)
		tree := kv.Tree{Tokens: []int32{best}, Parents: []int32{-1}}
		all := logits
		if len(text)%5 == 0 { // a draft that is not taken
			tree = kv.Tree{Tokens: []int32{best, 3, 4}, Parents: []int32{-1, 0, 1}}
			all = make([]float32, 3*d.Vocabulary())
		}
		if err := d.Verify(ctx, s, tree, all); err != nil {
			t.Fatal(err)
		}
		if err := s.Keep([]int32{0}); err != nil {
			t.Fatal(err)
		}
		copy(logits, all)
		after()
	}
	return text
}

// T-A6: the budget of a decoder changes a thousand times at random, between the layers of
// prompts and tokens and between passes. What is held follows before the next layer, and
// the tokens are those of a decoder whose budget never changes: of layers that are
// streamed, of rows without sparsity, which are dense, of rows that were all kept, and of
// active rows, those of its thresholds.
func TestA6_ABudgetThatChangesWhileTextIsWritten(t *testing.T) {
	const seed, changes = 106, 1000
	t.Logf("seed %d", seed)
	model := deep()["untied"]
	path := importFolder(t, model.folder(t))
	rows := rowsOf(t, path, 2, 8)
	o := transformer.DecoderOptions{Threads: 1, MaxTokens: 256, ChunkTokens: 16, Passes: swap.SparsePasses}
	sparse := o
	sparse.Sparsity = sparsityOf(t, rows, .5)
	ways := map[string]struct {
		path    string
		options transformer.DecoderOptions
		budget  int64
	}{
		"streamed":    {path, o, budgetFor(t, path, 1, o.MaxTokens, 4)},
		"dense rows":  {rows, o, rowBudget(t, rows, o, .5)},
		"all rows":    {rows, o, rowBudget(t, rows, o, 1)},
		"active rows": {rows, sparse, rowBudget(t, rows, sparse, .5)},
	}
	for name, way := range ways {
		t.Run(name, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(seed, 1))
			way.options.Budget = way.budget
			still := openDecoder(t, way.path, way.options)
			o := way.options
			o.Ledger = &memory.Ledger{}
			d := openDecoder(t, way.path, o)
			r := &restless{Context: t.Context(), t: t, rng: rng, d: d, ledger: o.Ledger, now: o.Budget}
			r.most = 2 * (o.Budget - d.Least())
			kept := map[int]bool{}
			for texts := 0; r.changes < changes; texts++ {
				prompt := randomIDs(rng, 1+rng.IntN(150), d.Vocabulary())
				want := write(t.Context(), t, still, prompt, 12, func() {})
				got := write(r, t, d, prompt, 12, func() {
					r.change()
					r.look()
					kept[d.Stats().Kept] = true
				})
				if !slices.Equal(got, want) {
					t.Fatalf("text %d: %v, want %v", texts, got, want)
				}
			}
			if want := max(r.now, d.Least()); r.told != want {
				t.Errorf("it says that its budget is %d, it is %d", r.told, want)
			}
			if name == "streamed" && len(kept) < 5 {
				t.Errorf("the numbers of layers that were kept: %v", kept)
			}
			if stats := d.Stats(); name == "active rows" && stats.Swap.Hits == 0 || name == "all rows" && stats.Swap.BytesRead == 0 {
				t.Errorf("%+v", stats)
			}
		})
	}
}

// A budget is not waited for: a pass under way follows it by itself, and one that is
// over has left it for nobody.
func TestASetBudgetWaitsForNoPass(t *testing.T) {
	path := importFolder(t, deep()["tied"].folder(t))
	o := transformer.DecoderOptions{MaxTokens: 200, Ledger: &memory.Ledger{}}
	o.Budget = budgetFor(t, path, 1, o.MaxTokens, 6)
	d := openDecoder(t, path, o)
	c := d.NewSequence()
	defer freeSequence(t, c)
	appendAll(t, d, c, []int32{1, 2, 3}, 3)
	least := d.Least()
	told := int64(0)
	ctx := &whileComputing{Context: t.Context(), at: 5, do: func() {
		d.SetBudget(1, func(bytes int64) { told = bytes })
		if told != 0 {
			t.Error("the budget changed under a layer")
		}
	}}
	if err := d.Append(ctx, c, []int32{4}, nil); err != nil {
		t.Fatal(err)
	}
	if kept := d.Stats().Kept; told != least || kept != 0 {
		t.Errorf("the budget became %d, the least is %d; %d layers are kept", told, least, kept)
	}
	d.SetBudget(o.Budget, nil) // while nobody computes
	appendAll(t, d, c, []int32{5, 6}, 1)
	if kept := d.Stats().Kept; kept < 6 {
		t.Errorf("with its memory back it keeps %d layers", kept)
	}
	whole := openDecoder(t, path, transformer.DecoderOptions{MaxTokens: 200})
	if whole.SetBudget(1, func(int64) { t.Error("a model in memory has shrunk") }); whole.Elastic() {
		t.Error("a model in memory is elastic")
	}
}

// whileComputing is a context whose look number at does something.
type whileComputing struct {
	context.Context
	at, looks int
	do        func()
}

func (w *whileComputing) Err() error {
	if w.looks++; w.looks == w.at {
		w.do()
	}
	return errors.Join(w.Context.Err())
}
