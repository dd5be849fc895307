package generatebench

import (
	"bytes"
	"context"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"dowse/engine/generate/draft"
	"dowse/models/tokenizer"
)

const (
	shared = "../../../shared/data"
	rows   = 16
)

func readTraces(t testing.TB) []Set {
	t.Helper()
	model, err := os.ReadFile(filepath.Join(shared, "models/llama2-spm/tokenizer.model"))
	if err != nil {
		t.Skipf("the shared data is not there: %v", err)
	}
	tok, err := tokenizer.FromSentencePiece(model)
	if err != nil {
		t.Fatal(err)
	}
	end, _ := tok.ID("</s>")
	sets, err := ReadTraces(filepath.Join(shared, "traces/prompt-lookup"), tok, end)
	if err != nil {
		t.Fatal(err)
	}
	return sets
}

// silent is told of progress.
func silent(string, int, int) {}

// halves returns the half of each set.
func halves(sets []Set, odd bool) []Set {
	var half []Set
	for _, set := range sets {
		half = append(half, Half(set, odd))
	}
	return half
}

func replayAll(t *testing.T, sets []Set, ways []Way) []Result {
	t.Helper()
	results, err := ReplayAll(context.Background(), sets, ways, rows, silent)
	if err != nil {
		t.Fatal(err)
	}
	return results
}

// The answers as recorded have about as many tokens as we make of them: the
// tokenizer is that of the model's family, not quite the model's own.
func TestTracesAreWhole(t *testing.T) {
	sets := readTraces(t)
	want := map[string]int{"summaries": 100, "rag": 100, "chat": 160}
	for _, set := range sets {
		if len(set.Items) != want[set.Name] {
			t.Errorf("%s: %d items, want %d", set.Name, len(set.Items), want[set.Name])
		}
		for i, item := range set.Items {
			if len(item.Prompt) == 0 || len(item.Answer) == 0 || len(item.Answer) > recordedTokens+100 {
				t.Errorf("%s %d: %d tokens of prompt and %d of answer", set.Name, i, len(item.Prompt), len(item.Answer))
			}
		}
		even, odd := Half(set, false), Half(set, true)
		if len(even.Items)+len(odd.Items) != len(set.Items) || len(even.Items) != len(odd.Items) {
			t.Errorf("%s: halves of %d and %d", set.Name, len(even.Items), len(odd.Items))
		}
	}
}

// What is reported is of the odd prompts: the priors were learned on the even.
func TestEverythingBeatsPlainAutomaton(t *testing.T) {
	if testing.Short() {
		t.Skip("replays all the traces")
	}
	results := replayAll(t, halves(readTraces(t), true), Ways())
	var table bytes.Buffer
	if err := WriteTable(&table, ReplayRows(results)); err != nil {
		t.Fatal(err)
	}
	t.Logf("trees of %d rows\n%s", rows, table.String())
	got := map[string]map[string]float64{}
	for _, r := range results {
		if got[r.Set] == nil {
			got[r.Set] = map[string]float64{}
		}
		got[r.Set][r.Way] = r.PerStep()
	}
	// Like for like: past answers alone bring the plain automaton 3 to 6%.
	for _, row := range ReplayRows(results) {
		least := map[string]float64{"+ branches": 1.10, Everything: 1.08}[row.Way]
		if row.ToPlain < least {
			t.Errorf("%s: %s gives %.3f times what the plain automaton over the same text does, want %.2f", row.Set, row.Way, row.ToPlain, least)
		}
		if (row.Way == Plain || row.Way == remembering) && row.ToPlain != 1 {
			t.Errorf("%s: %s is %.3f times itself", row.Set, row.Way, row.ToPlain)
		}
	}
	for set, ways := range got {
		if ways["none"] != 1 {
			t.Errorf("%s: %.3f tokens a step without drafts, want 1", set, ways["none"])
		}
		if ways["+ branches"] < ways[Plain] || ways[Everything] < ways["prompt lookup"] {
			t.Errorf("%s: more to draft from drafts worse: %v", set, ways)
		}
	}
}

func TestReplayIsDeterministic(t *testing.T) {
	sets := readTraces(t)[:1]
	sets[0].Items = sets[0].Items[:10]
	ways := Ways()
	ways = ways[len(ways)-1:]
	a, b := replayAll(t, sets, ways)[0], replayAll(t, sets, ways)[0]
	a.Time, a.Prepare, b.Time, b.Prepare = 0, 0, 0, 0
	if a != b {
		t.Errorf("two replays differ: %+v, %+v", a, b)
	}
}

// The priors of draft are what the even half gives.
func TestPriorsAreLearned(t *testing.T) {
	if testing.Short() {
		t.Skip("replays all the traces")
	}
	counters := draft.NewCounters()
	ways := Ways()
	everything := ways[len(ways)-1]
	everything.Options.Counters = counters
	replayAll(t, halves(readTraces(t), false), []Way{everything})
	prior, learned := draft.NewCounters().Shares(), counters.Shares()
	var sum float64
	for i := range prior {
		sum += math.Abs(float64(prior[i] - learned[i]))
	}
	if mean := sum / float64(len(prior)); mean > 0.02 {
		t.Errorf("the priors are off by %.4f in the mean", mean)
	}
	t.Logf("in thousandths: %d", thousandths(learned))
}

func thousandths(shares []float32) []int {
	var out []int
	for _, s := range shares {
		out = append(out, int(math.Round(1000*float64(s))))
	}
	return out
}

func TestRecordedTellsTheAnswerAlone(t *testing.T) {
	tree := draft.NewTree(1)
	a := tree.Add(0, 2)
	b := tree.Add(0, 9)
	tree.Add(b, 3)
	tree.Add(a, 3)
	tree.Add(4, 4)
	got := recorded(tree, []int32{1, 2, 3})
	if want := []int32{2, 3, unknown, unknown, unknown, unknown}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if path := tree.Walk(got); !slices.Equal(path, []int32{0, 1, 4}) {
		t.Errorf("walked %v", path)
	}
}

func TestCounts(t *testing.T) {
	c := newCounts()
	c.add([]int32{1, 2, 3, 1, 2, 4, 1, 2, 3}, 1)
	got := c.after([]int32{1, 2})
	want := []draft.Candidate{{Token: 3, Probability: 2. / 4}, {Token: 4, Probability: 1. / 4}}
	if !slices.Equal(got, want) {
		t.Errorf("after 1 2: %v, want %v", got, want)
	}
	if got := c.after([]int32{7, 3}); len(got) != 1 || got[0].Token != 1 {
		t.Errorf("after a pair that never came: %v, want what follows its last token", got)
	}
	c.add([]int32{1, 2, 3, 1, 2, 4, 1, 2, 3}, -1)
	if got := c.after([]int32{1, 2}); len(got) != 0 {
		t.Errorf("nothing is left, but %v", got)
	}
}
