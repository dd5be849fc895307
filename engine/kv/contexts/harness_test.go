package contexts

import (
	"context"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"dowse/engine/kernel"
	"dowse/engine/kv"
	"dowse/engine/kv/disk"
	"dowse/engine/memory"
	"dowse/engine/transformer"
	"dowse/internal/testenv"
	"dowse/models/modeltest"
	"dowse/models/pack"
)

// TestMain runs the tests, or is the process that a test kills.
func TestMain(m *testing.M) {
	if pack := os.Getenv(victimVariable); pack != "" {
		ratio, err := strconv.ParseFloat(os.Getenv(victimRatio), 64)
		if err != nil {
			panic(err)
		}
		os.Exit(victim(&home{pack: pack, folder: os.Getenv(victimFolder), model: "a model", ratio: ratio}))
	}
	os.Exit(testenv.Of(m).Run())
}

// home is where a test has its model and its conversations.
type home struct {
	pack, folder string
	quota        int64
	model        string // name
	ratio        float64
	profile      *kv.Profile // of the machine, before anything is measured; nil for the decoder's
	memory       *memory.Arbiter
}

// newHome makes a small model with random weights.
func newHome(t testing.TB) *home {
	t.Helper()
	m := modeltest.Decoders()["llama"]
	m.Layers, m.Positions = 5, 4096
	return homeOf(t, m)
}

// newWideHome makes one whose chunks become smaller when they are lowered.
func newWideHome(t testing.TB) *home {
	t.Helper()
	m := modeltest.Decoders()["llama"]
	m.Layers, m.Positions, m.HeadDim = 5, 4096, 32
	return homeOf(t, m)
}

func homeOf(t testing.TB, m modeltest.Decoder) *home {
	t.Helper()
	files, err := m.Files()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	h := &home{pack: filepath.Join(dir, "model.pack"), folder: filepath.Join(dir, "keys"), model: "a model"}
	folder := t.TempDir()
	if err := modeltest.Write(folder, files); err != nil {
		t.Fatal(err)
	}
	if err := pack.Import(t.Context(), folder, h.pack, nil); err != nil {
		t.Fatal(err)
	}
	return h
}

// world is a manager that is open, and what it stands on.
type world struct {
	*Manager
	decoder *transformer.Decoder
	ledger  *memory.Ledger
	kernel  *kernel.Kernel
}

// open opens the model and, if kept, the folder.
func (h *home) open(t testing.TB, kept bool) *world {
	t.Helper()
	w, err := h.start(t.Context(), kept)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.close(t) })
	return w
}

// start is open for a process without a test.
func (h *home) start(ctx context.Context, kept bool) (*world, error) {
	k, err := kernel.New(kernel.Options{Backend: kernel.Own})
	if err != nil {
		return nil, err
	}
	w := &world{ledger: &memory.Ledger{}, kernel: k}
	w.decoder, err = transformer.OpenDecoder(ctx, h.pack, k, transformer.DecoderOptions{Threads: 2, Ledger: w.ledger})
	if err != nil {
		return nil, err
	}
	o := Options{Decoder: w.decoder, Memory: h.memory, Ratio: h.ratio}
	if kept {
		o.Disk, err = disk.Open(disk.Options{Folder: h.folder, Model: h.model, Layout: Layout(w.decoder.ConversationShape()), Quota: h.quota})
	}
	w.Manager = New(o)
	if h.profile != nil {
		w.meter = kv.NewMeter(*h.profile)
	}
	return w, err
}

// removeSlots removes all chunks of a folder that is not open.
func removeSlots(t *testing.T, folder string) {
	t.Helper()
	slots, err := filepath.Glob(filepath.Join(folder, "slots-*"))
	if err != nil || len(slots) != 2 {
		t.Fatal(slots, err)
	}
	for _, path := range slots {
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
	}
}

// Reclaim drops idle chunks until that many bytes are free, and returns how many are.
func (m *Manager) Reclaim(bytes int64) int64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	freed := m.dropIdle(bytes)
	m.shrink()
	return freed
}

// close closes all of it, once.
func (w *world) close(t testing.TB) {
	t.Helper()
	if w.Manager == nil {
		return
	}
	if err := w.Close(); err != nil {
		t.Error(err)
	}
	if w.disk != nil {
		if err := w.disk.Close(); err != nil {
			t.Error(err)
		}
	}
	w.Manager = nil
	if err := w.decoder.Close(); err != nil {
		t.Error(err)
	}
	if err := w.kernel.Close(); err != nil {
		t.Error(err)
	}
	if left := w.ledger.Total(); left != 0 {
		t.Errorf("%d bytes are left: %v", left, w.ledger.Snapshot())
	}
}

// drain waits for the background.
func (w *world) drain(t testing.TB) {
	t.Helper()
	if err := w.Drain(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// script is what is said in each turn of a conversation: tokens that are given, behind
// which the model writes some.
func script(seed uint64, turns, tokens, vocabulary int) [][]int32 {
	rng := rand.New(rand.NewPCG(seed, 0))
	all := make([][]int32, turns)
	for i := range all {
		for range tokens + rng.IntN(tokens) {
			all[i] = append(all[i], int32(rng.IntN(vocabulary)))
		}
	}
	return all
}

// written is how many tokens the model writes in a turn.
const written = 11

// say takes a turn of a conversation: appends tokens and writes some, greedily.
func (w *world) say(t testing.TB, id string, given []int32) []int32 {
	t.Helper()
	s, err := w.Open(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	said, err := continued(t.Context(), w.decoder, s, given)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	return said
}

// continued appends tokens to a conversation and writes some.
func continued(ctx context.Context, d *transformer.Decoder, s *Session, given []int32) ([]int32, error) {
	if err := s.Reserve(len(given) + written); err != nil {
		return nil, err
	}
	logits, said := make([]float32, d.Vocabulary()), []int32(nil)
	for range written {
		if err := d.Append(ctx, s.Sequence(), given, logits); err != nil {
			return nil, err
		}
		best := int32(slices.Index(logits, slices.Max(logits)))
		said, given = append(said, best), []int32{best}
	}
	return said, nil
}

// plainly is what the model says in all turns when nothing ever leaves memory.
func (w *world) plainly(t testing.TB, turns [][]int32) [][]int32 {
	t.Helper()
	var all [][]int32
	for _, given := range turns {
		all = append(all, w.say(t, "plainly", given))
	}
	if _, err := w.Delete(t.Context(), "plainly"); err != nil {
		t.Fatal(err)
	}
	return all
}

// damage changes bytes of the chunks in a folder, and no others.
func damage(t testing.TB, folder string, seed int64) {
	t.Helper()
	rng := rand.New(rand.NewPCG(uint64(seed), 1))
	files, err := filepath.Glob(filepath.Join(folder, "*.dat"))
	if err != nil || len(files) != 1 {
		t.Fatalf("%v, %v", files, err)
	}
	data, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	for range 4 {
		data[rng.IntN(len(data))] ^= 0xff
	}
	if err := os.WriteFile(files[0], data, 0o600); err != nil {
		t.Fatal(err)
	}
}
