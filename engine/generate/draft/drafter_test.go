package draft

import (
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"testing"
)

const endOfText = 99

// toyModel says what comes after a text: most often what followed the last two
// tokens before, sometimes something else, which the text decides.
func toyModel(text []int32) int32 {
	hash := fnv.New64a()
	for _, token := range text[max(0, len(text)-4):] {
		hash.Write([]byte{byte(token), byte(token >> 8)})
	}
	sum := hash.Sum64()
	if len(text) > 300 {
		return endOfText
	}
	if sum%5 != 0 {
		for at := len(text) - 2; at > 1; at-- {
			if text[at-1] == text[len(text)-1] && text[at-2] == text[len(text)-2] {
				return text[at]
			}
		}
	}
	return int32(sum / 5 % 40)
}

// plain is the answer without drafts.
func plain(prompt []int32, most int) []int32 {
	text := slices.Clone(prompt)
	for len(text)-len(prompt) < most {
		next := toyModel(text)
		text = append(text, next)
		if next == endOfText {
			break
		}
	}
	return text[len(prompt):]
}

// drafted is the answer with drafts, and how many steps it took.
func drafted(t *testing.T, d *Drafter, prompt []int32, most, rows int) (answer []int32, steps int) {
	t.Helper()
	d.Begin(prompt)
	r := rand.New(rand.NewPCG(3, 3))
	for place := range prompt {
		d.Observe(place, []Candidate{{toyModel(prompt[:place+1]), .6}, {r.Int32N(40), .2}, {endOfText, .1}})
	}
	text := append(slices.Clone(prompt), toyModel(prompt))
	for len(text)-len(prompt) < most && text[len(text)-1] != endOfText {
		tree := d.Propose(text[len(text)-1], rows)
		checkDraft(t, tree, text[len(text)-1], rows)
		predictions := make([]int32, tree.Len())
		for node := range predictions {
			predictions[node] = toyModel(append(slices.Clone(text), pathTo(tree, int32(node))...))
		}
		path := tree.Walk(predictions)
		d.Accept(path, predictions)
		last := path[len(path)-1]
		text = append(append(text, pathTo(tree, last)...), predictions[last])
		steps++
	}
	return text[len(prompt):min(len(text), len(prompt)+most)], steps
}

func checkDraft(t *testing.T, tree Tree, root int32, rows int) {
	t.Helper()
	if err := checkTree(tree); err != nil {
		t.Fatal(err)
	}
	if tree.Tokens[0] != root || tree.Len() > max(rows, 1) {
		t.Fatalf("root %d and %d nodes, want %d and at most %d", tree.Tokens[0], tree.Len(), root, rows)
	}
	if slices.Contains(tree.Tokens, endOfText) {
		t.Fatalf("%v drafts the end of text", tree.Tokens)
	}
}

func everyOption(history *History) map[string]Options {
	return map[string]Options{
		"the text":  {},
		"history":   {History: history},
		"what pays": {History: history, Budget: Budget{Rows: 64, Cost: linear(64, 1, .02)}},
	}
}

// T-S1, T-S8: whatever is drafted from, the answer is that of plain decoding.
func TestDraftsNeverChangeTheAnswer(t *testing.T) {
	history := NewHistory(2000)
	for seed := range uint64(3) {
		r := rand.New(rand.NewPCG(seed, 4))
		prompt := append(randomText(r, 20+r.IntN(100), 40), 1, 2)
		want := plain(prompt, 120)
		for name, options := range everyOption(history) {
			options.Stop = []int32{endOfText}
			d := NewDrafter(options)
			for _, rows := range []int{1, 16, 64} {
				if got, _ := drafted(t, d, prompt, 120, rows); !slices.Equal(got, want) {
					t.Fatalf("seed %d, %s, %d rows: %v, want %v", seed, name, rows, got, want)
				}
			}
		}
		if err := history.Add("s", want); err != nil {
			t.Fatal(err)
		}
	}
}

func TestDraftsSaveSteps(t *testing.T) {
	prompt := append(randomText(rand.New(rand.NewPCG(1, 4)), 150, 40), 1, 2)
	want := len(plain(prompt, 120))
	for name, options := range everyOption(nil) {
		options.Stop = []int32{endOfText}
		_, steps := drafted(t, NewDrafter(options), prompt, 120, 16)
		if steps > want*4/5 {
			t.Errorf("%s: %d steps for %d tokens", name, steps, want)
		}
	}
}

