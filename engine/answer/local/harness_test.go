package local

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"dowse/engine/answer"
	"dowse/engine/kernel"
	"dowse/engine/lexical"
	"dowse/engine/memory"
	"dowse/engine/opened"
	"dowse/internal/testanswer"
	"dowse/internal/testenv"
	"dowse/models"
	"dowse/models/modeltest"
)

func TestMain(m *testing.M) { os.Exit(testenv.Of(m).Run()) }

// fixture is where models are installed, and past answers kept.
type fixture struct {
	disk        opened.DiskCosts // nil for a usual disk
	cache, data string
	threads     int
	memory      int64
	answerer    string
	keys        *Keys // of conversations; nil for none
}

// bareHome is one in which nothing is installed.
func bareHome(t testing.TB) *fixture {
	t.Helper()
	dir := t.TempDir()
	return &fixture{data: filepath.Join(dir, "index"), cache: filepath.Join(dir, "cache"), threads: 2}
}

// install puts a model into the cache of a new home.
func install(t testing.TB, files map[string][]byte) *fixture {
	t.Helper()
	h, folder := bareHome(t), t.TempDir()
	h.memory, h.answerer = 1<<30, writer
	if err := modeltest.Write(folder, files); err != nil {
		t.Fatal(err)
	}
	if err := h.add(t.Context(), writer, folder, ""); err != nil {
		t.Fatal(err)
	}
	return h
}

// add imports a model, or puts an adapter on one that is installed.
func (h *fixture) add(ctx context.Context, name, path, adapter string) error {
	return h.addAsked(ctx, name, path, adapter, "")
}

// addAsked is add with a prompt.
func (h *fixture) addAsked(ctx context.Context, name, path, adapter string, prompt models.Prompt) error {
	fits := func(path, adapter string, _ models.Purpose) error {
		k, err := kernel.New(kernel.Options{Backend: kernel.Own})
		if err != nil {
			return err
		}
		return errors.Join(Check(path, adapter, k), k.Close())
	}
	return models.Add(ctx, []string{h.cache}, models.Addition{Name: name, Path: path, Adapter: adapter, Prompt: prompt, Check: fits}, nil)
}

func (h *fixture) remove(name string) error { return models.Remove(h.cache, name) }

func (h *fixture) find(name string) (models.Installation, error) {
	return opened.Find([]string{h.cache}, name)
}

// machine is one with the kernels of dowse. What models took of it is back after
// the test.
func (h *fixture) machine(t testing.TB) opened.Machine {
	t.Helper()
	k, err := kernel.New(kernel.Options{Backend: kernel.Own})
	if err != nil {
		t.Fatal(err)
	}
	m := opened.Machine{Find: h.find, Kernel: k, Ledger: &memory.Ledger{}, Threads: h.threads, Memory: memory.NewArbiter(h.memory)}
	t.Cleanup(func() {
		if err := k.Close(); err != nil {
			t.Error(err)
		}
		if m.Ledger.Total() != 0 {
			t.Errorf("%d bytes are left: %v", m.Ledger.Total(), m.Ledger.Snapshot())
		}
	})
	return m
}

// newModelAnswerer is one with what a home has installed.
func newModelAnswerer(t testing.TB, h *fixture) (*Answerer, *memory.Ledger) {
	t.Helper()
	m := h.machine(t)
	w := NewWriter(m, Options{Name: h.answerer, Costs: filepath.Join(h.cache, "generate"), Past: filepath.Join(h.data, "answers"), Build: "test", Keys: h.keys, Disk: h.disk})
	t.Cleanup(func() {
		if err := w.Close(); err != nil {
			t.Error(err)
		}
	})
	// Without a reader the model has whole passages to write from.
	return NewAnswerer(w, answer.NewExtractor(testanswer.Likes("")), lexical.NewAnalyzer(), false), m.Ledger
}

// newReadingAnswerer is one with the reader that the program carries.
func newReadingAnswerer(t testing.TB, h *fixture) *answer.Extractor {
	t.Helper()
	r := NewReader(h.machine(t))
	t.Cleanup(func() {
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	})
	return answer.NewExtractor(r)
}

// taken returns a model that is open, and lets go of it at once: nobody else has it.
func taken(t testing.TB, w *Writer) *Model {
	t.Helper()
	model, done, err := w.Acquire(t.Context())
	if err == nil {
		err = done()
	}
	if err != nil {
		t.Fatal(err)
	}
	return model
}

// outside is a prompt outside of conversations.
func (o *Model) outside(ids []int32) *request {
	return &request{prompt: &prompt{ids: ids}, generator: o.generator, sequence: o.Context}
}
