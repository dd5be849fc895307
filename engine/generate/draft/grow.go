package draft

// place is where a node of a draft stands in each source.
type place struct {
	own        Match // in prompt and answer
	past       Match // in past answers
	trail      trail
	calibrated int32 // the node of the calibrated tree, -1 for none
	depth      int   // below the root
	runs       uint8 // the kept runs that led here from the root, one bit each
}

// option is a token that may follow a node.
type option struct {
	token       int32
	probability float32 // by the counters
	from        source  // of the evidence that says so
	known       int     // of evidence
	evidence    [mostEvidence]evidence
}

// expansion are the options of a node, of different tokens.
type expansion struct {
	options []option
	depth   int // of the node
}

// What is looked at for one node at most.
const (
	mostEvidence = 8  // for one option
	mostLevels   = 6  // suffixes of each automaton that the root is matched to
	deepLevels   = 2  // and nodes below it: more cost time and brought nothing
	mostEdges    = 48 // continuations of each suffix
	mostOptions  = 24 // of each automaton
)

// gathered is what is looked up once for a draft.
type gathered struct {
	calibrated    Tree
	probabilities []float32
	runs          [][]int32
}

// grow drafts best first: of all tokens that may follow a node of the tree, the
// one whose path is most probable becomes the next node.
func (d *Drafter) grow(root int32, limit int) Tree {
	g := d.gather(root)
	tree := NewTree(root)
	paths := make([]float32, 0, limit)
	d.places = append(d.places[:0], place{own: d.automaton.Repeated(), past: d.past.match, trail: d.trail, runs: 1<<len(g.runs) - 1})
	d.waiting.clear()
	d.expand(&g, 0, 1)
	for tree.Len() < limit && d.waiting.Len() > 0 {
		s := d.waiting.pop()
		node := tree.Add(s.parent, s.token)
		paths = append(paths, s.path)
		d.places = append(d.places, d.after(&g, d.places[s.parent], s.token))
		d.expand(&g, node, s.path)
	}
	rows := d.paying.choose(paths, d.pace.rate())
	return Tree{Tokens: tree.Tokens[:rows], Parents: tree.Parents[:rows]}
}

// gather looks up what calibration and reuse know of the root.
func (d *Drafter) gather(root int32) gathered {
	var g gathered
	if d.options.Calibration {
		text := d.automaton.Text()
		previous := int32(-1)
		if len(text) > 1 {
			previous = text[len(text)-2]
		}
		g.calibrated, g.probabilities = d.calibration.Search(previous, root)
	}
	if d.options.Reuse {
		d.reuse.Branches(func(tokens []int32) bool {
			g.runs = append(g.runs, tokens)
			return true
		})
	}
	return g
}

// after is where a node stands that follows one at a place.
func (d *Drafter) after(g *gathered, at place, token int32) place {
	next := place{own: d.automaton.Next(at.own, token), calibrated: -1, depth: at.depth + 1}
	next.trail = at.trail.after(d.automaton, next.own, token)
	if d.past.automaton != nil {
		next.past = d.past.automaton.Next(at.past, token)
	}
	if d.options.Calibration && at.calibrated >= 0 {
		next.calibrated = g.calibrated.Child(at.calibrated, token)
	}
	for i, run := range g.runs {
		if at.runs&(1<<i) != 0 && at.depth < len(run) && run[at.depth] == token {
			next.runs |= 1 << i
		}
	}
	return next
}

// expand collects the options of a node, whose path has a probability, and lets
// them wait.
func (d *Drafter) expand(g *gathered, node int32, path float32) {
	at := d.places[node]
	options := d.spare(int(node))
	levels := deepLevels
	if at.depth == 0 {
		levels = mostLevels
	}
	if d.options.Automaton {
		options = d.fromAutomaton(options, d.automaton, at.own, fromLongest, levels)
	}
	if d.past.automaton != nil {
		options = d.fromAutomaton(options, d.past.automaton, at.past, fromHistory, levels)
	}
	if d.options.Calibration {
		options = d.fromCalibration(options, g, at)
	}
	if d.options.Reuse {
		options = d.fromReuse(options, g, at)
		options = d.fromTrail(options, at.trail)
	}
	d.weigh(options)
	for i := range options {
		o := &options[i]
		p := min(o.probability*d.trust.factor(o.from, at.depth), surest)
		d.waiting.push(sprout{parent: node, token: o.token, path: path * p})
	}
	d.expanded[node] = expansion{options: options, depth: at.depth}
}

