package transformer_test

import (
	"context"
	"errors"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"

	"dowse/engine/memory"
	"dowse/engine/transformer"
	"dowse/engine/weights"
	"dowse/models/modeltest"
	"dowse/models/pack"
)

// deep are decoders whose layers outweigh the rest: with embeddings that are the
// output's rows, and without.
func deep() map[string]decoderModel {
	return map[string]decoderModel{
		"tied":   {architecture: "Qwen3ForCausalLM", layers: 11, hidden: 128, heads: 4, kvHeads: 2, head: 32, intermediate: 512, tied: true, seed: 15},
		"untied": {architecture: "LlamaForCausalLM", layers: 9, hidden: 128, heads: 4, kvHeads: 1, head: 32, intermediate: 512, seed: 16},
	}
}

// deepTokens is the longest context of the tests.
const deepTokens = 900

// modelOf is what the planner knows of a pack.
func modelOf(t testing.TB, path string) transformer.Model {
	t.Helper()
	p, err := pack.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	m := transformer.Model{Config: p.Config(), Mapped: p.Size(), Tokenizer: p.TokenizerSize()}
	m.Config.MaxTokens = deepTokens
	if err := p.Close(); err != nil {
		t.Fatal(err)
	}
	return m
}

// budgetFor is the least budget with which so many layers are kept for a context
// of some tokens.
func budgetFor(t testing.TB, path string, threads, tokens, kept int) int64 {
	t.Helper()
	m := modelOf(t, path)
	for budget := int64(1 << 20); budget < 1<<28; budget += 16 << 10 {
		p, err := weights.MakePlan(m, transformer.Limits{Budget: budget, Threads: threads}, weights.Work{Conversation: tokens})
		if err == nil && p.Kept >= kept {
			return budget
		}
	}
	t.Fatalf("no budget keeps %d layers", kept)
	return 0
}

// talk reads a prompt in pieces of some tokens, goes on word by word and by trees
// of which a path is kept, cuts the end off and reads more: all logits.
func talk(t testing.TB, d *transformer.Decoder, c *transformer.Sequence, seed uint64, piece int) []float32 {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 9))
	v := d.Vocabulary()
	all := appendAll(t, d, c, randomIDs(rng, 600, v), piece)
	for range 5 {
		all = append(all, appendAll(t, d, c, randomIDs(rng, 1, v), 1)...)
		tree := randomTree(rng, 9, v)
		all = append(all, verify(t, d, c, tree)...)
		if err := c.Keep(pathTo(tree, 8)); err != nil {
			t.Fatal(err)
		}
	}
	if err := c.Truncate(200); err != nil {
		t.Fatal(err)
	}
	return append(all, appendAll(t, d, c, randomIDs(rng, 300, v), piece)...)
}

// However many layers there is room for, whether they are kept or not, and
// however a prompt is cut, the logits and what is stored have the bits of the
// resident model; and no more memory is held than the budget.
func TestC3_ResidencyChangesNoBit(t *testing.T) {
	const seed = 91
	t.Logf("seed %d", seed)
	for name, model := range deep() {
		path := importFolder(t, model.folder(t))
		one := openDecoder(t, path, transformer.DecoderOptions{MaxTokens: deepTokens})
		c := one.NewSequence()
		want := talk(t, one, c, seed, 64)
		stored := transformer.StoredBits(c)
		freeSequence(t, c)
		for _, kept := range []int{0, 4, model.layers} {
			for _, o := range []transformer.DecoderOptions{{Threads: 1}, {Threads: 2}} {
				o.Ledger, o.MaxTokens = &memory.Ledger{}, deepTokens
				o.Budget = budgetFor(t, path, o.Threads, 600, kept)
				d := openDecoder(t, path, o)
				c, piece := d.NewSequence(), 130+470*(o.Threads-1)
				if got := talk(t, d, c, seed, piece); !slices.Equal(got, want) {
					t.Errorf("%s, %d layers kept, %+v: other logits", name, kept, o)
				}
				if got := transformer.StoredBits(c); !slices.EqualFunc(got, stored, slices.Equal) {
					t.Errorf("%s, %d layers kept, %+v: other keys and values", name, kept, o)
				}
				freeSequence(t, c)
				if s := d.Stats(); s.Resident != (s.Window.BytesRead == 0) || s.Resident && kept < model.layers {
					t.Fatalf("%s, %d layers kept: %+v", name, kept, s)
				}
				requireDecoderPeaks(t, o, modelOf(t, path))
			}
		}
	}
}

