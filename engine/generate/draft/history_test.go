package draft

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"testing"
)

const testModel = "a model and its tokenizer"

func openHistory(t *testing.T, folder, model string, limit int) *History {
	t.Helper()
	h, err := OpenHistory(folder, model, limit)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := h.Close(); err != nil {
			t.Error(err)
		}
	})
	return h
}

func add(t *testing.T, h *History, session string, tokens ...int32) {
	t.Helper()
	if err := h.Add(session, tokens); err != nil {
		t.Fatal(err)
	}
}

func closeHistory(t *testing.T, h *History) {
	t.Helper()
	if err := h.Close(); err != nil {
		t.Fatal(err)
	}
}

func (h *History) matches(tokens ...int32) int { return int(longest(h.automaton, tokens).length) }

func wantLen(t *testing.T, h *History, answers, tokens int) {
	t.Helper()
	if a, n := h.Len(); a != answers || n != tokens {
		t.Errorf("%d answers of %d tokens, want %d of %d", a, n, answers, tokens)
	}
}

func onlyLog(t *testing.T, folder string) string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(folder, "*"))
	if err != nil || len(paths) != 1 {
		t.Fatalf("files %v (%v), want one log", paths, err)
	}
	return paths[0]
}

// T-S10: what was added is there after opening again, in a file that nobody
// else may read.
func TestHistoryPersists(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "answers")
	h := openHistory(t, folder, testModel, 0)
	add(t, h, "one", 1, 2, 3, 100_000)
	add(t, h, "two", 4, 5)
	add(t, h, "two")
	closeHistory(t, h)
	h = openHistory(t, folder, testModel, 0)
	wantLen(t, h, 2, 6)
	if h.matches(1, 2, 3, 100_000) != 4 || h.matches(4, 5) != 2 || h.matches(3, 4) != 1 {
		t.Error("the answers are not what they were")
	}
	for _, path := range []string{folder, onlyLog(t, folder)} {
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		if runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s has mode %v", path, info.Mode())
		}
	}
}

func TestHistoryOfAnotherModelIsApart(t *testing.T) {
	folder := t.TempDir()
	h := openHistory(t, folder, testModel, 0)
	add(t, h, "one", 1, 2, 3)
	closeHistory(t, h)
	other := openHistory(t, folder, "another", 0)
	wantLen(t, other, 0, 0)
	closeHistory(t, other)
	wantLen(t, openHistory(t, folder, testModel, 0), 1, 3)
}

// Wherever a log is cut, the whole answers before are kept, and it goes on.
func TestHistoryDropsTornTail(t *testing.T) {
	folder := t.TempDir()
	h := openHistory(t, folder, testModel, 0)
	add(t, h, "s", 1, 2, 3)
	path := onlyLog(t, folder)
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	first := int(info.Size())
	add(t, h, "s", 4, 5, 6)
	closeHistory(t, h)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for size := 0; size < len(whole); size += 3 {
		if err := os.WriteFile(path, whole[:size], 0o600); err != nil {
			t.Fatal(err)
		}
		want := 0
		if size >= first {
			want = 1
		}
		h := openHistory(t, folder, testModel, 0)
		wantLen(t, h, want, 3*want)
		add(t, h, "s", 7, 8)
		closeHistory(t, h)
		h = openHistory(t, folder, testModel, 0)
		wantLen(t, h, want+1, 3*want+2)
		closeHistory(t, h)
	}
}

func TestHistoryDropsDamagedRecord(t *testing.T) {
	folder := t.TempDir()
	h := openHistory(t, folder, testModel, 0)
	add(t, h, "s", 1, 2, 3)
	add(t, h, "s", 4, 5, 6)
	closeHistory(t, h)
	path := onlyLog(t, folder)
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	data[len(data)-1] ^= 1
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	wantLen(t, openHistory(t, folder, testModel, 0), 1, 3)
}

func TestHistoryIsBounded(t *testing.T) {
	folder := t.TempDir()
	h := openHistory(t, folder, testModel, 100)
	for i := range int32(40) {
		add(t, h, "s", i, i, i, i, i)
		if _, tokens := h.Len(); tokens > 100 {
			t.Fatalf("%d tokens are kept, at most 100", tokens)
		}
	}
	if h.matches(0) != 0 || h.matches(39, 39) != 2 {
		t.Error("not the oldest answers were dropped")
	}
	answers, tokens := h.Len()
	closeHistory(t, h)
	wantLen(t, openHistory(t, folder, testModel, 100), answers, tokens)

	add(t, NewHistory(10), "s", 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12)
	small := openHistory(t, folder, testModel, 20)
	if _, tokens := small.Len(); tokens > 20 {
		t.Errorf("%d tokens after opening with a lower bound of 20", tokens)
	}
	if err := small.Add("s", []int32{1, -4}); err == nil {
		t.Error("a negative token was accepted")
	}
}

