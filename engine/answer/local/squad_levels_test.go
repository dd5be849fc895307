package local

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"dowse/engine/answer"
	"dowse/engine/generate"
	"dowse/engine/kv"
	"dowse/engine/lexical"
	"dowse/engine/transformer"
)

var (
	levelsTalks = flag.Int("squad-levels", 0, "so many conversations about eval/squad whose earlier turns are kept with fewer bits, in several ways, which takes minutes")
	levelsModel = flag.String("squad-levels-model", "SmolLM2-135M-Instruct", "the model that answers in them")
	levelsSeed  = flag.Uint64("squad-levels-seed", 11, "draws them")
)

// levelsWords is how many tokens an answer has at most.
const levelsWords = 24

// levelsWay is a way to lower what was said: to levels, one list after the other.
type levelsWay struct {
	name   string
	levels func(c *kv.Cache) [][]kv.Level
}

// levelsWays are the ways that are compared with the first one.
func levelsWays(s kv.Shape) []levelsWay {
	four := float64(s.ChunkBytes(kv.Level4)) / float64(s.ChunkBytes(kv.Level8))
	planned := func(ratio float64) func(c *kv.Cache) [][]kv.Level {
		return func(c *kv.Cache) [][]kv.Level { return [][]kv.Level{c.LowerPlan(ratio)} }
	}
	uniform := func(l kv.Level) func(c *kv.Cache) [][]kv.Level {
		return func(c *kv.Cache) [][]kv.Level {
			return [][]kv.Level{slices.Concat(slices.Repeat([]kv.Level{l}, c.Chunks()-kv.Residual), slices.Repeat([]kv.Level{kv.Level8}, kv.Residual))}
		}
	}
	return []levelsWay{
		{"8 bits", uniform(kv.Level8)},
		{"mixed, 0.5", planned(0.5)},
		{"mixed, 0.5, by way of 4 bits", byFour(planned(0.5))},
		{"mixed, bytes of 4 bits", planned(four)},
		{"4 bits", uniform(kv.Level4)},
		{"2 bits", uniform(kv.Level2)},
		{"2 bits, by way of 4 bits", byFour(uniform(kv.Level2))},
	}
}

// byFour brings chunks to 2 bits by way of 4.
func byFour(levels func(c *kv.Cache) [][]kv.Level) func(c *kv.Cache) [][]kv.Level {
	return func(c *kv.Cache) [][]kv.Level {
		last := levels(c)[0]
		first := slices.Clone(last)
		for i := range first {
			first[i] = max(first[i], kv.Level4)
		}
		return [][]kv.Level{first, last}
	}
}

// levelsTally adds up what was answered with the past lowered in one way.
type levelsTally struct {
	n, f1, holds [2]float64 // of questions about earlier turns, and of those with passages of their own
	same         int        // answers that are those behind 8 bits, to the letter
	gains        []float64  // of F1 over 8 bits, summed by conversation
	bits         [3]int     // chunks at 8, 4 and 2, those left out that stay at 8
	ratio        float64    // of their bytes to those at 8 bits, summed by conversation
}

// add counts an answer, and returns its F1.
func (t *levelsTally) add(q *levelsQuestion, text string) (f1 float64) {
	kind := 0
	if q.fresh {
		kind = 1
	}
	f1, _ = score(prediction(answer.Answer{Text: text}), q.answers)
	t.n[kind]++
	t.f1[kind] += f1
	if holdsAny(text, q.answers) {
		t.holds[kind]++
	}
	return f1
}

// interval is where the mean gain of F1 lies in 95% of samples that are drawn from the
// conversations with replacement.
func (t *levelsTally) interval() (from, to float64) {
	const samples = 2000
	random, means := rand.New(rand.NewPCG(*levelsSeed, 1)), make([]float64, samples)
	questions := (t.n[0] + t.n[1]) / float64(len(t.gains))
	for i := range means {
		for range t.gains {
			means[i] += t.gains[random.IntN(len(t.gains))] / questions / float64(len(t.gains))
		}
	}
	slices.Sort(means)
	return means[samples/40], means[samples-1-samples/40]
}

// String returns the tally on one line.
func (t *levelsTally) String() string {
	from, to := t.interval()
	n := t.n[0] + t.n[1]
	return fmt.Sprintf("F1 %.4f (against 8 bits %+.4f to %+.4f), of earlier turns %.4f, of new passages %.4f; holds %.3f; as behind 8 bits %.3f; %v chunks, ratio %.3f",
		(t.f1[0]+t.f1[1])/n, from, to, t.f1[0]/max(1, t.n[0]), t.f1[1]/max(1, t.n[1]), (t.holds[0]+t.holds[1])/n, float64(t.same)/n, t.bits, t.ratio/float64(len(t.gains)))
}