// requireDecoderPeaks verifies that a budget was kept, and used, and that the
// window never had more than two layers.
func requireDecoderPeaks(t *testing.T, o transformer.DecoderOptions, m transformer.Model) {
	t.Helper()
	config := m.Config
	if got, limit := peaks(o.Ledger)[weights.WindowPool], 2*pages(config.LayerBuffer()); got > limit {
		t.Errorf("window: %d bytes, want at most %d", got, limit)
	}
	if most := o.Ledger.Peak(); most > o.Budget || 4*most < 3*o.Budget {
		t.Errorf("held %d bytes, the budget is %d: %+v", most, o.Budget, o.Ledger.Snapshot())
	}
}

// The bytes read are those of the layers that are not kept, once in each round of
// a prompt and in each step.
func TestResidencyReadsWhatItDoesNotKeep(t *testing.T) {
	const steps = 7
	for name, model := range deep() {
		path := importFolder(t, model.folder(t))
		config := modelOf(t, path).Config
		size := int64(config.LayerBuffer())
		for _, kept := range []int{0, 2, 5, model.layers} {
			limits := transformer.Limits{Budget: budgetFor(t, path, 2, 300+steps, kept), Threads: 2}
			plan, err := weights.MakePlan(modelOf(t, path), limits, weights.Work{Conversation: 300})
			if err != nil {
				t.Fatal(err)
			}
			d := openDecoder(t, path, transformer.DecoderOptions{MaxTokens: deepTokens, Threads: 2, Budget: limits.Budget})
			c := d.NewSequence()
			rounds, want := (300+plan.RoundRows-1)/plan.RoundRows, 0
			read := func(what string) {
				t.Helper()
				s := d.Stats().Window
				if s.LayersRead != want || s.BytesRead != int64(want)*size {
					t.Errorf("%s, %d layers kept, after %s: %d layers and %d bytes read, want %d of %d", name, kept, what, s.LayersRead, s.BytesRead, want, size)
				}
			}
			ids := randomIDs(rand.New(rand.NewPCG(1, 0)), 300+steps, d.Vocabulary())
			if err := d.Append(t.Context(), c, ids[:300], nil); err != nil {
				t.Fatal(err)
			}
			want = model.layers + (rounds-1)*(model.layers-plan.KeptAtFirst)
			read("the prompt")
			for i := range steps {
				if err := d.Append(t.Context(), c, ids[300+i:301+i], nil); err != nil {
					t.Fatal(err)
				}
				if want += model.layers - plan.Kept; i == 0 { // what may stay now comes by and stays
					want += plan.Kept - plan.KeptAtFirst
				}
				read("a step")
			}
			if got := d.Stats().Kept; got != plan.Kept {
				t.Errorf("%s: %d layers are kept, planned %d", name, got, plan.Kept)
			}
			freeSequence(t, c)
		}
	}
}

