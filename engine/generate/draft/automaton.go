package draft

// automaton is a suffix automaton over token ids: it knows every substring of
// its text, and finds the longest suffix of another text in it. It is built
// online in amortised constant time a token (Blumer et al. 1985).
//
// A state is the substrings that end at the same places. Beside the published
// {next, link, length} it counts those places, which tells the usual
// continuation, and keeps the last one.
//
// State 0 is the root, the empty string. Negative tokens separate texts: no
// lookup contains them.
type automaton struct {
	text   []int32
	states []state
	edges  edges
	last   int32 // the state of the whole text
}

// state is 20 bytes. A text of n tokens has at most 2n states.
type state struct {
	link   int32 // of the longest suffix with other ends
	length int32 // of its longest substring
	latest int32 // end of the last occurrence in the text
	count  int32 // occurrences
	edge   int32 // head of the list of edges, or -1
}

// maxClimb bounds the shorter suffixes counted for a token. Prose has some ten;
// a text that repeats itself would have one for every earlier token.
const maxClimb = 64

// newAutomaton returns an empty automaton with room for a text of that length.
func newAutomaton(capacity int) *automaton {
	a := &automaton{
		text:   make([]int32, 0, capacity),
		states: make([]state, 1, 1+capacity*3/2),
		edges:  newEdges(capacity * 2),
	}
	a.states[0] = state{link: -1, latest: -1, edge: -1}
	return a
}

// bytes returns the memory held: 20 a state, 16 an edge, 4 to 8 for finding it,
// 4 a token.
func (a *automaton) bytes() int {
	return 20*cap(a.states) + a.edges.bytes() + 4*cap(a.text)
}

func (a *automaton) extend(token int32) {
	end := int32(len(a.text))
	a.text = append(a.text, token)
	current := a.add(state{length: a.states[a.last].length + 1, latest: end, edge: -1})
	p := a.last
	for p >= 0 && a.edges.find(p, token) < 0 {
		a.connect(p, token, current)
		p = a.states[p].link
	}
	a.states[current].link = a.suffix(p, token)
	a.last = current
	a.tally(current, end)
}

// suffix returns the state of p's string followed by token: the target of p's
// edge, or the target's part of this length.
func (a *automaton) suffix(p, token int32) int32 {
	if p < 0 {
		return 0
	}
	q := a.edges.target(a.edges.find(p, token))
	if a.states[q].length == a.states[p].length+1 {
		return q
	}
	clone := a.add(a.states[q])
	a.states[clone].length = a.states[p].length + 1
	a.states[clone].edge = -1
	for e := a.states[q].edge; e >= 0; e = a.edges.next(e) {
		a.connect(clone, a.edges.token(e), a.edges.target(e))
	}
	a.states[q].link = clone
	for ; p >= 0; p = a.states[p].link {
		e := a.edges.find(p, token)
		if e < 0 || a.edges.target(e) != q {
			break
		}
		a.edges.redirect(e, clone)
	}
	return clone
}

// tally counts an occurrence, ending at end, of the text's suffixes.
func (a *automaton) tally(s, end int32) {
	for climbed := 0; s > 0 && climbed < maxClimb; climbed++ {
		a.states[s].count++
		a.states[s].latest = end
		s = a.states[s].link
	}
}

func (a *automaton) add(s state) int32 {
	a.states = append(a.states, s)
	return int32(len(a.states) - 1)
}

func (a *automaton) connect(from, token, to int32) {
	a.states[from].edge = a.edges.add(from, token, to, a.states[from].edge)
}

// match is a suffix found in the automaton: its state and length. The zero
// match is empty.
type match struct {
	state  int32
	length int32
}

// repeated returns the longest suffix of the text that occurs earlier in it;
// occurrences may overlap.
func (a *automaton) repeated() match {
	if a.last == 0 {
		return match{}
	}
	s := a.states[a.last].link
	return match{state: s, length: a.states[s].length}
}

// next returns the longest suffix of what m matched followed by token.
func (a *automaton) next(m match, token int32) match {
	for {
		if e := a.edges.find(m.state, token); e >= 0 {
			return match{state: a.edges.target(e), length: m.length + 1}
		}
		if m.state == 0 {
			return match{}
		}
		m = a.shorter(m)
	}
}

// shorter returns the longest suffix of m with more occurrences.
func (a *automaton) shorter(m match) match {
	s := a.states[m.state].link
	if s < 0 {
		return match{}
	}
	return match{state: s, length: a.states[s].length}
}

// continuations yields the tokens that follow m, newest edge first, until yield
// returns false; then.count is how often.
func (a *automaton) continuations(m match, yield func(token int32, then match) bool) {
	for e := a.states[m.state].edge; e >= 0; e = a.edges.next(e) {
		if !yield(a.edges.token(e), match{state: a.edges.target(e), length: m.length + 1}) {
			return
		}
	}
}
