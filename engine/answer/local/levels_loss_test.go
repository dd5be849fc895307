package local

import (
	"flag"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"dowse/engine/kv"
	"dowse/engine/lexical"
	"dowse/engine/transformer"
	"dowse/models"
)

var (
	lossTalks = flag.Int("squad-loss", 0, "so many conversations about eval/squad whose right answers are predicted behind earlier turns of fewer bits, which takes minutes")
	lossWays  = flag.String("squad-loss-ways", "8 bits,4 bits,mixed; bytes of 4 bits,mixed; 0.5,2 bits", "how they are lowered, the first two to compare with; a semicolon stands for the comma of a name")
)

// lossTally holds how many nats right answers take, by conversation.
type lossTally struct {
	nats      [][]float64 // of each question
	questions int
}

// TestLossBehindLoweredTurns prints how likely right answers to questions about earlier
// turns are where these are kept with fewer bits (E-K4): the nats of all words that SQuAD
// has for an answer, beside those behind 8 bits and behind 4. Every question about a
// passage is asked, and each in all ways, so that differences are of the same questions:
// that tells more apart than what a model writes.
//
//	DOWSE_TEST_FULL=1 go test ./engine/answer/local -run LossBehindLoweredTurns -v -timeout 0 -squad-loss 30 [-squad-levels-model dowse-answer-30]
func TestLossBehindLoweredTurns(t *testing.T) {
	if *lossTalks == 0 {
		t.Skip("predicts only when asked: -squad-loss CONVERSATIONS")
	}
	h, collection := bareHome(t), sharedSquad(t, lexical.NewAnalyzer())
	base := *levelsModel
	if base == models.TrainedAnswerer {
		base, h.memory = models.SmallestAnswerer, 2<<30
	}
	linkModel(t, h, base)
	h.answerer, h.threads = *levelsModel, 1
	a, _ := newModelAnswerer(t, h)
	model := taken(t, a.writer)
	drawer := &levelsDrawer{Model: model, collection: collection, random: rand.New(rand.NewPCG(*levelsSeed, 0)), earlier: true}
	ways := lossWaysOf(t, model.Decoder.ConversationShape())
	tallies, lowering := make([]lossTally, len(ways)), make([]levelsTally, len(ways))
	for i := range *lossTalks {
		talk, err := drawer.draw()
		if err != nil {
			t.Fatal(err)
		}
		past := conversationOf(t, model, talk.past)
		for j, way := range ways {
			c := lowered(t, model, past, way, &lowering[j])
			tallies[j].add(predict(t, model, c, talk))
			if err := c.Free(); err != nil {
				t.Fatal(err)
			}
			lowering[j].gains = append(lowering[j].gains, 0) // counts conversations
		}
		if err := past.Free(); err != nil {
			t.Fatal(err)
		}
		if i%5 == 4 || i == *lossTalks-1 {
			t.Logf("%s, %d conversations, the last of %d tokens, %d questions, seed %d", *levelsModel, i+1, len(talk.past), tallies[0].questions, *levelsSeed)
			for j, way := range ways {
				eight, four := tallies[j].against(&tallies[0]), tallies[j].against(&tallies[1])
				t.Logf("%-24s %.4f nats an answer; against %s %+.4f (%+.4f to %+.4f), against %s %+.4f (%+.4f to %+.4f); ratio %.3f", way.name, tallies[j].mean(),
					ways[0].name, eight[0], eight[1], eight[2], ways[1].name, four[0], four[1], four[2], lowering[j].ratio/float64(i+1))
			}
		}
	}
}

// lossWaysOf are the ways that are asked for.
func lossWaysOf(t *testing.T, shape kv.Shape) (ways []levelsWay) {
	t.Helper()
	for name := range strings.SplitSeq(*lossWays, ",") {
		name = strings.ReplaceAll(name, ";", ",")
		all := levelsWays(shape)
		at := slices.IndexFunc(all, func(w levelsWay) bool { return w.name == name })
		if at < 0 {
			t.Fatalf("there is no way %q", name)
		}
		ways = append(ways, all[at])
	}
	if len(ways) < 2 {
		t.Fatal("name two ways to compare with")
	}
	return ways
}

// predict returns the nats of the answer to each question behind what was said.
func predict(t *testing.T, o *Model, c *transformer.Sequence, talk *levelsTalk) (nats []float64) {
	t.Helper()
	logits := make([]float32, o.Decoder.Vocabulary())
	for i := range talk.asked {
		q, sum := &talk.asked[i], 0.0
		next := q.ids[len(talk.past):]
		for _, id := range o.literal(q.answers[0]) {
			if err := o.Decoder.Append(t.Context(), c, next, logits); err != nil {
				t.Fatal(err)
			}
			sum -= logProbability(logits, id)
			next = []int32{id}
		}
		if err := c.Truncate(len(talk.past)); err != nil {
			t.Fatal(err)
		}
		nats = append(nats, sum)
	}
	return nats
}

// logProbability is that of one of the logits.
func logProbability(logits []float32, id int32) float64 {
	top, sum := float64(slices.Max(logits)), 0.0
	for _, l := range logits {
		sum += math.Exp(float64(l) - top)
	}
	return float64(logits[id]) - top - math.Log(sum)
}

// add counts a conversation.
func (t *lossTally) add(nats []float64) {
	t.nats = append(t.nats, nats)
	t.questions += len(nats)
}

// mean is the nats of an answer.
func (t *lossTally) mean() float64 {
	sum := 0.0
	for _, n := range slices.Concat(t.nats...) {
		sum += n
	}
	return sum / float64(t.questions)
}

// against is the mean difference to another way, and where it lies in 95% of samples that
// are drawn from the conversations with replacement.
func (t *lossTally) against(other *lossTally) [3]float64 {
	const samples = 2000
	sums, all := make([]float64, len(t.nats)), 0.0
	for i := range t.nats {
		for j := range t.nats[i] {
			sums[i] += t.nats[i][j] - other.nats[i][j]
		}
		all += sums[i]
	}
	random, means := rand.New(rand.NewPCG(*levelsSeed, 2)), make([]float64, samples)
	for i := range means {
		sum, n := 0.0, 0
		for range sums {
			at := random.IntN(len(sums))
			sum, n = sum+sums[at], n+len(t.nats[at])
		}
		means[i] = sum / float64(max(1, n))
	}
	slices.Sort(means)
	return [3]float64{all / float64(t.questions), means[samples/40], means[samples-1-samples/40]}
}
