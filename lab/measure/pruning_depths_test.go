package measure

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"dowse/engine/rerank"
)

// resultsOf are the numbers of results that thresholds are chosen for: the most of
// each key that searches of so many candidates ask for, and so the most usual.
func resultsOf(candidates int) (list []int) {
	most := (candidates + 1) / 2
	for k := 1; k <= most; k++ {
		if k == most || rerank.KeyOf("", 0, candidates, k) != rerank.KeyOf("", 0, candidates, k+1) {
			list = append(list, k)
		}
	}
	return list
}

// candidatesToPrune are the numbers of candidates that are asked for.
func candidatesToPrune(t *testing.T) (list []int) {
	t.Helper()
	for _, text := range strings.Split(*pruneAt, ",") {
		n, err := strconv.Atoi(text)
		if err != nil || n < 2 || n > *pruneDepth {
			t.Fatalf("-prune-at %s: want numbers from 2 to those of the traces, %d", *pruneAt, *pruneDepth)
		}
		list = append(list, n)
	}
	return list
}

// firstOf are the traces as they would be of the first candidates alone.
func firstOf(list []judgedTrace, candidates int) []judgedTrace {
	cut := slices.Clone(list)
	for i := range cut {
		j := &cut[i]
		n, was := min(candidates, j.trace.Candidates), j.trace
		j.Documents = j.Documents[:n]
		j.trace = rerank.Trace{Candidates: n, Layers: was.Layers}
		for l := range was.Layers {
			j.trace.Margins = append(j.trace.Margins, was.Margins[l*was.Candidates:][:n]...)
		}
	}
	return cut
}

// firstOfEach is firstOf for each collection.
func firstOfEach(judged map[string][]judgedTrace, candidates int) map[string][]judgedTrace {
	cut := map[string][]judgedTrace{}
	for name, list := range judged {
		cut[name] = firstOf(list, candidates)
	}
	return cut
}
