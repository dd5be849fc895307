package search

import (
	"context"
	"slices"
	"strings"
	"time"

	"dowse/engine"
	"dowse/engine/lexical"
)

// A question in a conversation often leaves unsaid what it is about: "and what got it
// going again?". What each stage of its search is asked is made of it and of the
// questions before it, each by as much as the question says too little by itself. Nobody
// rewrites it: BM25 and the embedder take sums, a cross-encoder takes one question behind
// the other.
//
// What was measured is on 180 conversations over 878 notes (train/notes-qa): choices on
// 319 follow-ups of two thirds of them, by the exact vectors and without a reranker. "First
// five" is how often the note that answers is the note of one of the first five passages.
// "Changed" is 115 conversations in which the first question of another one comes last,
// so that everything before it can only mislead.
//
//	                                                first five   changed
//	the follow-up alone                                .348        .983
//	as one would ask without the conversation          .950        .983
//	previous question and follow-up as one text        .665
//	all questions so far as one text                   .931
//	terms and vectors of all by 1                      .890        .670
//	terms and vectors of all by 0.5                    .803        .913
//	  and files of earlier answers by 0.2              .978        .852
//	    by how much is left unsaid                     .937        .983
//	      without vectors                              .934        .983
//	      without files                                .683        .983
//	      of the last question alone                   .806        .983
//	      without the terms, the files by 0.3          .774        .983
//
// Of the follow-ups 92 in 100 are answered by the note that answered before, more than a
// person's would be, and these flatter the files. Of 17 whose note is another one, this
// finds 12 among the first five, and the follow-up alone 11.

// formulation is what the stages of a search are asked: a query and, in a conversation,
// the questions before it. Outside of one every stage is asked the text of the query.
type formulation struct {
	*engine.Query
	earlier []earlierQuestion // the last one first, at most followed of them
}

// earlierQuestion is a question of an earlier turn.
type earlierQuestion struct {
	text   string        // without filters, negations and quotes
	words  lexical.Query // of text
	files  []string      // absolute paths of the files that answered it
	vector []float32     // nil until it is embedded
	// weight is how much of it the query leaves unsaid: 1 where the query says nothing
	// by itself, 0 where it stands alone.
	weight float64
}

const (
	// followed is how many earlier questions count, as many as the conversations have
	// that this was measured on. First five by 1, 2 and 3 of them: .806, .893, .915 (where
	// only passages that a list holds compete for the bonus of their file).
	followed = 3
	// earlierTerm and earlierVector are what a term and the vector of an earlier question
	// weigh beside those of the query. First five by 0.3, 0.5 and 0.7: .893, .931, .940;
	// but of the changed .817, .791 and .757 come first.
	earlierTerm   = 0.5
	earlierVector = 0.5
	// taken is the weight from which an earlier question is read with the query.
	taken = 0.5
)

// formulate makes the formulation of a query that goes on with turns, the first one
// first. Nothing of it has a weight yet.
func (e *Engine) formulate(q *engine.Query, turns []engine.Turn) *formulation {
	f := &formulation{Query: q}
	if !q.HasText() {
		return f
	}
	for _, t := range slices.Backward(turns) {
		earlier, err := engine.Parse(t.Question, time.Now())
		if err != nil || !earlier.HasText() {
			continue // filters alone say nothing that could be gone on with
		}
		earlier.Unmark()
		f.earlier = append(f.earlier, earlierQuestion{
			text: earlier.Text(), words: e.opts.Analyzer.Query(earlier.Text()), files: answeredBy(&t),
		})
		if len(f.earlier) == followed {
			break
		}
	}
	return f
}

// answeredBy lists the files that the answer of a turn cites. Where it cites none, the
// file of the best passage stands for them.
func answeredBy(t *engine.Turn) (paths []string) {
	if t.Answer != nil {
		for _, c := range t.Answer.Citations {
			if !slices.Contains(paths, c.Path) {
				paths = append(paths, c.Path)
			}
		}
	}
	if len(paths) == 0 && len(t.Passages) > 0 {
		paths = []string{t.Passages[0].Path}
	}
	return paths
}

// weigh sets how much each earlier question counts. specific[i] is the specificity of
// what was asked after the i-th of them: the query for the first. A question that stood
// alone began a subject, so that what came before it counts as much less.
func (f *formulation) weigh(specific []float64) {
	weight, next := 1.0, f.Text()
	for i := range f.earlier {
		weight *= 1 - standsAlone(next, specific[i])
		f.earlier[i].weight, next = weight, f.earlier[i].text
	}
}

// words are what BM25 is asked: the terms of the query, and those that only earlier
// questions have.
func (f *formulation) words(own lexical.Query) lexical.Query {
	if len(f.earlier) == 0 {
		return own
	}
	all, at := slices.Clone(own), map[string]int{}
	for i, t := range own {
		at[t.Term] = i
	}
	for _, e := range f.earlier {
		for _, t := range e.words {
			i, known := at[t.Term]
			if known && i < len(own) {
				continue
			}
			if !known {
				i = len(all)
				at[t.Term], all = i, append(all, lexical.QueryTerm{Term: t.Term})
			}
			all[i].Weight += float64(earlierTerm * e.weight * t.Weight)
		}
	}
	return all
}

// embedEarlier embeds the earlier questions and returns how many tokens went in.
func (f *formulation) embedEarlier(ctx context.Context, embedder engine.Embedder) (tokens int, err error) {
	for i := range f.earlier {
		vector, n, err := embedder.EmbedQuery(ctx, f.earlier[i].text)
		if err != nil {
			return 0, err
		}
		f.earlier[i].vector, tokens = vector, tokens+n
	}
	return tokens, nil
}

// mixed is the vector that chunks are compared with: that of the query and those of
// earlier questions, at the length that the query's has.
func (f *formulation) mixed(own []float32) []float32 {
	if len(f.earlier) == 0 {
		return own
	}
	sum := slices.Clone(own)
	for _, e := range f.earlier {
		w := float32(earlierVector * e.weight)
		for i, x := range e.vector {
			sum[i] += float32(w * x)
		}
	}
	length := norm(sum)
	if length == 0 {
		return own
	}
	scale := float32(norm(own) / length)
	for i := range sum {
		sum[i] *= scale
	}
	return sum
}

// reading is the text that a cross-encoder and a reader of evidence have in the place of
// the query: the earlier questions that count, the first one first, and the query.
func (f *formulation) reading() string {
	var said []string
	for _, e := range slices.Backward(f.earlier) {
		if e.weight >= taken {
			said = append(said, e.text)
		}
	}
	return strings.Join(append(said, f.Text()), " ")
}