// While contexts grow layers make room for them, also for those of several
// conversations, and come back when they are freed.
func TestLayersMakeRoomForContexts(t *testing.T) {
	model := deep()["tied"]
	path := importFolder(t, model.folder(t))
	ledger := &memory.Ledger{}
	o := transformer.DecoderOptions{MaxTokens: deepTokens, Threads: 2, Ledger: ledger, Budget: budgetFor(t, path, 2, 128, model.layers)}
	d := openDecoder(t, path, o)
	rng := rand.New(rand.NewPCG(2, 0))
	var contexts []*transformer.Sequence
	before := model.layers + 1
	for range 3 {
		c := d.NewSequence()
		contexts = append(contexts, c)
		for range 2 {
			if err := d.Append(t.Context(), c, randomIDs(rng, 128, d.Vocabulary()), nil); err != nil {
				t.Fatal(err)
			}
			if total := ledger.Total(); total > o.Budget {
				t.Errorf("%d bytes, the budget is %d", total, o.Budget)
			}
		}
		kept := d.Stats().Kept
		if kept >= before {
			t.Errorf("%d layers are kept with %d conversations, %d with one less", kept, len(contexts), before)
		}
		before = kept
	}
	for _, c := range contexts {
		freeSequence(t, c)
	}
	c := d.NewSequence()
	defer freeSequence(t, c)
	for range 2 {
		if err := d.Append(t.Context(), c, []int32{1}, nil); err != nil {
			t.Fatal(err)
		}
	}
	if kept := d.Stats().Kept; kept != model.layers {
		t.Errorf("%d layers are kept after all was freed, want all %d", kept, model.layers)
	}
}

func TestDecoderWithoutRoom(t *testing.T) {
	path := importFolder(t, deep()["untied"].folder(t))
	least := budgetFor(t, path, 1, deepTokens, 0)
	o := transformer.DecoderOptions{MaxTokens: deepTokens, Budget: least - 64<<10}
	if _, err := transformer.OpenDecoder(t.Context(), path, newKernel(t), o); !errors.Is(err, transformer.ErrBudget) {
		t.Errorf("opened in less than two layers take: %v", err)
	}
	o.Budget = least
	d := openDecoder(t, path, o)
	c, other := d.NewSequence(), d.NewSequence()
	defer freeSequence(t, c)
	defer freeSequence(t, other)
	if err := d.Append(t.Context(), c, make([]int32, deepTokens), nil); err != nil {
		t.Fatal(err)
	}
	if err := d.Append(t.Context(), other, make([]int32, 400), nil); !errors.Is(err, transformer.ErrBudget) || other.Len() != 0 || other.Bytes() != 0 {
		t.Errorf("a second conversation without room for it: %v, %d tokens", err, other.Len())
	}
	freeSequence(t, c)
	if err := d.Append(t.Context(), other, make([]int32, 400), nil); err != nil {
		t.Errorf("after the first was freed: %v", err)
	}
}

// damagePack does to a file what must not happen while it is used.
var damagePack = map[string]func(path string) error{
	"cut short": func(path string) error { return os.Truncate(path, 8192) },
	"overwritten": func(path string) error {
		f, err := os.OpenFile(path, os.O_RDWR, 0)
		if err != nil {
			return err
		}
		info, err := f.Stat()
		if err == nil {
			_, err = f.WriteAt(make([]byte, info.Size()-8192), 8192)
		}
		return errors.Join(err, f.Close())
	},
	"removed": os.Remove,
}

// A pack that is cut or written over while it is read ends the call with an error
// that says so, and leaves the context as it was; one that is removed goes on.
func TestDamageWhileDecoding(t *testing.T) {
	model := deep()["untied"]
	for name, damage := range damagePack {
		if name == "removed" && runtime.GOOS == "windows" {
			continue
		}
		path := importFolder(t, model.folder(t))
		d := openDecoder(t, path, transformer.DecoderOptions{MaxTokens: deepTokens, Budget: budgetFor(t, path, 1, 300, 2)})
		c := d.NewSequence()
		if err := d.Append(t.Context(), c, make([]int32, 300), nil); err != nil {
			t.Fatal(err)
		}
		if err := damage(path); err != nil {
			t.Fatal(err)
		}
		var err error
		for i := 0; i < 3 && err == nil; i++ {
			err = d.Append(t.Context(), c, []int32{int32(i)}, nil)
		}
		want := map[string]error{"cut short": pack.ErrTruncated, "overwritten": pack.ErrCorrupt, "removed": nil}[name]
		if !errors.Is(err, want) {
			t.Errorf("%s: %v, want %v", name, err, want)
		}
		t.Logf("%s: %v", name, err)
		if err := c.Truncate(300); err != nil {
			t.Errorf("%s: %d tokens are left: %v", name, c.Len(), err)
		}
		freeSequence(t, c)
	}
}

