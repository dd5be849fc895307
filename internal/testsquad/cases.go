package testsquad

import (
	"context"
	"math/rand/v2"

	"dowse/engine/answer"
	"dowse/internal/eval"
)

// Case is a question put to an Answerer.
type Case struct {
	Question   string
	Answers    []string
	Answerable bool
	Gold       string // id of the document that it was asked about
	// Without is the article whose documents are taken away; "" for none.
	Without  string
	Passages []answer.Passage // given ones; nil where retrieval finds them
}

// givenPassages is how many passages a question is given.
const givenPassages = 3

// Cases draws answerable questions and, after them, others whose article is
// taken away, all distinct, by seed.
func (c *Collection) Cases(answerable, unanswerable int, seed uint64) []Case {
	var cases []Case
	for _, i := range rand.New(rand.NewPCG(seed, 0)).Perm(len(c.Questions)) {
		q := &c.Questions[i]
		if q.Impossible || len(cases) == answerable+unanswerable {
			continue
		}
		without := ""
		if len(cases) >= answerable {
			without = article(c.Documents[q.Gold].ID)
		}
		cases = append(cases, Case{
			Question: q.Text, Answers: q.Answers, Answerable: without == "",
			Gold: c.Documents[q.Gold].ID, Without: without,
			Passages: c.given(q, without),
		})
	}
	return cases
}

// given chooses the passages of a question. They have no scores: the one that
// answers may stand among them without having been found, so that their order says
// nothing.
func (c *Collection) given(q *question, without string) []answer.Passage {
	found := c.ranking.Search(q.Text, givenPassages, func(doc int) bool {
		return without == "" || article(c.Documents[doc].ID) != without
	})
	has := without != ""
	for _, f := range found {
		has = has || f.Doc == q.Gold
	}
	if !has {
		found = append(found[:min(len(found), givenPassages-1)], eval.Scored{Doc: q.Gold})
	}
	passages := make([]answer.Passage, len(found))
	for i, f := range found {
		passages[i] = c.passage(f.Doc, i+1, 0)
	}
	return passages
}

// Retrieve finds the k passages for a question, best first, each with the id
// of its document as Path, none of them of the article without.
type Retrieve func(ctx context.Context, question, without string, k int) ([]answer.Passage, error)

// BM25 returns the retrieval that comes with a collection.
func (c *Collection) BM25(_ context.Context, question, without string, k int) ([]answer.Passage, error) {
	found := c.ranking.Search(question, k, func(doc int) bool {
		return without == "" || article(c.Documents[doc].ID) != without
	})
	passages := make([]answer.Passage, len(found))
	for i, f := range found {
		passages[i] = c.passage(f.Doc, i+1, f.Score)
	}
	return passages, nil
}
