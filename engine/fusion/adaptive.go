package fusion

import "math"

// Features are what Adaptive knows of a query beyond the two lists.
type Features struct {
	Terms   int // distinct terms of the query after analysis
	Unknown int // those of Terms that no document holds (document frequency 0)
	// Foreign says that the model of the vectors does not know the query's script.
	Foreign bool
	// Code is how much of what BM25 puts first is source code that the query describes, 0 to 1.
	Code float64
}

// unknownShare returns the share of terms that no document holds, 0 to 1.
func (f Features) unknownShare() float64 {
	if f.Terms <= 0 {
		return 0
	}
	return min(max(float64(f.Unknown)/float64(f.Terms), 0), 1)
}

// Weights are the shares of the two lists in a fused score; they sum to 1.
type Weights struct {
	Lexical float64
	Vector  float64
}

// Depth is how many documents of each list the weights were fitted on. Longer
// lists are fused whole, but only their best Depth documents decide weights.
const Depth = 100

// Odds say how the weight of the lexical list follows from the features: the
// logarithm of its odds is
//
//	ln(Lexical/Vector) = Log - Standout*standout - Unknown*unknown + Foreign*foreign - Code*code
//
// A vector list whose best document stands out knows what it found; one that
// declines slowly is a list of guesses. Query words that no document holds are
// lost on BM25, while the embedding still sees them. A model that does not know the
// query's script sees little, and what its vectors say counts for less. Programs say what they do in
// other words than people who look for it.
type Odds struct{ Log, Standout, Unknown, Foreign, Code float64 }

// Fitted are the odds of Adaptive. nDCG@10 in the mean of seven training collections
// (medquad, nq-qed, pubmedqa, covidqa, tldr, docs, squad2) with up to 800 queries
// each, by vectors of all-MiniLM-L6-v2 in int8 (go test ./lab/measure -run TestFitFusion),
// fitted over a grid on all of them, and on the six others:
//
//	                       all      others
//	BM25 alone            .7133
//	vectors alone         .6731
//	RRF, k = 60           .7235
//	constant weight       .7521     .7496
//	standout alone        .7533     .7501
//	unknown alone         .7528     .7505
//	both                  .7538     .7491
//	these odds            .7528
//
// So most of the gain over RRF comes from adding scores, not ranks, and the odds
// matter little to collections whose questions use the words of their documents.
// These odds were chosen earlier, with manuals in the place of docs. They stay,
// because a constant weight loses questions in other words: of the thirty
// paraphrases over the sample notes (internal/app/testdata/ranking.golden) these odds
// then put 23 notes first, a constant .36 for BM25 fewer than ten.
//
// Foreign was chosen on descriptions of packages that volunteers translated into Japanese
// and Russian (train/packages.py; 600 descriptions and 250 queries each), which
// all-MiniLM-L6-v2 spells letter by letter. nDCG@10:
//
//	Foreign   BM25    vectors   0       0.5     1       1.5     2       3
//	ja        .8586   .3500     .8524   .8642   .8698   .8646   .8639   .8588
//	ru        .8200   .2729     .8075   .8245   .8262   .8253   .8249   .8249
//
// In German (.8637, with 1 .8748) and French (.9459, with 1 .9398) it would gain and
// lose: that model makes something of their words, and they do not count as foreign.
//
// Code was chosen on 1,020 descriptions over 8,046 functions and snippets: those of Python's manual and of Stack Overflow,
// and the first sentences of comments in the sources of Go and Python, which were taken out of the functions. nDCG@10 in
// the mean of the four: .6394 with 0, .6731 with 1.2, .6484 by vectors alone.
var Fitted = Odds{Log: 0.17, Standout: 0.27, Unknown: 3.3, Foreign: 1, Code: 1.2}

// standoutHead is how many documents the best one is compared with.
const standoutHead = 20