// T-S10: an erased session is nowhere: not in the automaton, not in any log.
func TestHistoryErasesSessions(t *testing.T) {
	folder := t.TempDir()
	other := openHistory(t, folder, "another", 0)
	add(t, other, "secret", 11, 12, 13)
	add(t, other, "public", 14)
	closeHistory(t, other)
	h := openHistory(t, folder, testModel, 0)
	add(t, h, "secret", 1, 2, 3)
	add(t, h, "public", 4, 5)
	if err := h.Erase("secret"); err != nil {
		t.Fatal(err)
	}
	wantLen(t, h, 1, 2)
	if h.matches(1) != 0 || h.matches(4, 5) != 2 {
		t.Error("the erased session is still drafted from")
	}
	add(t, h, "public", 6)
	closeHistory(t, h)
	wantLen(t, openHistory(t, folder, testModel, 0), 2, 3)
	wantLen(t, openHistory(t, folder, "another", 0), 1, 1)
	checkNowhere(t, folder, "secret")
}

func checkNowhere(t *testing.T, folder, session string) {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(folder, "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Contains(data, []byte(session)) {
			t.Errorf("%s still has the session", path)
		}
	}
}

// A drafter follows a history that others add to and erase from meanwhile.
func TestHistoryChangesWhileDrafting(t *testing.T) {
	h := NewHistory(500)
	add(t, h, "s", 1, 2, 3, 4, 5)
	var wait sync.WaitGroup
	wait.Go(func() {
		for i := range int32(200) {
			if err := h.Add("other", []int32{i, 1, 2, 9, i}); err != nil {
				t.Error(err)
			}
			if i%50 == 49 {
				if err := h.Erase("other"); err != nil {
					t.Error(err)
				}
			}
		}
	})
	d := NewDrafter(Options{History: h})
	for range 20 {
		d.Begin([]int32{700, 701})
		for _, root := range []int32{1, 2, 3} {
			tree := d.Propose(root, 8)
			if !slices.Contains(tree.Tokens, root+1) {
				t.Errorf("after %d: %v, want %d of the session that stays", root, tree.Tokens, root+1)
			}
			d.Accept([]int32{0}, make([]int32, tree.Len()))
		}
	}
	wait.Wait()
}

func FuzzReadAnswers(f *testing.F) {
	header := append([]byte(logMagic), make([]byte, logHeader-len(logMagic))...)
	f.Add([]byte{})
	f.Add(header)
	f.Add(appendRecord(slices.Clone(header), answer{session: "s", tokens: []int32{1, 2, 1 << 30}}))
	f.Add(append(slices.Clone(header), 0xff, 0xff, 0xff, 0xff, 1, 2, 3, 4))
	f.Fuzz(func(t *testing.T, data []byte) {
		answers, whole := readAnswers(data)
		if whole > len(data) || whole == 0 && len(answers) > 0 {
			t.Fatalf("%d answers in %d of %d bytes", len(answers), whole, len(data))
		}
		if whole == 0 {
			return
		}
		again := slices.Clone(data[:logHeader])
		for _, a := range answers {
			again = appendRecord(again, a)
		}
		same, size := readAnswers(again)
		if size != len(again) || !slices.EqualFunc(answers, same, func(a, b answer) bool {
			return a.session == b.session && slices.Equal(a.tokens, b.tokens)
		}) {
			t.Fatalf("%v written and read again is %v", answers, same)
		}
	})
}

// BenchmarkOpenHistory opens a full history.
func BenchmarkOpenHistory(b *testing.B) {
	folder := b.TempDir()
	h, err := OpenHistory(folder, testModel, 0)
	if err != nil {
		b.Fatal(err)
	}
	r := rand.New(rand.NewPCG(2, 2))
	for range DefaultHistory / 200 {
		if err := h.Add("s", randomText(r, 200, 5000)); err != nil {
			b.Fatal(err)
		}
	}
	if err := h.Close(); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		h, err := OpenHistory(folder, testModel, 0)
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(h.Bytes())/(1<<20), "MiB")
		if err := h.Close(); err != nil {
			b.Fatal(err)
		}
	}
}
