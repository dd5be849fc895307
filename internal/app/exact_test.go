package app

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"dowse/engine"
	"dowse/engine/answer/local"
	"dowse/engine/generate/draft"
	"dowse/engine/leann"
	"dowse/engine/memory"
	"dowse/engine/search"
	"dowse/engine/transformer"
	"dowse/internal/indexes"
	"dowse/internal/testanswer"
	"dowse/internal/testcache"
	"dowse/models"
	"dowse/models/modeltest"
	"dowse/store"
)

// exactQuestions are asked of exactNotes.
var exactQuestions = []string{"who wrote grep?", "where does the heron stand?"}

// exactReranker is one with random weights, whose layers outweigh what it works
// in.
var exactReranker = modeltest.Reranker{LayerHeads: true, Layers: 12, Hidden: 128, Intermediate: 512, Seed: 7}

// writer is the name of a small model that writes.
const writer = "writer"

// exactApp has models that rerank and write, and an index that is large enough
// for its vectors to be thrown away. Tests share them: none writes there.
func exactApp(t *testing.T) *App {
	t.Helper()
	if testing.Short() {
		t.Skip("indexes and answers for half a minute")
	}
	dir := filepath.Join(os.Getenv("HOME"), "exact") // gone when the tests have ended
	t.Setenv("XDG_CACHE_HOME", testcache.Dir(t))
	t.Setenv("DOWSE_HOME", filepath.Join(dir, "home"))
	a, err := New()
	if err != nil {
		t.Fatal(err)
	}
	a.Config.Depth = engine.RerankDepth // however fast this machine is
	a.Config.Reranker, a.Config.Answerer, a.Config.Threads, a.Config.Memory = "reranker", writer, 2, 1<<30
	exactOnce.Do(func() {
		addExactModels(t, a)
		exactIndex(t, a, filepath.Join(dir, "notes"))
	})
	return a
}

var exactOnce sync.Once

// addExactModels installs the models that exactApp names.
func addExactModels(t *testing.T, a *App) {
	t.Helper()
	rerankerFiles, err := exactReranker.Files()
	if err != nil {
		t.Fatal(err)
	}
	for name, files := range map[string]map[string][]byte{"reranker": rerankerFiles, writer: testanswer.DeepWriterFiles(t)} {
		folder := t.TempDir()
		if err := modeltest.Write(folder, files); err != nil {
			t.Fatal(err)
		}
		if err := a.AddModel(t.Context(), name, folder, "", "", nil); err != nil {
			t.Fatal(err)
		}
	}
}

