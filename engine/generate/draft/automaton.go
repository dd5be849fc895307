package draft

// Automaton is a suffix automaton over token ids: it knows every substring of
// the text it was given, and finds the longest suffix of anything in it. It is
// built online, in amortised constant time a token for a bounded alphabet
// (Blumer et al. 1985).
//
// A state stands for the substrings that end at the same places. Beside the
// published {next, link, length, first end} it counts those places and keeps the
// last one, which says what usually follows and what followed last.
//
// State 0 is the root, the empty string. Negative tokens part texts that are put
// into one automaton: nothing that is looked up contains them.
type Automaton struct {
	text   []int32
	states []state
	edges  edges
	last   int32 // the state of the whole text
}

// state is 24 bytes. A text of n tokens has at most 2n states.
type state struct {
	link   int32 // the state of the longest suffix that ends elsewhere too
	length int32 // of the longest substring of this state
	first  int32 // where the first occurrence ends, as a place in the text
	latest int32 // where the last occurrence ends
	count  int32 // occurrences
	edge   int32 // the head of the list of edges, -1 for none
}

// maxClimb bounds how many shorter suffixes of a new token are counted. Prose
// has some ten; in a text that repeats itself forever there would be one for
// every token before it.
const maxClimb = 64

// NewAutomaton returns the automaton of the empty text, with room for a text of
// the given length.
func NewAutomaton(capacity int) *Automaton {
	a := &Automaton{
		text:   make([]int32, 0, capacity),
		states: make([]state, 1, 1+capacity*3/2),
		edges:  newEdges(capacity * 2),
	}
	a.states[0] = state{link: -1, first: -1, latest: -1, edge: -1}
	return a
}

// Text is everything the automaton was given, in order. The caller must not
// change it.
func (a *Automaton) Text() []int32 { return a.text }

// Bytes is the memory held: 24 a state, 16 an edge, 4 to 8 an edge for the
// table that finds it, 4 a token.
func (a *Automaton) Bytes() int {
	return 24*cap(a.states) + a.edges.bytes() + 4*cap(a.text)
}

// Extend appends tokens to the text.
func (a *Automaton) Extend(tokens ...int32) {
	for _, token := range tokens {
		a.extend(token)
	}
}

func (a *Automaton) extend(token int32) {
	end := int32(len(a.text))
	a.text = append(a.text, token)
	current := a.add(state{length: a.states[a.last].length + 1, first: end, latest: end, edge: -1})
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
func (a *Automaton) suffix(p, token int32) int32 {
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
func (a *Automaton) tally(s, end int32) {
	for climbed := 0; s > 0 && climbed < maxClimb; climbed++ {
		a.states[s].count++
		a.states[s].latest = end
		s = a.states[s].link
	}
}

func (a *Automaton) add(s state) int32 {
	a.states = append(a.states, s)
	return int32(len(a.states) - 1)
}

func (a *Automaton) connect(from, token, to int32) {
	a.states[from].edge = a.edges.add(from, token, to, a.states[from].edge)
}

// Match is a suffix of some text, found in the automaton: the state it belongs
// to and how many tokens of it match. The zero Match matches nothing.
type Match struct {
	State  int32
	Length int32
}

// Repeated returns the longest suffix of the automaton's own text that occurs
// earlier in it too; the occurrences may overlap.
func (a *Automaton) Repeated() Match {
	if a.last == 0 {
		return Match{}
	}
	s := a.states[a.last].link
	return Match{State: s, Length: a.states[s].length}
}

// Next returns the longest suffix of what m matched followed by token.
func (a *Automaton) Next(m Match, token int32) Match {
	for {
		if e := a.edges.find(m.State, token); e >= 0 {
			return Match{State: a.edges.target(e), Length: m.Length + 1}
		}
		if m.State == 0 {
			return Match{}
		}
		m = a.Shorter(m)
	}
}

// Shorter returns the longest suffix of m that occurs at more places than m.
func (a *Automaton) Shorter(m Match) Match {
	s := a.states[m.State].link
	if s < 0 {
		return Match{}
	}
	return Match{State: s, Length: a.states[s].length}
}

// Longest finds the longest suffix of tokens that occurs in the text.
func (a *Automaton) Longest(tokens []int32) Match {
	var m Match
	for _, token := range tokens {
		m = a.Next(m, token)
	}
	return m
}

// First is the place in Text after the first occurrence of m, where its oldest
// continuation begins.
func (a *Automaton) First(m Match) int { return int(a.states[m.State].first) + 1 }

// Latest is the place in Text after the last occurrence of m.
func (a *Automaton) Latest(m Match) int { return int(a.states[m.State].latest) + 1 }

// Count is how often m occurs. It is exact for the 64 longest suffixes of each
// place and may be too low for shorter ones, in texts that repeat themselves.
func (a *Automaton) Count(m Match) int { return int(a.states[m.State].count) }

// Continuations calls yield with the tokens that follow m somewhere, the one
// that was first seen last before the others, until yield returns false. The
// Match of m and the token has how often that happened.
func (a *Automaton) Continuations(m Match, yield func(token int32, then Match) bool) {
	for e := a.states[m.State].edge; e >= 0; e = a.edges.next(e) {
		if !yield(a.edges.token(e), Match{State: a.edges.target(e), Length: m.Length + 1}) {
			return
		}
	}
}
