package draft

// Options say what a Drafter drafts from. The zero Options draft nothing.
type Options struct {
	Lookup      bool // prompt lookup and nothing else: the baseline
	Automaton   bool // the longest suffix that occurs earlier in prompt and answer
	Branches    bool // all that followed it and its shorter suffixes, not the first alone
	Calibration bool // what the model would have put at places of the context
	Reuse       bool // what was plausible in rejected drafts
	// History, unless nil, are past answers to draft from.
	History *History
	// Stop are tokens that end a draft: of the chat template, and that end text.
	Stop []int32
	// Budget bounds the drafts.
	Budget Budget
	// Counters, unless nil, are learned by several drafters, one after the other.
	Counters *Counters
}

// Full returns the options of everything that is there to draft from.
func Full() Options {
	return Options{Automaton: true, Branches: true, Calibration: true, Reuse: true}
}

// Drafter drafts for one answer at a time. It is told of the prompt by Begin, of
// each emitted token once: as the root of Propose, or as an accepted node by
// Accept. It is for one goroutine.
type Drafter struct {
	options  Options
	stop     map[int32]bool
	counters *Counters

	automaton   *Automaton
	past        pastMatch
	calibration *Calibration
	reuse       Reuse
	trail       trail // once the answer has begun
	pace        pace
	trust       trust
	clock       clock
	paying      Budget // Options.Budget with the cost of passes as they turned out

	proposed Tree
	expanded []expansion // of each node that was drafted, proposed or not
	places   []place     // the same
	waiting  sprouts
}

// NewDrafter returns a drafter that waits for Begin.
func NewDrafter(o Options) *Drafter {
	d := &Drafter{options: o, stop: map[int32]bool{}, counters: o.Counters, calibration: NewCalibration()}
	d.SetBudget(o.Budget)
	if d.counters == nil {
		d.counters = NewCounters()
	}
	for _, token := range o.Stop {
		d.stop[token] = true
	}
	d.Begin(nil)
	return d
}

// Begin starts a request. Drafts may be proposed from prompt at once; what
// calibration needs comes through Observe.
func (d *Drafter) Begin(prompt []int32) {
	d.automaton = NewAutomaton(len(prompt) + 512)
	d.calibration.Reset()
	d.reuse.Reset()
	d.trail, d.pace, d.proposed = trail{at: -1}, pace{}, Tree{}
	d.past = pastMatch{history: d.options.History}
	for _, token := range prompt {
		d.take(token)
	}
	d.trail = trail{at: -1}
}

// SetBudget replaces the budget from the next draft on.
func (d *Drafter) SetBudget(b Budget) {
	d.options.Budget, d.paying, d.clock = b, b, clock{}
}

// Took says how long the pass that verified a tree of so many rows took, which
// corrects the cost that the budget began with. Without it that cost stands.
func (d *Drafter) Took(rows int, seconds float64) {
	if cost := d.options.Budget.Cost; len(cost) > 0 {
		d.clock.took(cost, rows, seconds)
		d.paying.Cost = d.clock.cost(cost)
	}
}

// take appends a token to the text.
func (d *Drafter) take(token int32) {
	d.automaton.extend(token)
	d.trail = d.trail.after(d.automaton, d.automaton.Repeated(), token)
	if d.options.Calibration {
		d.calibration.Extend(token)
	}
}

// Observe says what the model would put after the token at a place: of the
// prompt, or after it of the answer. See Calibration.Observe.
func (d *Drafter) Observe(place int, candidates []Candidate) {
	if d.options.Calibration {
		d.calibration.Observe(place, candidates)
	}
}

// Propose returns a draft of at most limit nodes after root, the token that was
// emitted last. Its nodes are in descending order of the probability that they
// are accepted.
func (d *Drafter) Propose(root int32, limit int) Tree {
	d.take(root)
	d.past.lock(d.automaton.Text())
	defer d.past.unlock()
	limit = min(limit, d.options.Budget.rows())
	d.expanded = d.expanded[:0]
	switch {
	case limit <= 1 || d.stop[root]:
		d.proposed = NewTree(root)
	case d.options.Lookup:
		d.proposed = d.lookup(root, limit)
	default:
		d.proposed = d.grow(root, limit)
	}
	return d.proposed
}

// lookup is the draft of prompt lookup.
func (d *Drafter) lookup(root int32, limit int) Tree {
	tree, node := NewTree(root), int32(0)
	for _, token := range Lookup(d.automaton.Text()) {
		if tree.Len() >= limit || d.stops(token) {
			break
		}
		node = tree.Add(node, token)
	}
	return tree
}

// stops says that nothing is drafted from a token on.
func (d *Drafter) stops(token int32) bool { return token < 0 || d.stop[token] }

// Accept is told of the verified draft: predictions holds what the model put
// after each node of the tree that was proposed, path the nodes that were
// accepted, the root first. The prediction after the last of them is the next
// root.
func (d *Drafter) Accept(path, predictions []int32) {
	tree := d.proposed
	if len(path) == 0 || tree.Len() == 0 || len(predictions) < tree.Len() {
		return
	}
	for _, node := range path {
		if int(node) < len(d.expanded) {
			d.learn(d.expanded[node], predictions[node])
		}
	}
	if d.options.Reuse {
		d.reuse.Verified(tree, predictions, path, d.options.Budget.rows())
	}
	for _, node := range path[1:] {
		d.take(tree.Tokens[node])
	}
	if cost := d.paying.Cost; len(cost) >= tree.Len() {
		d.pace.step(len(path), cost[tree.Len()-1]/cost[0])
	}
	d.proposed = Tree{}
}

// leastTold is the least probability of a guess that says how far to trust.
const leastTold = 0.05

// learn counts, for all that was known of what may follow a node, whether the
// model put it there.
func (d *Drafter) learn(e expansion, prediction int32) {
	for _, o := range e.options {
		if o.probability >= leastTold {
			d.trust.learn(o.from, e.depth, o.probability, o.token == prediction)
		}
		for _, evidence := range o.evidence[:o.known] {
			d.counters.learn(evidence, o.token == prediction)
		}
	}
}