// Adaptive fuses a BM25 list and a list of cosine similarities by a convex
// combination of scores, with weights that depend on the query:
//
//	score = Lexical * bm25/best bm25 + Vector * cosine
//
// BM25 is scaled by its own best score because its size depends on the query;
// cosines are on one scale for all queries and stay as they are, so that a
// flat list stays flat. A document missing from a list gets what it can have
// had at most: the lowest score listed, or BM25 0 when that list is shorter
// than Depth and thus complete. A list that is empty has weight 0. (After
// Bruch, Gai and Ingber, An Analysis of Fusion Functions for Hybrid
// Retrieval, 2023.)
func Adaptive(lexical, vector []Scored, query Features) ([]Scored, Weights) {
	return Fitted.Fuse(lexical, vector, query)
}

// Fuse is Adaptive with other odds.
func (o Odds) Fuse(lexical, vector []Scored, query Features) ([]Scored, Weights) {
	lexical, vector = ranked(lexical), ranked(vector)
	w := o.weigh(lexical, vector, query)
	return combine(relative(lexical), vector, lexicalFloor(lexical), w), w
}

// weigh chooses the weights of two ranked lists.
func (o Odds) weigh(lexical, vector []Scored, query Features) Weights {
	switch {
	case len(vector) == 0:
		return Weights{Lexical: 1}
	case len(lexical) == 0:
		return Weights{Vector: 1}
	}
	log := o.Log - o.Standout*standout(vector) - o.Unknown*query.unknownShare() - o.Code*query.Code
	if query.Foreign {
		log += o.Foreign
	}
	odds := math.Exp(log)
	return Weights{Lexical: odds / (1 + odds), Vector: 1 / (1 + odds)}
}

// standout returns how far the best of a ranked list lies above the mean of the
// first standoutHead, in standard deviations of the first Depth; 0 for a list
// of equal scores. 3 is usual.
func standout(list []Scored) float64 {
	_, deviation := moments(list[:min(len(list), Depth)])
	if deviation < 1e-9 {
		return 0
	}
	mean, _ := moments(list[:min(len(list), standoutHead)])
	return (list[0].Score - mean) / deviation
}

// moments returns the mean and the population standard deviation of the scores
// of a list that is not empty.
func moments(list []Scored) (mean, deviation float64) {
	n := float64(len(list))
	for _, s := range list {
		mean += s.Score
	}
	mean /= n
	for _, s := range list {
		d := s.Score - mean
		deviation += d * d
	}
	return mean, math.Sqrt(deviation / n)
}

// relative scales a ranked list to a best score of 1. A list without a
// positive score becomes all zero.
func relative(list []Scored) []Scored {
	out := make([]Scored, len(list))
	for i, s := range list {
		out[i].ID = s.ID
		if best := list[0].Score; best > 0 {
			out[i].Score = s.Score / best
		}
	}
	return out
}

// lexicalFloor returns the relative score of a document that a ranked BM25 list
// lacks.
func lexicalFloor(list []Scored) float64 {
	if len(list) < Depth || list[0].Score <= 0 {
		return 0
	}
	return list[len(list)-1].Score / list[0].Score
}

// combine adds two ranked lists with the weights w. floor is the lexical score
// of documents that only the vector list holds; documents that only the
// lexical list holds get the lowest vector score.
func combine(lexical, vector []Scored, floor float64, w Weights) []Scored {
	cosine := make(map[uint32]float64, len(vector))
	lowest := 0.0
	for _, s := range vector {
		cosine[s.ID] = s.Score
		lowest = s.Score
	}
	total := make(sums, len(lexical)+len(vector))
	for _, s := range vector {
		total[s.ID] = w.Lexical*floor + w.Vector*s.Score
	}
	for _, s := range lexical {
		c, both := cosine[s.ID]
		if !both {
			c = lowest
		}
		total[s.ID] = w.Lexical*s.Score + w.Vector*c
	}
	return total.ranking()
}