// exactIndex writes the notes that exactQuestions are about, and many others, and indexes
// them.
func exactIndex(t *testing.T, a *App, notes string) {
	t.Helper()
	if err := os.Mkdir(notes, 0o700); err != nil {
		t.Fatal(err)
	}
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(notes, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("grep.md", "# Tools\n\nKen Thompson wrote grep overnight, in 1973.\n")
	write("heron.md", "A grey heron stands in the reeds of the lake.\n")
	for i := range leann.MinChunks {
		write(fmt.Sprintf("n%d.md", i), fmt.Sprintf("Note %d is about boat %d of the harbour.\n", i, i*7919%1000))
	}
	owner, err := a.OpenOwner(t.Context(), func() {})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := owner.Index(t.Context(), []string{notes}, nil); err != nil {
		t.Fatal(err)
	}
	if err := owner.Close(); err != nil {
		t.Fatal(err)
	}
}

// openWithLedger opens what answers questions, and tells what it holds.
func openWithLedger(t *testing.T, a *App) (*indexes.Stack, *memory.Ledger) {
	t.Helper()
	ledger := &memory.Ledger{}
	m, err := a.OpenModels(ledger)
	if err != nil {
		t.Fatal(err)
	}
	db, err := store.Open(a.Home.Index(), store.Options{ReadOnly: true, Fingerprint: indexes.Fingerprint(m.Embedder.Fingerprint())})
	if err != nil {
		t.Fatal(err, m.Close())
	}
	s := a.Assemble(db, m, ledger, true, search.Options{})
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s, ledger
}

// exactAnswer is what must not depend on how it was computed.
type exactAnswer struct {
	chunks []uint32
	scores []float64
	text   string
	tokens []int32 // of the prompt and of what the model wrote
}

func (a exactAnswer) equal(b exactAnswer) bool {
	return a.text == b.text && slices.Equal(a.chunks, b.chunks) && slices.Equal(a.scores, b.scores) && slices.Equal(a.tokens, b.tokens)
}

// askExactly asks a question from the query line to the last token.
func askExactly(t *testing.T, s *indexes.Stack, question string) (exactAnswer, *engine.Result) {
	t.Helper()
	r, err := s.Search(t.Context(), engine.Request{Query: question, K: 3, Answer: true}, nil)
	if err != nil {
		t.Fatal(err)
	}
	// What a model with random weights writes is in no passage: its tokens are compared.
	if r.Answer == nil || !strings.HasSuffix(r.Answer.Problem, "wrote nothing that they say") || r.Stats.Rerank == nil || r.Stats.Rerank.Problem != "" {
		t.Fatalf("%s: %+v, %+v", question, r.Answer, r.Stats.Rerank)
	}
	a := exactAnswer{text: r.Answer.Text}
	for _, p := range r.Passages {
		a.chunks, a.scores = append(a.chunks, p.ChunkID), append(a.scores, p.Score)
	}
	useWriter(t, s, func(m *local.Model) { a.tokens = slices.Clone(m.Context.Tokens()) })
	return a, r
}

// withoutDrafts lets the answerer write one token after the other.
func withoutDrafts(t *testing.T, s *indexes.Stack) {
	t.Helper()
	useWriter(t, s, func(m *local.Model) { m.Drafter = draft.NewDrafter(draft.Options{Budget: draft.Budget{Rows: 1}}) })
}

// useWriter calls use with the answerer, opened.
func useWriter(t *testing.T, s *indexes.Stack, use func(m *local.Model)) {
	t.Helper()
	model, done, err := s.Models.Chosen().Writer.Acquire(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	use(model)
	if err := done(); err != nil {
		t.Fatal(err)
	}
}

// exactWay is a way to compute the same answer, and to tell that it was taken.
type exactWay struct {
	name  string
	set   func(a *App)
	open  func(t *testing.T, s *indexes.Stack)
	taken func(r *engine.Result, writer *local.Model) bool
}

// memoryBeside is the setting that leaves a model so many bytes beside what is reserved.
func memoryBeside(t *testing.T, a *App, bytes int64) int64 {
	t.Helper()
	setting := bytes
	for range 20 {
		trial := *a
		trial.Config.Memory = setting
		s, _ := openWithLedger(t, &trial)
		left := s.Models.Memory.Shared()
		if left == bytes {
			break
		}
		setting += bytes - left
	}
	return setting
}

// exactWays are all that is declared exact and can be switched. What shares work
// within one pass (a prefix of all candidates, rows of embeddings) is always on,
// and has twins in its own package, as kernels have for each processor. Vectors
// that are stored, and not recomputed, are those of small indexes alone. There is
// neither a cache of vectors of hubs nor one of chunks of keys and values yet.
func exactWays(t *testing.T, a *App) []exactWay {
	t.Helper()
	size := packSize(t, models.PackPath(a.Home.Cache, a.Config.Answerer))
	// What an answerer may take is said in percent of its pack.
	memory := func(share int64) func(*App) {
		return func(a *App) { a.Config.Memory = memoryBeside(t, a, size*share/100+local.Beside) }
	}
	reranker := func(plan transformer.Plan) func(*testing.T, *indexes.Stack) {
		return func(_ *testing.T, s *indexes.Stack) {
			s.Models.Chosen().Reranker.Plan = func([]int) (transformer.Plan, error) { return plan, nil }
		}
	}
	reads := func(r *engine.Result, _ *local.Model) bool { return r.Stats.Rerank.BytesRead > 0 }
	return []exactWay{
		{name: "nothing", set: func(a *App) { a.Config.Threads = 1 }, open: withoutDrafts,
			taken: func(r *engine.Result, _ *local.Model) bool { return r.Answer.Generation.Drafted == 0 }},
		{name: "drafts", set: evenCosts(t), taken: func(r *engine.Result, _ *local.Model) bool { return r.Answer.Generation.Drafted > 0 }},
		{name: "drafts from past answers", set: evenCosts(t), taken: func(r *engine.Result, w *local.Model) bool {
			return r.Answer.Generation.Accepted > 0 && w.Past() > 0
		}},
		{name: "an answerer that is read while it writes", set: memory(70), taken: func(r *engine.Result, w *local.Model) bool {
			return !w.Decoder.Resident() && w.Decoder.Stats().Window.BytesRead > 0
		}},
		{name: "an answerer of which layers are kept", set: memory(90), taken: func(r *engine.Result, w *local.Model) bool {
			return !w.Decoder.Resident() && r.Answer.Generation.Kept > 0
		}},
		{name: "a reranker that is read while it scores", open: reranker(transformer.Plan{Streamed: true, ChunkRows: 1 << 20, TokenRows: 400}), taken: reads},
		{name: "a reranker whose states lie in a file", open: reranker(transformer.Plan{Streamed: true, Offload: true, ChunkRows: 256, TokenRows: 400}), taken: reads},
		{name: "a reranker that scores a few candidates at a time", open: reranker(transformer.Plan{ChunkRows: 256}),
			taken: func(r *engine.Result, _ *local.Model) bool { return r.Stats.Rerank.BytesRead == 0 }},
	}
}

// evenCosts has steps of any number of rows cost the same, as was measured for one: a
// busy machine may measure costs for which nothing is drafted.
func evenCosts(t *testing.T) func(*App) {
	return func(a *App) {
		measures, _ := openWithLedger(t, a)
		useWriter(t, measures, func(*local.Model) {})
		paths, err := filepath.Glob(filepath.Join(a.CostsFolder(), "*.json"))
		if err != nil || len(paths) == 0 {
			t.Fatalf("no costs were measured: %v", err)
		}
		for _, path := range paths {
			var kept map[string]any
			text, err := os.ReadFile(path)
			if err == nil {
				err = json.Unmarshal(text, &kept)
			}
			seconds, ok := kept["seconds"].([]any)
			if err != nil || !ok {
				t.Fatalf("%s: %v, %s", path, err, text)
			}
			for i := range seconds {
				seconds[i] = seconds[0]
			}
			if text, err = json.Marshal(kept); err == nil {
				err = os.WriteFile(path, text, 0o600)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
	}
}

// packSize is the bytes of a pack.
func packSize(t *testing.T, path string) int64 {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return info.Size()
}

// testC1 asks the same questions in all ways, twice each: the second time vectors
// are known, and so is the beginning of the prompt.
func testC1(t *testing.T, a *App) {
	want := map[string]exactAnswer{}
	usual := a.Config
	for _, way := range exactWays(t, a) {
		t.Run(way.name, func(t *testing.T) {
			if a.Config = usual; way.set != nil {
				way.set(a)
			}
			s, _ := openWithLedger(t, a)
			if way.open != nil {
				way.open(t, s)
			}
			taken, recomputed, known, reused := false, 0, 0, 0
			for range 2 {
				for _, question := range exactQuestions {
					got, r := askExactly(t, s, question)
					if _, first := want[question]; !first {
						want[question] = got
						t.Logf("%s %q, %d tokens with the prompt", question, got.text, len(got.tokens))
					}
					if !got.equal(want[question]) {
						t.Errorf("%s: %+v, want %+v", question, got, want[question])
					}
					useWriter(t, s, func(w *local.Model) { taken = taken || way.taken(r, w) })
					recomputed, known, reused = recomputed+r.Stats.Recomputed, known+r.Stats.Memoized, reused+r.Answer.Generation.Reused
				}
			}
			// A writer that leaves no room for the reader is closed between questions.
			if room := way.set == nil || a.Config.Memory == usual.Memory; !taken || recomputed == 0 || known == 0 || reused == 0 && room {
				useWriter(t, s, func(w *local.Model) { t.Logf("the answerer: %+v", w.Decoder.Stats()) })
				t.Errorf("taken: %t; %d vectors were recomputed and %d known, %d tokens of prompts known: the test shows little", taken, recomputed, known, reused)
			}
		})
	}
}

func TestC1_AnswersAreTheSameHoweverTheyAreComputed(t *testing.T) {
	testC1(t, exactApp(t))
}

// TestC1_OfSmolLM2 is the same with an answerer of real size.
func TestC1_OfSmolLM2(t *testing.T) {
	testcache.Full(t, models.SmallestAnswerer)
	a := exactApp(t)
	linkModel(t, a, models.SmallestAnswerer)
	a.Config.Answerer = models.SmallestAnswerer
	testC1(t, a)
}

// linkModel installs a model that make test-full obtains.
func linkModel(t *testing.T, a *App, name string) {
	t.Helper()
	from, to := filepath.Dir(testcache.Full(t, name)), filepath.Dir(models.PackPath(a.Home.Cache, name))
	err := os.Symlink(from, to)
	if errors.Is(err, fs.ErrExist) {
		return
	}
	if errors.Is(err, fs.ErrNotExist) {
		err = errors.Join(os.MkdirAll(filepath.Dir(to), 0o755), os.Symlink(from, to))
	}
	if err != nil {
		t.Fatal(err)
	}
}
