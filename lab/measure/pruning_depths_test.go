package measure

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"dowse/engine/rerank"
	"dowse/engine/search"
)

// leastDepth is the fewest candidates that a machine has time for; fewer are those that are near the first.
const leastDepth = 12

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

// sharing are the traces whose threshold is that of so many candidates. From leastDepth on longer ones
// count too, as they would be of the first candidates alone.
func sharing(list []judgedTrace, candidates int) []judgedTrace {
	if candidates >= leastDepth {
		list = firstOf(list, candidates)
	}
	key := func(n int) rerank.Key { return rerank.KeyOf("", 0, n, search.RerankWanted(n)) }
	return slices.DeleteFunc(slices.Clone(list), func(j judgedTrace) bool { return key(j.trace.Candidates) != key(candidates) })
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

// sharingOfEach is sharing for each collection that has some.
func sharingOfEach(judged map[string][]judgedTrace, candidates int) map[string][]judgedTrace {
	cut := map[string][]judgedTrace{}
	for name, list := range judged {
		if some := sharing(list, candidates); len(some) > 0 {
			cut[name] = some
		}
	}
	return cut
}
