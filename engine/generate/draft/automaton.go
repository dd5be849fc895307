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

// edges are an automaton's transitions: a list per state, and a hash table with
// open addressing.
type edges struct {
	list  []edge
	table []int32 // index in list plus one; 0: free; a power of two long
}

// edge is 16 bytes. A text of n tokens has at most 3n edges.
type edge struct {
	from, token, to int32
	next            int32 // next edge of the state, or -1
}

func newEdges(capacity int) edges {
	size := 16
	for size < capacity {
		size *= 2
	}
	return edges{list: make([]edge, 0, capacity), table: make([]int32, size)}
}

func (e *edges) token(i int32) int32  { return e.list[i].token }
func (e *edges) target(i int32) int32 { return e.list[i].to }
func (e *edges) next(i int32) int32   { return e.list[i].next }
func (e *edges) redirect(i, to int32) { e.list[i].to = to }
func (e *edges) bytes() int           { return 16*cap(e.list) + 4*len(e.table) }
func (e *edges) slot(from, tok int32) int {
	h := (uint64(uint32(from))<<32 | uint64(uint32(tok))) * 0x9e3779b97f4a7c15
	return int(h>>32) & (len(e.table) - 1)
}

func (e *edges) find(from, token int32) int32 {
	for i := e.slot(from, token); ; i = (i + 1) & (len(e.table) - 1) {
		at := e.table[i] - 1
		if at < 0 {
			return -1
		}
		if e.list[at].from == from && e.list[at].token == token {
			return at
		}
	}
}

// add appends a new edge; next is the state's list so far. It returns the new
// head.
func (e *edges) add(from, token, to, next int32) int32 {
	if 4*(len(e.list)+1) > 3*len(e.table) {
		e.grow()
	}
	e.list = append(e.list, edge{from: from, token: token, to: to, next: next})
	at := int32(len(e.list) - 1)
	e.enter(at)
	return at
}

func (e *edges) enter(at int32) {
	i := e.slot(e.list[at].from, e.list[at].token)
	for e.table[i] != 0 {
		i = (i + 1) & (len(e.table) - 1)
	}
	e.table[i] = at + 1
}

func (e *edges) grow() {
	e.table = make([]int32, 2*len(e.table))
	for i := range e.list {
		e.enter(int32(i))
	}
}
