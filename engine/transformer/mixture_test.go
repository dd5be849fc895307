package transformer_test

import (
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"dowse/engine/memory"
	"dowse/engine/transformer"
	"dowse/engine/weights"
	"dowse/models/modeltest"
)

// mixturePack imports a small model with experts, whose experts outweigh the rest.
func mixturePack(t testing.TB, name string) (path string, model modeltest.Decoder) {
	t.Helper()
	model = modeltest.Mixtures()[name]
	model.Hidden, model.Positions, model.ExpertWidth, model.Layers = 64, 1024, 96, 5
	if strings.HasPrefix(name, "mixtral") {
		model.Intermediate = 160
	}
	files, err := model.Files()
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	if err := modeltest.Write(folder, files); err != nil {
		t.Fatal(err)
	}
	return importFolder(t, folder), model
}

// The router of a layer chooses what the plain reference chooses, and the experts'
// integers keep its logits.
func TestMixtureAgreesWithTheReference(t *testing.T) {
	for name, model := range modeltest.Mixtures() {
		files, err := model.Files()
		if err != nil {
			t.Fatal(err)
		}
		folder := t.TempDir()
		if err := modeltest.Write(folder, files); err != nil {
			t.Fatal(err)
		}
		r, d := openDecoderReference(t, folder), openDecoder(t, importFolder(t, folder), transformer.DecoderOptions{Threads: 2})
		ids := randomIDs(rand.New(rand.NewPCG(5, 5)), 40, d.Vocabulary())
		logits, c := make([]float32, len(ids)*d.Vocabulary()), d.NewSequence()
		if err := d.Append(t.Context(), c, ids, logits); err != nil {
			t.Fatal(err)
		}
		var s decoderState
		worst, sum := 1.0, 0.0
		for i, id := range ids {
			states := r.next(&s, id)
			like := correlation(logits[i*d.Vocabulary():(i+1)*d.Vocabulary()], r.logits(states[len(states)-1]))
			worst, sum = min(worst, like), sum+like
		}
		t.Logf("%s: correlation of logits %.4f in the mean, %.4f at least", name, sum/40, worst)
		if sum/40 < .98 {
			t.Errorf("%s: correlation of logits %.4f", name, sum/40)
		}
		freeSequence(t, c)
	}
}

// A token gives the bits that it gives alone, whichever others go through an expert with
// it, on any number of threads, in prompts and in trees.
func TestMixtureIsBatchInvariant(t *testing.T) {
	if testing.Short() {
		t.Skip("compares numbers: nothing for the race detector")
	}
	for name := range modeltest.Mixtures() {
		path, _ := mixturePack(t, name)
		one := openDecoder(t, path, transformer.DecoderOptions{MaxTokens: deepTokens})
		c := one.NewSequence()
		want := talk(t, one, c, 7, 1)
		stored := transformer.StoredBits(c)
		freeSequence(t, c)
		for _, o := range []struct{ threads, piece int }{{1, 600}, {2, 130}, {3, 600}} {
			d := openDecoder(t, path, transformer.DecoderOptions{MaxTokens: deepTokens, Threads: o.threads})
			c := d.NewSequence()
			if got := talk(t, d, c, 7, o.piece); !slices.Equal(got, want) {
				t.Errorf("%s: %+v: other logits than token by token", name, o)
			}
			if got := transformer.StoredBits(c); !slices.EqualFunc(got, stored, slices.Equal) {
				t.Errorf("%s: %+v: other keys and values", name, o)
			}
			freeSequence(t, c)
		}
	}
}

