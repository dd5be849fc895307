package search

import (
	"slices"

	"dowse/engine/layout"
	"dowse/store"
)

// fileHead is how many candidates tell which files of code say most.
const fileHead = 100

// liftFiles lifts the best passage of each file of code by what its passages among the first candidates say together: the
// file that a question is about holds more of the answer than one good passage. Passages of code take each other's places and
// scores, so that all others keep theirs; most is what the file gains that says most.
func (l *retrieval) liftFiles(list []candidate, most float64) []candidate {
	head := list[:min(fileHead, len(list))]
	if most == 0 || len(head) == 0 {
		return list
	}
	least, sums, highest := head[len(head)-1].score, map[*store.File]float64{}, 0.0
	best := map[*store.File]int{} // places in code
	var places []int              // of passages of code in head
	var code []candidate
	for i, c := range head {
		f := l.fileOf(c.chunk)
		if f == nil || f.Kind != layout.Code {
			continue
		}
		if _, known := best[f]; !known {
			best[f] = len(code)
		}
		places, code = append(places, i), append(code, c)
		sums[f] += c.score - least
		highest = max(highest, sums[f])
	}
	if highest == 0 {
		return list
	}
	scores := make([]float64, len(code))
	for i, c := range code {
		scores[i] = c.score
	}
	for f, i := range best {
		code[i].score += most * sums[f] / highest
	}
	breakTies(code)
	list = slices.Clone(list)
	for i, place := range places {
		list[place] = code[i]
		list[place].score = scores[i]
	}
	return list
}