// TestAnswersBehindLoweredTurns prints how well a model answers where the turns before
// are kept with fewer bits (E-K4): the words of right answers, as SQuAD counts them, of
// all that it wrote.
//
//	DOWSE_TEST_FULL=1 go test ./engine/answer/local -run BehindLoweredTurns -v -timeout 0 -squad-levels 20
func TestAnswersBehindLoweredTurns(t *testing.T) {
	if *levelsTalks == 0 {
		t.Skip("asks only when asked: -squad-levels CONVERSATIONS")
	}
	h, collection := bareHome(t), sharedSquad(t, lexical.NewAnalyzer())
	linkModel(t, h, *levelsModel)
	h.answerer, h.threads = *levelsModel, 1
	a, _ := newModelAnswerer(t, h)
	model := taken(t, a.writer)
	drawer := &levelsDrawer{Model: model, collection: collection, random: rand.New(rand.NewPCG(*levelsSeed, 0))}
	ways := levelsWays(model.Decoder.ConversationShape())
	tallies := make([]levelsTally, len(ways))
	for i := range *levelsTalks {
		talk, err := drawer.draw()
		if err != nil {
			t.Fatal(err)
		}
		past := conversationOf(t, model, talk.past)
		first, base := make([]string, len(talk.asked)), 0.0
		for j, way := range ways {
			f1 := askBehind(t, model, past, way, talk, first, &tallies[j])
			if j == 0 {
				base = f1
			}
			tallies[j].gains = append(tallies[j].gains, f1-base)
		}
		if err := past.Free(); err != nil {
			t.Fatal(err)
		}
		if i%5 == 4 || i == *levelsTalks-1 {
			t.Logf("%d conversations, the last of %d tokens, seed %d", i+1, len(talk.past), *levelsSeed)
			for j, way := range ways {
				t.Logf("%-29s %v", way.name, &tallies[j])
			}
		}
	}
}

// askBehind asks all questions of a conversation whose past is lowered in one way, and
// returns the sum of their F1. first are the answers behind 8 bits, which the first way
// fills in.
func askBehind(t *testing.T, o *Model, past *transformer.Sequence, way levelsWay, talk *levelsTalk, first []string, tally *levelsTally) (f1 float64) {
	t.Helper()
	c := lowered(t, o, past, way, tally)
	for i := range talk.asked {
		q := &talk.asked[i]
		result, err := o.conversing.Run(t.Context(), c, q.ids, generate.Options{MaxTokens: levelsWords}, func(string) error { return nil })
		if err != nil {
			t.Fatal(err)
		}
		if result.Stats.Reused < len(talk.past) {
			t.Fatalf("%d of %d tokens of the past were used", result.Stats.Reused, len(talk.past))
		}
		f1 += tally.add(q, result.Text)
		if first[i] == "" {
			first[i] = result.Text
		}
		if result.Text == first[i] {
			tally.same++
		}
	}
	if err := c.Free(); err != nil {
		t.Fatal(err)
	}
	return f1
}

// lowered is a copy of what was said, lowered in one way.
func lowered(t *testing.T, o *Model, past *transformer.Sequence, way levelsWay, tally *levelsTally) *transformer.Sequence {
	t.Helper()
	c := o.Decoder.NewConversation()
	if err := c.Resume(past.Tokens()); err != nil {
		t.Fatal(err)
	}
	for i := range c.Chunks() {
		memory, err := c.Place(i, kv.Level8)
		if err != nil {
			t.Fatal(err)
		}
		copy(memory, past.Data(i))
	}
	for _, levels := range way.levels(past.Cache) {
		if _, err := c.LowerTo(levels); err != nil {
			t.Fatal(err)
		}
	}
	shape, n := c.Shape(), c.Chunks()-kv.Residual
	for i := range n {
		tally.bits[slices.Index(kv.Levels[:], c.Level(i))]++
		tally.ratio += float64(shape.ChunkBytes(c.Level(i))) / float64(n*shape.ChunkBytes(kv.Level8))
	}
	return c
}

// conversationOf is one that has read some tokens, and how much was attended to each.
func conversationOf(t *testing.T, model *Model, past []int32) *transformer.Sequence {
	t.Helper()
	c := model.Decoder.NewConversation()
	c.TrackDensity()
	if err := model.Decoder.Append(t.Context(), c, past, nil); err != nil {
		t.Fatal(err)
	}
	return c
}
