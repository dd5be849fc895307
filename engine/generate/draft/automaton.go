package draft

// automaton is a suffix automaton over token ids: it knows every substring of
// the text it was given, and finds the longest suffix of anything in it. It is
// built online, in amortised constant time a token for a bounded alphabet
// (Blumer et al. 1985).
//
// A state stands for the substrings that end at the same places. Beside the
// published {next, link, length} it counts those places and keeps the
// last one, which tells what usually follows and what followed last.
//
// State 0 is the root, the empty string. Negative tokens part texts that are put
// into one automaton: nothing that is looked up contains them.
type automaton struct {
	text   []int32
	states []state
	edges  edges
	last   int32 // the state of the whole text
}

// state is 20 bytes. A text of n tokens has at most 2n states.
type state struct {
	link   int32 // the state of the longest suffix that ends elsewhere too
	length int32 // of the longest substring of this state
	latest int32 // where the last occurrence ends, as a place in the text
	count  int32 // occurrences
	edge   int32 // the head of the list of edges, -1 for none
}

// maxClimb bounds how many shorter suffixes of a new token are counted. Prose
// has some ten; in a text that repeats itself forever there would be one for
// every token before it.
const maxClimb = 64

// newAutomaton returns the automaton of the empty text, with room for a text of
// the given length.
func newAutomaton(capacity int) *automaton {
	a := &automaton{
		text:   make([]int32, 0, capacity),
		states: make([]state, 1, 1+capacity*3/2),
		edges:  newEdges(capacity * 2),
	}
	a.states[0] = state{link: -1, latest: -1, edge: -1}
	return a
}

// bytes returns the memory held: 20 a state, 16 an edge, 4 to 8 an edge for the
// table that finds it, 4 a token.
func (a *automaton) bytes() int {
	return 20*cap(a.states) + a.edges.bytes() + 4*cap(a.text)
}

// extend appends a token to the text.
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

// suffix returns the state of the string of p followed by token, which occurs in
// the text already: the target of p's edge, or that target's part of this length.
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

// tally counts an occurrence that ends at the given place for the suffixes of
// the text.
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

// match is a suffix of some text, found in the automaton: the state it belongs
// to and how many tokens of it match. The zero match matches nothing.
type match struct {
	state  int32
	length int32
}

// repeated returns the longest suffix of the automaton's own text that occurs
// earlier in it too; the occurrences may overlap.
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

// shorter returns the longest suffix of m that occurs at more places than m.
func (a *automaton) shorter(m match) match {
	s := a.states[m.state].link
	if s < 0 {
		return match{}
	}
	return match{state: s, length: a.states[s].length}
}

// continuations calls yield with the tokens that follow m somewhere, the one
// that was first seen last before the others, until yield returns false. The
// match of m and the token has how often that happened.
func (a *automaton) continuations(m match, yield func(token int32, then match) bool) {
	for e := a.states[m.state].edge; e >= 0; e = a.edges.next(e) {
		if !yield(a.edges.token(e), match{state: a.edges.target(e), length: m.length + 1}) {
			return
		}
	}
}
