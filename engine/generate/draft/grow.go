package draft

import "container/heap"

// place is a node's position in each source.
type place struct {
	own        match // in prompt and answer
	past       match // in past answers
	calibrated int32 // node of the calibrated tree, or -1
	depth      int   // below the root
}

// option is a candidate successor of a node.
type option struct {
	token       int32
	probability float32 // by the counters
	from        source  // of the best evidence
	known       int     // number of evidences
	evidence    [sources]evidence
}

// expansion holds a node's options, with different tokens.
type expansion struct {
	options []option
	depth   int // of the node
}

// Bounds for one node.
const (
	mostEdges   = 48 // continuations in each automaton
	mostOptions = 24 // of each automaton
)

// calibratedTree is calibration's tree of a root.
type calibratedTree struct {
	tree          Tree
	probabilities []float32
}

// grow drafts best first: the successor with the most probable path becomes the
// next node.
func (d *Drafter) grow(root int32, limit int) Tree {
	c := d.calibrated(root)
	tree := NewTree(root)
	paths := make([]float32, 0, limit)
	d.places = append(d.places[:0], place{own: d.automaton.repeated(), past: d.past.match})
	d.waiting.clear()
	d.expand(&c, 0, 1)
	for tree.Len() < limit && d.waiting.Len() > 0 {
		s := d.waiting.best()
		node := tree.Add(s.parent, s.token)
		paths = append(paths, s.path)
		d.places = append(d.places, d.after(&c, d.places[s.parent], s.token))
		d.expand(&c, node, s.path)
	}
	rows := d.paying.choose(paths, d.pace.rate())
	return Tree{Tokens: tree.Tokens[:rows], Parents: tree.Parents[:rows]}
}

func (d *Drafter) calibrated(root int32) (c calibratedTree) {
	text, previous := d.automaton.text, int32(-1)
	if len(text) > 1 {
		previous = text[len(text)-2]
	}
	c.tree, c.probabilities = d.calibration.search(previous, root)
	return c
}

// after returns the place of a node that follows one at a place.
func (d *Drafter) after(c *calibratedTree, at place, token int32) place {
	next := place{own: d.automaton.next(at.own, token), calibrated: -1, depth: at.depth + 1}
	if d.past.automaton != nil {
		next.past = d.past.automaton.next(at.past, token)
	}
	if at.calibrated >= 0 {
		next.calibrated = c.tree.Child(at.calibrated, token)
	}
	return next
}

// expand collects the options of a node with a path probability into the heap.
func (d *Drafter) expand(c *calibratedTree, node int32, path float32) {
	at := d.places[node]
	options := d.fromAutomaton(d.spare(int(node)), d.automaton, at.own, fromText)
	if d.past.automaton != nil {
		options = d.fromAutomaton(options, d.past.automaton, at.past, fromHistory)
	}
	options = d.fromCalibration(options, c, at)
	d.weigh(options)
	for i := range options {
		o := &options[i]
		p := min(o.probability*d.trust.factor(o.from, at.depth), surest)
		d.waiting.add(sprout{parent: node, token: o.token, path: path * p})
	}
	d.expanded[node] = expansion{options: options, depth: at.depth}
}

// surest bounds the probability of a guess.
const surest = 0.98

// weigh gives each option the probability of its best evidence, scaled down
// where all together exceed certainty.
func (d *Drafter) weigh(options []option) {
	sum := float32(0)
	for i := range options {
		o := &options[i]
		for _, e := range o.evidence[:o.known] {
			if p := d.counters.probability(e); p > o.probability {
				o.probability, o.from = p, e.source()
			}
		}
		sum += o.probability
	}
	if sum <= 1 {
		return
	}
	for i := range options {
		options[i].probability /= sum
	}
}

// spare returns the emptied options of a node of an earlier draft.
func (d *Drafter) spare(node int) []option {
	if node < cap(d.expanded) {
		d.expanded = d.expanded[:node+1]
	} else {
		d.expanded = append(d.expanded, expansion{})
	}
	return d.expanded[node].options[:0]
}

// offer adds evidence for a token. Each source offers a token once.
func (d *Drafter) offer(options []option, token int32, e evidence) []option {
	if d.stops(token) {
		return options
	}
	for i := range options {
		if o := &options[i]; o.token == token {
			o.evidence[o.known] = e
			o.known++
			return options
		}
	}
	return append(options, option{token: token, known: 1, evidence: [sources]evidence{e}})
}

// fromAutomaton offers a match's continuations by frequency.
func (d *Drafter) fromAutomaton(options []option, a *automaton, m match, from source) []option {
	if m.length == 0 {
		return options
	}
	var edges [mostEdges]struct{ token, count, latest int32 }
	n, total, newest := 0, int32(0), int32(-1)
	a.continuations(m, func(token int32, then match) bool {
		if token >= 0 {
			s := &a.states[then.state]
			edges[n].token, edges[n].count, edges[n].latest = token, s.count, s.latest
			total += s.count
			newest = max(newest, s.latest)
			n++
		}
		return n < mostEdges
	})
	for _, e := range edges[:min(n, mostOptions)] {
		options = d.offer(options, e.token, matched(from, m.length, e.count, total, e.latest == newest))
	}
	return options
}

func (d *Drafter) fromCalibration(options []option, c *calibratedTree, at place) []option {
	if at.calibrated < 0 {
		return options
	}
	for i := int(at.calibrated) + 1; i < c.tree.Len(); i++ {
		if c.tree.Parents[i] == at.calibrated {
			share := c.probabilities[i] / c.probabilities[at.calibrated]
			options = d.offer(options, c.tree.Tokens[i], calibrated(share, at.depth))
		}
	}
	return options
}

// sprout is an option waiting to become a node.
type sprout struct {
	parent int32
	token  int32
	path   float32 // probability of acceptance
	order  int     // of arrival
}

// sprouts is a heap by path probability, then by arrival.
type sprouts struct {
	waiting []sprout
	came    int
}

func (s *sprouts) clear() { s.waiting, s.came = s.waiting[:0], 0 }

func (s *sprouts) add(o sprout) {
	o.order = s.came
	s.came++
	heap.Push(s, o)
}

// best removes and returns the top.
func (s *sprouts) best() sprout { return heap.Pop(s).(sprout) }

func (s *sprouts) Len() int { return len(s.waiting) }

func (s *sprouts) Less(i, j int) bool {
	a, b := &s.waiting[i], &s.waiting[j]
	return a.path > b.path || a.path == b.path && a.order < b.order
}

func (s *sprouts) Swap(i, j int) { s.waiting[i], s.waiting[j] = s.waiting[j], s.waiting[i] }
func (s *sprouts) Push(o any)    { s.waiting = append(s.waiting, o.(sprout)) }

func (s *sprouts) Pop() any {
	last := s.waiting[len(s.waiting)-1]
	s.waiting = s.waiting[:len(s.waiting)-1]
	return last
}