// surest is the most that is believed of a guess.
const surest = 0.98

// weigh gives each option of a node the probability of its best evidence, or
// less where all of them together would be more than certain.
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

// spare returns the emptied options of a node, which were those of an earlier
// draft.
func (d *Drafter) spare(node int) []option {
	if node < cap(d.expanded) {
		d.expanded = d.expanded[:node+1]
	} else {
		d.expanded = append(d.expanded, expansion{})
	}
	return d.expanded[node].options[:0]
}

// offer adds evidence for a token.
func (d *Drafter) offer(options []option, token int32, e evidence) []option {
	if d.stops(token) {
		return options
	}
	for i := range options {
		if o := &options[i]; o.token == token {
			if o.known < mostEvidence {
				o.evidence[o.known] = e
				o.known++
			}
			return options
		}
	}
	return append(options, option{token: token, known: 1, evidence: [mostEvidence]evidence{e}})
}

func offered(options []option, token int32) bool {
	for i := range options {
		if options[i].token == token {
			return true
		}
	}
	return false
}

// fromAutomaton offers what followed the match, then what followed its shorter
// suffixes and no longer one, of so many matches in all. Without branches it
// offers what followed first.
func (d *Drafter) fromAutomaton(options []option, a *Automaton, m Match, from source, levels int) []option {
	if !d.options.Branches {
		if first := a.First(m); m.Length > 0 && first < len(a.text) {
			options = d.offer(options, a.text[first], matched(from, m.Length, 1, 1, false))
		}
		return options
	}
	start := len(options)
	for level := 0; level < levels && m.Length > 0; level++ {
		options = d.level(options, start, a, m, from+source(min(level, 1)))
		m = a.Shorter(m)
	}
	return options
}

// level offers the continuations of one match that are not among the options
// from start on, which longer matches offered.
func (d *Drafter) level(options []option, start int, a *Automaton, m Match, from source) []option {
	var edges [mostEdges]struct{ token, count, latest int32 }
	n, total, newest := 0, int32(0), int32(-1)
	a.Continuations(m, func(token int32, then Match) bool {
		if token >= 0 {
			s := &a.states[then.State]
			edges[n].token, edges[n].count, edges[n].latest = token, s.count, s.latest
			total += s.count
			newest = max(newest, s.latest)
			n++
		}
		return n < mostEdges
	})
	end := len(options)
	for i := range edges[:n] {
		e := &edges[i]
		if len(options)-start >= mostOptions {
			break
		}
		if !offered(options[start:end], e.token) {
			options = d.offer(options, e.token, matched(from, m.Length, e.count, total, e.latest == newest))
		}
	}
	return options
}

// fromCalibration offers the children of a node of the calibrated tree.
func (d *Drafter) fromCalibration(options []option, g *gathered, at place) []option {
	if at.calibrated < 0 {
		return options
	}
	t := &g.calibrated
	for i := int(at.calibrated) + 1; i < t.Len(); i++ {
		if t.Parents[i] == at.calibrated {
			share := g.probabilities[i] / g.probabilities[at.calibrated]
			options = d.offer(options, t.Tokens[i], calibrated(share, at.depth))
		}
	}
	return options
}

// fromReuse offers the next tokens of kept runs.
func (d *Drafter) fromReuse(options []option, g *gathered, at place) []option {
	for i, run := range g.runs {
		if at.runs&(1<<i) != 0 && at.depth < len(run) {
			options = d.offer(options, run[at.depth], reused(at.depth, len(run)))
		}
	}
	return options
}

// fromTrail offers the tokens of the text that come after the trail.
func (d *Drafter) fromTrail(options []option, t trail) []option {
	if t.at < 0 || t.left > mostLeft {
		return options
	}
	following := d.automaton.text[t.at+1:]
	for skipped, token := range following[:min(mostSkipped, len(following))] {
		options = d.offer(options, token, resumed(skipped, int(t.left)))
	}
	return options
}
