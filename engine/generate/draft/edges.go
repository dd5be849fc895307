package draft

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
