package local

import (
	"context"
	"fmt"
	"math/rand/v2"

	"dowse/engine/answer"
	"dowse/lab/collection"
)

// squadCase is a question put to an Answerer.
type squadCase struct {
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
func (c *squadCollection) Cases(answerable, unanswerable int, seed uint64) []squadCase {
	var cases []squadCase
	for _, i := range rand.New(rand.NewPCG(seed, 0)).Perm(len(c.Questions)) {
		q := &c.Questions[i]
		if q.Impossible || len(cases) == answerable+unanswerable {
			continue
		}
		without := ""
		if len(cases) >= answerable {
			without = article(c.Documents[q.Gold].ID)
		}
		cases = append(cases, squadCase{
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
func (c *squadCollection) given(q *question, without string) []answer.Passage {
	found := c.ranking.Search(q.Text, givenPassages, func(doc int) bool {
		return without == "" || article(c.Documents[doc].ID) != without
	})
	has := without != ""
	for _, f := range found {
		has = has || f.Doc == q.Gold
	}
	if !has {
		found = append(found[:min(len(found), givenPassages-1)], collection.Scored{Doc: q.Gold})
	}
	passages := make([]answer.Passage, len(found))
	for i, f := range found {
		passages[i] = c.passage(f.Doc, i+1, 0)
	}
	return passages
}

// squadRetrieve finds the k passages for a question, best first, each with the id
// of its document as Path, none of them of the article without.
type squadRetrieve func(ctx context.Context, question, without string, k int) ([]answer.Passage, error)

// BM25 returns the retrieval that comes with a collection.
func (c *squadCollection) BM25(_ context.Context, question, without string, k int) ([]answer.Passage, error) {
	found := c.ranking.Search(question, k, func(doc int) bool {
		return without == "" || article(c.Documents[doc].ID) != without
	})
	passages := make([]answer.Passage, len(found))
	for i, f := range found {
		passages[i] = c.passage(f.Doc, i+1, f.Score)
	}
	return passages, nil
}

// squadExtractor answers a question from passages, best first.
type squadExtractor interface {
	Extract(ctx context.Context, question string, passages []answer.Passage) (answer.Answer, error)
}

// runSquad puts every case to an squadExtractor and reports. Passages are those given
// with the case where retrieve is nil, and the best k it finds otherwise.
func runSquad(ctx context.Context, cases []squadCase, a squadExtractor, retrieve squadRetrieve, k int) (squadReport, error) {
	var t squadTally
	for i := range cases {
		c := &cases[i]
		passages := c.Passages
		if retrieve != nil {
			found, err := retrieve(ctx, c.Question, c.Without, k)
			if err != nil {
				return squadReport{}, fmt.Errorf("passages for %q: %w", c.Question, err)
			}
			passages = found
		}
		said, err := a.Extract(ctx, c.Question, passages)
		if err != nil {
			return squadReport{}, fmt.Errorf("answer %q: %w", c.Question, err)
		}
		t.add(c, said, passages)
	}
	return t.total(), nil
}