// embedderPack imports a small model that makes vectors.
func embedderPack(t testing.TB) string {
	t.Helper()
	files, err := modeltest.Files()
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	if err := modeltest.Write(folder, files); err != nil {
		t.Fatal(err)
	}
	return importFolder(t, folder)
}

// A resident model does not mind what becomes of its file.
func TestResidentModelsSurviveTheirFile(t *testing.T) {
	for name, damage := range damagePack {
		if name == "removed" && runtime.GOOS == "windows" {
			continue
		}
		path := importFolder(t, decoders()["Llama"].folder(t))
		d := openDecoder(t, path, transformer.DecoderOptions{Threads: 2})
		ids := randomIDs(rand.New(rand.NewPCG(3, 0)), 50, d.Vocabulary())
		first, second := d.NewSequence(), d.NewSequence()
		want := appendAll(t, d, first, ids, 50)
		scorer, embedder := rerankerPack(t, rerankers["BERT"]), embedderPack(t)
		r, err := transformer.OpenCrossEncoder(t.Context(), scorer, newKernel(t), transformer.CrossEncoderOptions{})
		if err != nil {
			t.Fatal(err)
		}
		e, err := transformer.OpenEmbedder(t.Context(), embedder, newKernel(t), transformer.EmbedderOptions{Threads: 1})
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(damage(path), damage(scorer), damage(embedder)); err != nil {
			t.Fatal(err)
		}
		if got := appendAll(t, d, second, ids, 1); !slices.Equal(got, want) {
			t.Errorf("%s: other logits", name)
		}
		if _, err := r.Score(t.Context(), []transformer.Pair{{IDs: []int32{1, 2, 3}}}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if _, _, err := e.EmbedQuery(t.Context(), "a text"); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if err := errors.Join(first.Free(), second.Free(), r.Close(), e.Close()); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := transformer.OpenDecoder(t.Context(), filepath.Join(t.TempDir(), "absent"), newKernel(t), transformer.DecoderOptions{}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("absent: %v", err)
	}
}

// A pass that is broken off leaves nothing that changes the next one.
func TestCancelledStreamedDecoder(t *testing.T) {
	model := deep()["tied"]
	path := importFolder(t, model.folder(t))
	one := openDecoder(t, path, transformer.DecoderOptions{MaxTokens: deepTokens})
	ids := randomIDs(rand.New(rand.NewPCG(4, 0)), 500, one.Vocabulary())
	plain := one.NewSequence()
	want := appendAll(t, one, plain, ids, 500)
	freeSequence(t, plain)
	d := openDecoder(t, path, transformer.DecoderOptions{MaxTokens: deepTokens, Budget: budgetFor(t, path, 1, 500, 3)})
	c := d.NewSequence()
	defer freeSequence(t, c)
	for calls := 1; calls < 50; calls += 7 {
		ctx := &impatient{Context: t.Context(), calls: calls}
		if err := d.Append(ctx, c, ids, nil); !errors.Is(err, context.Canceled) || c.Len() != 0 || c.Bytes() != 0 {
			t.Fatalf("given up after %d looks: %v, %d tokens, %d bytes", calls, err, c.Len(), c.Bytes())
		}
	}
	if got := appendAll(t, d, c, ids, 500); !slices.Equal(got, want) {
		t.Error("after calls that were given up there are other logits")
	}
}

// impatient is done after it was looked at some times.
type impatient struct {
	context.Context
	calls int
}

func (c *impatient) Err() error {
	if c.calls--; c.calls < 0 {
		return context.Canceled
	}
	return nil
}
