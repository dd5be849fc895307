package fusion

// ReferenceK is the constant that reciprocal-rank fusion is published with.
const ReferenceK = 60

// RRF is reciprocal-rank fusion: a document scores the sum, over the lists
// that hold it, of 1/(k+rank), with ranks from 1. k must not be negative; a
// large one makes all ranks count alike, a small one the first ranks only.
// (Cormack, Clarke and Büttcher, Reciprocal Rank Fusion Outperforms Condorcet
// and Individual Rank Learning Methods, 2009.)
func RRF(k float64, lists ...[]Scored) []Scored {
	total := sums{}
	for _, list := range lists {
		for i, s := range ranked(list) {
			total[s.ID] += 1 / (k + float64(i+1))
		}
	}
	return total.ranking()
}