func TestDrafterIsDeterministic(t *testing.T) {
	prompt := append(randomText(rand.New(rand.NewPCG(2, 4)), 150, 40), 1, 2)
	var trees [2][]Tree
	for i := range trees {
		d := NewDrafter(Options{})
		d.Begin(prompt)
		for _, root := range plain(prompt, 60) {
			tree := d.Propose(root, 16)
			trees[i] = append(trees[i], Tree{Tokens: slices.Clone(tree.Tokens), Parents: slices.Clone(tree.Parents)})
			d.Accept([]int32{0}, make([]int32, tree.Len()))
		}
	}
	for i := range trees[0] {
		if !slices.Equal(trees[0][i].Tokens, trees[1][i].Tokens) || !slices.Equal(trees[0][i].Parents, trees[1][i].Parents) {
			t.Fatalf("step %d: %v and %v", i, trees[0][i], trees[1][i])
		}
	}
}

// A text that repeats itself is drafted to the last row, in order.
func TestDrafterCopies(t *testing.T) {
	var prompt []int32
	for token := range int32(60) {
		prompt = append(prompt, 100+token)
	}
	for name, history := range map[string]*History{"of its own": nil, "beside others": NewHistory(0)} {
		d := NewDrafter(Options{History: history})
		d.Begin(append(prompt, 1, 2, 100, 101, 102, 103))
		tree := d.Propose(104, 16)
		want := []int32{104, 105, 106, 107, 108, 109, 110, 111}
		deepest := int32(0)
		for node := range tree.Tokens {
			if tree.Depth(int32(node)) > tree.Depth(deepest) {
				deepest = int32(node)
			}
		}
		if got := append([]int32{104}, pathTo(tree, deepest)...); len(got) < len(want) || !slices.Equal(got[:len(want)], want) {
			t.Errorf("%s: drafted %v, want to begin %v", name, got, want)
		}
	}
}

func TestDraftsEndAtStopTokens(t *testing.T) {
	for name, options := range everyOption(nil) {
		options.Stop = []int32{endOfText}
		d := NewDrafter(options)
		d.Begin([]int32{1, 2, 3, endOfText, 4, 5, 1, 2})
		tree := d.Propose(3, 16)
		if slices.Contains(tree.Tokens, endOfText) {
			t.Errorf("%s: %v", name, tree.Tokens)
		}
		d.Begin([]int32{1, endOfText, 4, 5, 1})
		if tree := d.Propose(endOfText, 16); tree.Len() != 1 {
			t.Errorf("%s: %v is drafted after the end of text", name, tree.Tokens)
		}
	}
}

func TestDrafterForgetsTheRequestBefore(t *testing.T) {
	d := NewDrafter(Options{})
	d.Begin([]int32{1, 2, 3, 4, 1, 2})
	d.Propose(3, 8)
	d.Begin([]int32{50})
	if tree := d.Propose(3, 8); tree.Len() != 1 {
		t.Errorf("drafted %v of the request before", tree.Tokens)
	}
	d.Accept(nil, nil) // of a step that was cancelled
	d.Begin(nil)
	if tree := d.Propose(1, 8); tree.Len() != 1 {
		t.Errorf("drafted %v from nothing", tree.Tokens)
	}
}

func TestDraftsNothingThatDoesNotPay(t *testing.T) {
	d := NewDrafter(Options{Budget: Budget{Cost: linear(16, 1, 1)}})
	d.Begin([]int32{1, 2, 3, 4, 5, 1, 2})
	if tree := d.Propose(3, 16); tree.Len() != 1 {
		t.Errorf("drafted %v where a row costs as much as a step", tree.Tokens)
	}
}

// BenchmarkPropose is the time of a step's drafting: 4,000 tokens of prompt, a
// full history, 16 rows.
func BenchmarkPropose(b *testing.B) {
	r := rand.New(rand.NewPCG(5, 5))
	past := randomText(r, DefaultHistory, 3000)
	options := Options{History: NewHistory(0)}
	for from := 0; from < len(past); from += 200 {
		if err := options.History.Add("s", past[from:from+200]); err != nil {
			b.Fatal(err)
		}
	}
	d := NewDrafter(options)
	prompt := past[5000:9000]
	d.Begin(prompt)
	for place, token := range prompt {
		d.Observe(place, []Candidate{{prompt[min(place+1, len(prompt)-1)], .5}, {token, .3}, {r.Int32N(3000), .1}})
	}
	at := 0
	for b.Loop() {
		tree := d.Propose(prompt[at%len(prompt)], 16)
		predictions := make([]int32, tree.Len())
		for i := range predictions {
			predictions[i] = prompt[(at+1+tree.Depth(int32(i)))%len(prompt)]
		}
		path := tree.Walk(predictions)
		d.Accept(path, predictions)
		if at += len(path); at%7 == 0 {
			at += r.IntN(500)
		}
	}
}
