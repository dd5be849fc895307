package draft

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"dowse/models/modeltest"
	"dowse/models/tokenizer"
)

// recording is the prompts and greedy answers of Mistral-7B-Instruct, of one kind, as
// prompt-lookup-decoding published them. The weights of that model are not needed: a
// draft is accepted as far as the answer goes the same way.
type recording struct {
	name  string
	items []recordedItem
}

// recordedItem is a turn of a conversation, the turns before it part of the prompt.
type recordedItem struct {
	prompt, answer []int32
	number         int // of the conversation
}

// half are the items of the conversations of even number, or of odd. The priors were
// learned on the even ones, and constants chosen on them; figures are of the odd.
func (r recording) half(odd bool) recording {
	r.items = slices.DeleteFunc(slices.Clone(r.items), func(item recordedItem) bool { return item.number%2 == 1 != odd })
	return r
}

const (
	recordedData = "../../../../shared/data"
	recordedRows = 16
	// recordedTokens is where answers were cut.
	recordedTokens = 500
)

// readRecordings reads all kinds, or skips the test. The tokenizer is that of the
// model's family (Llama 2), whose vocabulary is not quite the model's.
func readRecordings(t testing.TB) (all []recording) {
	t.Helper()
	pieces, err := modeltest.Pieces(filepath.Join(recordedData, "models/llama2-spm/tokenizer.bin"))
	if err != nil {
		t.Skipf("the shared data is not there: %v", err)
	}
	p := tokenizer.Parts{Model: "llama", BOS: 1, EOS: 2, AddBOS: true, AddSpacePrefix: true}
	for _, piece := range pieces {
		p.Tokens, p.Scores = append(p.Tokens, piece.Text), append(p.Scores, piece.Score)
		p.Types = append(p.Types, tokenizer.TokenType(piece.Type))
	}
	tok, err := tokenizer.FromParts(p)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range []struct{ name, file string }{
		{"summaries", "cnn_dm_outputs.json"}, {"passages", "hagrid_outputs.json"}, {"chat", "mt_bench_output.json"},
	} {
		data, err := os.ReadFile(filepath.Join(recordedData, "traces/prompt-lookup/data", f.file))
		if err != nil {
			t.Fatal(err)
		}
		var conversations []conversation
		if err := json.Unmarshal(data, &conversations); err != nil {
			t.Fatal(err)
		}
		r := recording{name: f.name}
		for i, c := range conversations {
			r.items = append(r.items, c.turns(t, tok, i)...)
		}
		all = append(all, r)
	}
	return all
}

// conversation is as it was published: the prompt a string with its template around
// it, or the user's turns without it.
type conversation struct {
	Prompt    json.RawMessage `json:"prompt"`
	Responses []struct {
		Method string `json:"gen_func"`
		Turn   int    `json:"turn"`
		Text   string `json:"response_text"`
		Tokens int    `json:"num_tokens"`
	} `json:"response_mistral7b"`
}

func (c conversation) turns(t testing.TB, tok *tokenizer.Tokenizer, number int) (items []recordedItem) {
	t.Helper()
	prompts := make([]string, 1)
	if json.Unmarshal(c.Prompt, &prompts[0]) != nil {
		if err := json.Unmarshal(c.Prompt, &prompts); err != nil {
			t.Fatal(err)
		}
		for i := range prompts {
			prompts[i] = "[INST] " + prompts[i] + " [/INST]"
		}
	}
	end, _ := tok.ID("</s>")
	var before []int32
	for turn, prompt := range prompts {
		for _, r := range c.Responses {
			if r.Method != "greedy" || r.Turn != turn {
				continue
			}
			before = tok.AppendLiteral(before, prompt)
			answer := tok.AppendLiteral(nil, strings.TrimPrefix(r.Text, " ")) // the tokenizer puts the first space itself
			if r.Tokens < recordedTokens {
				answer = append(answer, end)
			}
			items = append(items, recordedItem{slices.Clone(before), answer, number})
			before = append(before, answer...)
		}
	}
	return items
}

// followers stand in for the logits, which nobody recorded: how often a token came
// after two others, or after one, in the prompt and in the answers before.
type followers map[[2]int32]map[int32]float32

// anything stands where only the last token counts.
const anything = -1

func (f followers) add(text []int32, weight float32) {
	for i := 1; i < len(text); i++ {
		keys := [][2]int32{{anything, text[i-1]}}
		if i > 1 {
			keys = append(keys, [2]int32{text[i-2], text[i-1]})
		}
		for _, key := range keys {
			if f[key] == nil {
				f[key] = map[int32]float32{}
			}
			if f[key][text[i]] += weight; f[key][text[i]] <= 0 {
				delete(f[key], text[i])
			}
		}
	}
}

// after returns the three most frequent tokens after the last of a text, as
// shares of all.
func (f followers) after(text []int32) []Candidate {
	last := len(text) - 1
	following := map[int32]float32{}
	if last > 0 {
		following = f[[2]int32{text[last-1], text[last]}]
	}
	if len(following) == 0 {
		following = f[[2]int32{anything, text[last]}]
	}
	var total float32
	var candidates []Candidate
	for token, n := range following {
		candidates = append(candidates, Candidate{Token: token, Probability: n})
		total += n
	}
	slices.SortFunc(candidates, func(a, b Candidate) int {
		return cmp.Or(cmp.Compare(b.Probability, a.Probability), cmp.Compare(a.Token, b.Token))
	})
	candidates = candidates[:min(len(candidates), 3)]
	for i := range candidates {
		candidates[i].Probability /= total + 1
	}
	return candidates
}