// However few experts there is room for, the bits are those of the resident model, no more
// memory is held than the budget, and what was counted adds up.
func TestStreamedExpertsChangeNoBit(t *testing.T) {
	for _, name := range []string{"mixtral", "qwen3-moe"} {
		path, model := mixturePack(t, name)
		m := modelOf(t, path)
		one := openDecoder(t, path, transformer.DecoderOptions{MaxTokens: deepTokens})
		c := one.NewSequence()
		want := talk(t, one, c, 7, 600)
		freeSequence(t, c)
		least := leastMixtureBudget(t, m)
		whole := m.Config.Mixture.Experts * m.Config.Mixture.Layers(m.Config.Layers)
		for _, slots := range []int{2, 3, whole / 2} {
			ledger := &memory.Ledger{}
			budget := least + int64(slots-2)*pages(m.Config.ExpertBuffer()) + int64(model.Layers-2)*pages(m.Config.LayerBuffer())
			d := openDecoder(t, path, transformer.DecoderOptions{MaxTokens: deepTokens, Threads: 2, Budget: budget, Ledger: ledger})
			c := d.NewSequence()
			if got := talk(t, d, c, 7, 600); !slices.Equal(got, want) {
				t.Errorf("%s with %d experts: other logits", name, slots)
			}
			freeSequence(t, c)
			if most := ledger.Peak(); most > budget {
				t.Errorf("%s: held %d bytes, the budget is %d", name, most, budget)
			}
			s := d.Stats()
			e := s.Experts
			t.Logf("%s with room for some %d of %d experts: %+v", name, slots, whole, e)
			if s.Resident || e.Chosen != e.Hits+e.Foreseen+e.Demanded || e.BytesRead != int64(e.Reads)*int64(m.Config.ExpertBuffer()) ||
				e.Reads < e.Demanded || e.Guessed > e.Guessable || e.Guessable != e.Chosen || e.Guessed == 0 || e.Demanded == 0 {
				t.Errorf("%s with %d experts: %+v", name, slots, s)
			}
		}
	}
}

// leastMixtureBudget is the least in which a conversation of deepTokens runs.
func leastMixtureBudget(t *testing.T, m transformer.Model) int64 {
	t.Helper()
	for budget := int64(1 << 18); budget < 1<<28; budget += 4 << 10 {
		if _, err := weights.NewRoom(m, transformer.Limits{Budget: budget, Threads: 2}); err == nil {
			return budget
		}
	}
	t.Fatal("no budget is enough")
	return 0
}

// A budget that does not hold the least is refused, and the error names what would do.
func TestMixtureNamesTheLeastBudget(t *testing.T) {
	path, _ := mixturePack(t, "mixtral")
	_, err := transformer.OpenDecoder(t.Context(), path, newKernel(t), transformer.DecoderOptions{Threads: 2, MaxTokens: deepTokens, Budget: 300 << 10})
	if !errors.Is(err, weights.ErrBudget) || !strings.Contains(err.Error(), "at least") {
		t.Errorf("error %v", err)
	}
}

// An expert that is damaged while the model runs is an error of the pass that needs it,
// and no wrong token.
func TestDamagedExpertIsAnError(t *testing.T) {
	path, _ := mixturePack(t, "mixtral")
	m := modelOf(t, path)
	copied := filepath.Join(t.TempDir(), "model.pack")
	data, err := os.ReadFile(path)
	if err == nil {
		err = os.WriteFile(copied, data, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	d := openDecoder(t, copied, transformer.DecoderOptions{MaxTokens: deepTokens, Threads: 2, Budget: leastMixtureBudget(t, m)})
	f, err := os.OpenFile(copied, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteAt(make([]byte, len(data)/2), int64(len(data)/3)); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	c := d.NewSequence()
	err = d.Append(t.Context(), c, randomIDs(rand.New(rand.NewPCG(1, 1)), 60, d.Vocabulary()), nil)
	if err == nil || !strings.Contains(err.Error(), "checksum of expert") || c.Len() != 0 {
		t.Errorf("error %v, %d tokens", err, c.Len())
	}
	freeSequence(t, c)
}

// What scores has no experts, and what has experts takes no adapter.
func TestMixtureRefusals(t *testing.T) {
	path, _ := mixturePack(t, "mixtral")
	_, err := transformer.OpenCrossEncoder(t.Context(), path, newKernel(t), transformer.CrossEncoderOptions{Limits: transformer.Limits{Threads: 1}})
	if err == nil || !strings.Contains(err.Error(), "models with experts write") {
		t.Errorf("error %v", err)
	}
	_, err = transformer.OpenDecoder(t.Context(), path, newKernel(t), transformer.DecoderOptions{Adapter: t.TempDir()})
	if err == nil || !strings.Contains(err.Error(), "adapters of such models are not supported") {
		t.Errorf("error %v", err)
	}
}
