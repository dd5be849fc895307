package fusion

// Weights are the shares of the two lists in a fused score; they sum to 1.
type Weights struct {
	Lexical float64
	Vector  float64
}

// Depth is how many documents of each list the weights were fitted on. A BM25
// list that is shorter is complete.
const Depth = 100

// fitted are the weights of two lists that both hold something. They maximise
// nDCG@10 in the mean of seven training collections with up to 800 queries each
// (models/train/fusion.py):
//
//	             BM25    vectors  fused   fused by what suits the six others
//	medquad      .5798   .7132    .7251   .7092
//	nq-qed       .9578   .9934    .9844   .9844
//	pubmedqa     .9801   .9836    .9892   .9892
//	covidqa      .5646   .3474    .5645   .5517
//	tldr         .5222   .4456    .5386   .5386
//	docs         .5076   .4445    .5590   .5590
//	squad2       .8810   .7837    .9064   .9064
//	mean         .7133   .6731    .7525   .7484
//
// The mean is flat around them: .7505 with .26 for BM25, .7497 with .44. Weights
// that follow the query, by how far its best vector stands out and by the share of
// its words that no document holds, brought a thousandth more on training
// collections and a thousandth less on seven judged ones.
var fitted = Weights{Lexical: 0.36, Vector: 0.64}

// Convex fuses a BM25 list and a list of cosine similarities by a convex
// combination of scores:
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
func Convex(lexical, vector []Scored) ([]Scored, Weights) {
	lexical, vector = ranked(lexical), ranked(vector)
	w := fitted
	switch {
	case len(vector) == 0:
		w = Weights{Lexical: 1}
	case len(lexical) == 0:
		w = Weights{Vector: 1}
	}
	return combine(relative(lexical), vector, lexicalFloor(lexical), w), w
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

// lexicalFloor is the relative score of a document that a ranked BM25 list
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
