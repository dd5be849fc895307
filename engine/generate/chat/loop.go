package chat

// bytesOfRound is the charge for a round of a loop, most of it for its variables.
const bytesOfRound = 16 * bytesOfStep

// loop is for.
type loop struct {
	line   int
	target string
	over   expression
	body   []statement
}

func (s *loop) run(e *evaluator) (broken bool) {
	v := s.over.eval(e)
	e.line = s.line
	items := elements(v)
	for i := range items {
		e.charge(s.line, bytesOfRound)
		if e.inner(s.body, map[string]value{s.target: items[i], "loop": round(items, i)}) {
			return false
		}
	}
	return false
}

// round returns the variable loop.
func round(items []value, i int) dict {
	n := len(items)
	d := dict{
		"index": int64(i + 1), "index0": int64(i), "revindex": int64(n - i), "revindex0": int64(n - i - 1),
		"first": i == 0, "last": i == n-1, "length": int64(n),
	}
	if i > 0 {
		d["previtem"] = items[i-1]
	}
	if i < n-1 {
		d["nextitem"] = items[i+1]
	}
	return d
}
