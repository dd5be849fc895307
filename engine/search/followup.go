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
// questions before it, these by as much as it says too little itself. Nothing rewrites
// it: BM25 and vectors are summed, and cross-encoders read one question behind the other.
//
// The figures of this file are of 180 conversations about 878 notes (train/notes-qa).
// Choices were made on 319 follow-ups of two thirds of them, by exact vectors and without
// a reranker, each after its own earlier results. A note is found where it is among
// the first five passages. Changed are 115 conversations in which the first question of
// another one comes last, so that what was said before can only mislead; theirs is
// how often the note is found, and comes first.
//
//	                                                found   changed
//	the follow-up alone                             .348   .974 .852
//	as one would ask without the conversation       .950   .974 .852
//	terms of earlier questions by 1, vectors by 0.5,
//	files of their answers by 0.2                   .853   .965 .783
//	  terms by 0.7                                  .831   .965 .791
//	  without vectors                               .846   .965 .791
//	and where idle words are specific as well       .865   .974 .791
//	  terms by 0.5                                  .828   .974 .817
//	  vectors by 1                                  .871   .939 .783
//	  without files                                 .803   .974 .817
//	  without terms                                 .749   .965 .852
//	  after one question, after two                 .790   .850
//
// The weight of answers was chosen after turns with right answers, of which the whole text
// stood for those that have none in short: by 0.3 .962 of the 319 are found instead of
// .940, by 1 .978. Of the changed .983 are found and .809 come first by 0.3 of short answers
// alone, instead of .974 and .817; by 1 of either .974 and .765.
//
// On the other third, of which nothing was chosen, 173 follow-ups: .908 are found, .393 by
// the follow-up alone, .948 by the question without the conversation; of 65 changed .954
// and .969. Of the follow-ups 92 in 100 are answered by a note that answered before,
// more than a person's would be. Of the 30 others the notes of 19 are found, of 18 by the
// follow-up alone.

// formulation is what the stages of a search are asked: a query and, in a conversation,
// the questions before it. Outside of one every stage is asked the text of the query.
type formulation struct {
	*engine.Query
	earlier []earlierQuestion // the last one first, at most followed of them
	engines []*Engine         // that are asked; nil: the one that was
	// machines are asked besides; nil: none is.
	machines *machines
	// contrast tells whether the query changes the subject; nil where its words alone do.
	contrast *contrast
}

// earlierQuestion is a question of an earlier turn.
type earlierQuestion struct {
	text   string        // without filters, negations and quotes
	reply  string        // what answered it, in short, as far as it tells; "" where nothing did
	words  lexical.Query // of text, once analysed
	said   lexical.Query // of reply
	files  []string      // absolute paths of the files that answered it
	vector []float32     // nil until it is embedded
	// began says that it changed the subject: it was searched for alone, and other files
	// answered than before.
	began bool
	// weight is how much of it the query leaves unsaid: 1 where the query says nothing
	// by itself, 0 where it stands alone.
	weight float64
}

const (
	followed      = 3   // earlier questions that count, as many as the conversations have
	earlierTerm   = 1.0 // weight of a term of theirs, beside one of the query
	earlierVector = 0.5 // and of a vector
	earlierAnswer = 0.3 // and of a term of what answered one: "when did she call" is of her
	// readFrom is the weight from which an earlier question is read with the query.
	readFrom = 0.5
)

