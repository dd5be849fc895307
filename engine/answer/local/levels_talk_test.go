package local

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"dowse/engine/answer"
)

const (
	levelsTurns = 6 // earlier ones of a conversation, each of two passages, a question and its answer
	levelsFresh = 2 // questions about passages that come with them, beside one about each earlier turn
)

// levelsTalk is a conversation about articles that nothing was trained on: what was said,
// and questions of which each could be the next one.
type levelsTalk struct {
	past  []int32
	asked []levelsQuestion
}

// levelsQuestion is a question behind what was said.
type levelsQuestion struct {
	ids     []int32 // with what was said
	answers []string
	fresh   bool // its passages come with it; else they stand in an earlier turn
}

// levelsDrawer draws conversations.
type levelsDrawer struct {
	*Model
	collection *squadCollection
	random     *rand.Rand
	earlier    bool // all questions about earlier turns, and no others
}

// levelsDraw is a conversation that is being drawn.
type levelsDraw struct {
	*levelsDrawer
	levelsTalk
	numbers map[int]int // of passages, by document, from 1
}

// draw draws a conversation: turns whose answers are right, then for each another question
// about the passage that answered it, or all others, and some about passages that were
// not read yet.
func (d *levelsDrawer) draw() (*levelsTalk, error) {
	t := &levelsDraw{levelsDrawer: d, numbers: map[int]int{}}
	var earlier, fresh []*question
	again := map[*question][]*question{}
	wanted := levelsTurns + levelsFresh
	if d.earlier {
		wanted = levelsTurns
	}
	for _, i := range d.random.Perm(len(d.collection.Questions)) {
		q := &d.collection.Questions[i]
		before := slices.IndexFunc(earlier, func(e *question) bool { return e.Gold == q.Gold })
		switch {
		case q.Impossible || before < 0 && len(earlier)+len(fresh) == wanted:
		case before >= 0:
			if e := earlier[before]; d.earlier || again[e] == nil {
				again[e] = append(again[e], q)
			}
		case before < 0 && len(earlier) < levelsTurns:
			earlier = append(earlier, q)
		case before < 0 && !slices.ContainsFunc(fresh, func(f *question) bool { return f.Gold == q.Gold }):
			fresh = append(fresh, q)
		}
	}
	for _, q := range earlier {
		ids, err := t.behindAll(q.Text, t.passages(q))
		if err != nil {
			return nil, err
		}
		t.past = slices.Concat(ids, d.literal(fmt.Sprintf("%s [%d]", q.Answers[0], t.numbers[q.Gold])))
	}
	for _, q := range earlier {
		for _, next := range again[q] {
			if err := t.ask(next, []answer.Passage{d.collection.passage(q.Gold, t.numbers[q.Gold], 0)}, false); err != nil {
				return nil, err
			}
		}
	}
	for _, q := range fresh {
		if err := t.ask(q, t.passages(q), true); err != nil {
			return nil, err
		}
	}
	return &t.levelsTalk, nil
}

// ask adds a question that could be the next one.
func (t *levelsDraw) ask(q *question, passages []answer.Passage, fresh bool) error {
	ids, err := t.behindAll(q.Text, passages)
	t.asked = append(t.asked, levelsQuestion{ids, q.Answers, fresh})
	return err
}

// passages are two of which one answers a question, which comes first as often as last.
func (t *levelsDraw) passages(q *question) []answer.Passage {
	docs := []int{q.Gold}
	for _, f := range t.collection.ranking.Search(q.Text, 2, nil) {
		if f.Doc != q.Gold && len(docs) < 2 {
			docs = append(docs, f.Doc)
		}
	}
	t.random.Shuffle(len(docs), func(i, j int) { docs[i], docs[j] = docs[j], docs[i] })
	var list []answer.Passage
	for _, doc := range docs {
		if t.numbers[doc] == 0 {
			t.numbers[doc] = len(t.numbers) + 1
		}
		list = append(list, t.collection.passage(doc, t.numbers[doc], 0))
	}
	return list
}

// behindAll are the tokens of what was said and of a question, as talk.ask has them.
func (t *levelsDraw) behindAll(question string, passages []answer.Passage) ([]int32, error) {
	p, err := t.promptBehind(t.Decoder.Tokenizer().Decode(t.past), question, passages, t.behind(t.past))
	if err != nil {
		return nil, err
	}
	return slices.Concat(t.past, p.ids), nil
}