// perStep drafts for each item in turn, with trees of at most recordedRows rows, and
// returns the tokens that a verification emits in the mean: 1 where nothing is drafted.
// Answers are added to the drafter's history, if it has one.
func perStep(t testing.TB, r recording, d *Drafter) float64 {
	t.Helper()
	past := followers{}
	tokens, steps := 0, 0
	for i, item := range r.items {
		d.Begin(item.prompt)
		past.add(item.prompt, 1)
		for at := range item.prompt {
			d.Observe(at, past.after(item.prompt[:at+1]))
		}
		past.add(item.prompt, -1)
		past.add(item.answer, 1)
		for at := 0; at < len(item.answer)-1; {
			tree := d.Propose(item.answer[at], recordedRows)
			predictions := recorded(tree, item.answer[at:])
			path := tree.Walk(predictions)
			d.Accept(path, predictions)
			steps++
			tokens += len(path)
			at += len(path)
		}
		if history := d.options.History; history != nil {
			if err := history.Add(fmt.Sprint(i), item.answer); err != nil {
				t.Fatal(err)
			}
		}
	}
	return float64(tokens) / float64(max(steps, 1))
}

// lookupPerStep is perStep of prompt lookup (Saxena 2023), the baseline: the 10 tokens
// after the first earlier occurrence of the last three tokens, of the last two, or of
// the last one.
func lookupPerStep(r recording) float64 {
	tokens, steps := 0, 0
	for _, item := range r.items {
		text := slices.Clone(item.prompt)
		for at := 0; at < len(item.answer)-1; steps++ {
			text = append(text, item.answer[at])
			at++
			tokens++
			for _, token := range lookup(text) {
				if at >= len(item.answer)-1 || token != item.answer[at] {
					break
				}
				text = append(text, token)
				at++
				tokens++
			}
		}
	}
	return float64(tokens) / float64(max(steps, 1))
}

func lookup(text []int32) []int32 {
	for n := 3; n >= 1; n-- {
		last := len(text) - n
		for at := 0; at < last; at++ {
			if slices.Equal(text[at:at+n], text[last:]) {
				return slices.Clone(text[at+n : min(at+n+10, len(text))])
			}
		}
	}
	return nil
}

// unknown is a prediction that no recording tells.
const unknown = -1

// recorded returns what the model put after each node: along the answer, what it
// wrote; below a rejected node nobody knows.
func recorded(tree Tree, answer []int32) []int32 {
	predictions := make([]int32, tree.Len())
	depth := make([]int, tree.Len()) // -1 for what is not in the answer
	for i := range predictions {
		predictions[i] = unknown
		if i > 0 {
			parent := depth[tree.Parents[i]]
			depth[i] = -1
			if parent >= 0 && parent+1 < len(answer) && answer[parent+1] == tree.Tokens[i] {
				depth[i] = parent + 1
			}
		}
		if depth[i] >= 0 && depth[i]+1 < len(answer) {
			predictions[i] = answer[depth[i]+1]
		}
	}
	return predictions
}

// Drafts beat prompt lookup, and past answers improve them.
func TestDraftsBeatPromptLookup(t *testing.T) {
	if testing.Short() {
		t.Skip("replays all the recordings")
	}
	for _, whole := range readRecordings(t) {
		r := whole.half(true)
		if n := len(whole.items); len(r.items) != n/2 || n < 100 {
			t.Errorf("%s: %d of %d items", r.name, len(r.items), n)
		}
		plain := lookupPerStep(r)
		alone, remembering := perStep(t, r, NewDrafter(Options{})), perStep(t, r, NewDrafter(Options{History: NewHistory(0)}))
		t.Logf("%s: prompt lookup %.3f tokens a verification, drafts %.3f, with past answers %.3f", r.name, plain, alone, remembering)
		if alone < 1.07*plain || remembering < 1.02*alone {
			t.Errorf("%s: drafts give %.3f times what prompt lookup does, past answers %.3f times that; want 1.07 and 1.02", r.name, alone/plain, remembering/alone)
		}
	}
}

// The priors are what the even half gives.
func TestPriorsAreLearned(t *testing.T) {
	if testing.Short() {
		t.Skip("replays all the recordings")
	}
	d := NewDrafter(Options{})
	for _, r := range readRecordings(t) {
		d.options.History = NewHistory(0)
		perStep(t, r.half(false), d)
	}
	var sum float64
	thousandths := make([]int, evidences)
	for i := range thousandths {
		e := evidence(i)
		learned := float64(d.counters.probability(e))
		sum += math.Abs(float64(prior(e)) - learned)
		thousandths[i] = int(math.Round(1000 * learned))
	}
	if mean := sum / float64(evidences); mean > 0.02 {
		t.Errorf("the priors are off by %.4f in the mean", mean)
	}
	t.Logf("in thousandths: %d", thousandths)
}

func TestRecordedTellsTheAnswerAlone(t *testing.T) {
	tree := NewTree(1)
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

// BenchmarkRecorded is the time of drafting, everything on, over real prompts of a
// thousand tokens and what else was answered.
func BenchmarkRecorded(b *testing.B) {
	for _, r := range readRecordings(b) {
		b.Run(r.name, func(b *testing.B) {
			for b.Loop() {
				perStep(b, r, NewDrafter(Options{History: NewHistory(0)}))
			}
		})
	}
}