// formulate makes the formulation of a query that goes on with turns, the first one
// first. Nothing of it has a weight yet.
func (e *Engine) formulate(q *engine.Query, turns []engine.Turn) *formulation {
	f := &formulation{Query: q}
	if !q.HasText() {
		return f
	}
	alone := false // whether the turn after the one at hand was searched for alone
	for _, t := range slices.Backward(turns) {
		earlier, err := engine.Parse(t.Question, time.Now())
		if err != nil || !earlier.HasText() {
			continue // filters alone say nothing that could be gone on with
		}
		earlier.Unmark()
		f.earlier = append(f.earlier, earlierQuestion{
			text: earlier.Text(), reply: saidOf(&t), files: answeredBy(&t),
		})
		if n := len(f.earlier); n > 1 {
			f.earlier[n-2].began = alone && apart(f.earlier[n-2].files, f.earlier[n-1].files)
		}
		alone = t.Standalone == ""
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

// apart reports whether two questions were answered by files of which they share none.
func apart(a, b []string) bool {
	return len(a) > 0 && len(b) > 0 && !slices.ContainsFunc(a, func(path string) bool { return slices.Contains(b, path) })
}

// saidOf are the words of what answered a turn, in short, that may say what it is about.
func saidOf(t *engine.Turn) string {
	if t.Answer == nil || t.Answer.Declined {
		return ""
	}
	return strings.Join(telling(t.Answer.Short), " ")
}

// analyse finds the terms of earlier questions in the languages of an index.
func (f *formulation) analyse(analyzer *lexical.Analyzer, in lexical.Languages) {
	for i := range f.earlier {
		e := &f.earlier[i]
		e.words, e.said = analyzer.QueryIn(e.text, in), analyzer.QueryIn(e.reply, in)
	}
}

// weigh sets how much each earlier question counts. specific[i] is the specificity of
// what was asked after the i-th of them: the query for the first. A question that stood
// alone began a subject, so that what came before it counts as much less.
func (f *formulation) weigh(specific []float64) {
	weight, next := 1.0, f.Text()
	for i := range f.earlier {
		alone := standsAlone(next, specific[i])
		switch {
		case i == 0 && f.contrast != nil:
			alone = f.contrast.standsAlone(next, specific[i])
		case i > 0 && f.earlier[i-1].began:
			alone = 1
		}
		weight *= 1 - alone
		f.earlier[i].weight, next = weight, f.earlier[i].text
	}
}

// apart is the formulation for another embedder, with vectors of its own.
func (f *formulation) apart() *formulation {
	return &formulation{Query: f.Query, earlier: slices.Clone(f.earlier)}
}

// weighAs takes over how much each earlier question counts.
func (f *formulation) weighAs(o *formulation) {
	for i := range f.earlier {
		f.earlier[i].weight = o.earlier[i].weight
	}
}

// words are the terms that BM25 looks for: those of the query, then terms that only earlier
// questions have, then terms of their answers.
func (f *formulation) words(own lexical.Query) lexical.Query {
	if len(f.earlier) == 0 {
		return own
	}
	all, at := slices.Clone(own), map[string]int{}
	for i, t := range own {
		at[t.Term] = i
	}
	add := func(terms lexical.Query, weight float64) {
		for _, t := range terms {
			i, known := at[t.Term]
			if known && i < len(own) {
				continue
			}
			if !known {
				i = len(all)
				at[t.Term] = i
				all = append(all, t)
				all[i].Weight = 0
			}
			all[i].Weight += float64(weight * t.Weight)
		}
	}
	for _, e := range f.earlier {
		add(e.words, float64(earlierTerm*e.weight))
	}
	for _, e := range f.earlier {
		add(e.said, float64(earlierAnswer*e.weight))
	}
	return all
}

// embedEarlier gives the earlier questions their vectors and returns how many tokens went
// into the embedder for those that were not kept.
func (f *formulation) embedEarlier(ctx context.Context, kept *questions, embedder engine.Embedder) (tokens int, err error) {
	for i := range f.earlier {
		vector, n, err := kept.vector(ctx, embedder, f.earlier[i].text)
		if err != nil {
			return 0, err
		}
		f.earlier[i].vector, tokens = vector, tokens+n
	}
	return tokens, nil
}

// mixed is the vector that chunks are compared with: the sum of the query's and the weighted
// vectors of earlier questions, at the length of the query's.
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

// reranked is what the reranker reads with each passage: the earlier questions that count,
// the first one first, and the query.
func (f *formulation) reranked() string { return strings.Join(append(f.counted(), f.Text()), " ") }

// read is what the question is understood as, as people are shown it: the query, and the
// earlier questions behind it. The answerer has the two apart (engine.AnswerJob).
func (f *formulation) read() string {
	return strings.Join(append([]string{f.Text()}, f.counted()...), " ")
}

// counted are the texts of the earlier questions that are read with the query, the first
// one first.
func (f *formulation) counted() (texts []string) {
	for _, e := range slices.Backward(f.earlier) {
		if e.weight >= readFrom {
			texts = append(texts, e.text)
		}
	}
	return texts
}

// countedFiles are the files that answered these questions, each once.
func (f *formulation) countedFiles() (paths []string) {
	for _, e := range f.earlier {
		for _, path := range e.files {
			if e.weight >= readFrom && !slices.Contains(paths, path) {
				paths = append(paths, path)
			}
		}
	}
	return paths
}
