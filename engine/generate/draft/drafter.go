package draft

// Options configure a Drafter.
type Options struct {
	// History, unless nil, are past answers to draft from.
	History *History
	// Stop are tokens that end a draft: the chat template's and those that end
	// text.
	Stop   []int32
	Budget Budget
}

// DefaultFrequent is how many frequent tokens compete as candidates of Observe
// with those of the prompt. Drafts copy the prompt; frequent tokens keep the
// probabilities honest.
const DefaultFrequent = 2000

// Drafter drafts one answer at a time, on one goroutine. Each emitted token is
// passed once: as root of Propose or as an accepted node.
type Drafter struct {
	options  Options
	stop     map[int32]bool
	counters *counters

	automaton   *automaton
	past        pastMatch
	calibration *calibration
	pace        pace
	trust       trust
	clock       clock
	paying      Budget // Options.Budget with corrected costs

	proposed Tree
	expanded []expansion // of each drafted node, proposed or not
	places   []place     // of each drafted node
	waiting  sprouts
}

// NewDrafter returns a Drafter that waits for Begin.
func NewDrafter(o Options) *Drafter {
	d := &Drafter{
		options: o, stop: map[int32]bool{}, counters: newCounters(), calibration: newCalibration(), paying: o.Budget,
	}
	for _, token := range o.Stop {
		d.stop[token] = true
	}
	d.Begin(nil)
	return d
}

// Begin starts a request. Propose works at once; calibration comes by Observe.
func (d *Drafter) Begin(prompt []int32) {
	d.automaton = newAutomaton(len(prompt) + 512)
	d.calibration.reset()
	d.pace, d.proposed = pace{}, Tree{}
	d.past = pastMatch{history: d.options.History}
	for _, token := range prompt {
		d.take(token)
	}
}

// Took reports the time of the pass that verified that many rows, to correct
// the budget's cost.
func (d *Drafter) Took(rows int, seconds float64) {
	if cost := d.options.Budget.Cost; len(cost) > 0 {
		d.clock.took(cost, rows, seconds)
		d.paying.Cost = d.clock.cost(cost)
	}
}

func (d *Drafter) take(token int32) {
	d.automaton.extend(token)
	d.calibration.extend(token)
}

// Observe gives the model's candidates after the token at a place, in
// descending order.
func (d *Drafter) Observe(place int, candidates []Candidate) {
	d.calibration.observe(place, candidates)
}

// Propose returns a draft of at most limit nodes after root, the last emitted
// token, in descending order of acceptance.
func (d *Drafter) Propose(root int32, limit int) Tree {
	d.take(root)
	d.past.lock(d.automaton.text)
	defer d.past.unlock()
	limit = min(limit, d.options.Budget.rows())
	d.expanded = d.expanded[:0]
	if limit <= 1 || d.stop[root] {
		d.proposed = NewTree(root)
	} else {
		d.proposed = d.grow(root, limit)
	}
	return d.proposed
}

func (d *Drafter) stops(token int32) bool { return token < 0 || d.stop[token] }

// Accept takes the result of the last draft: path are the accepted nodes from
// the root, predictions the model's token after each node of path. The last one
// is the next root.
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
	for _, node := range path[1:] {
		d.take(tree.Tokens[node])
	}
	if cost := d.paying.Cost; len(cost) >= tree.Len() {
		d.pace.step(len(path), cost[tree.Len()-1]/cost[0])
	}
	d.proposed = Tree{}
}

// leastTold is the least probability of a guess that trust learns from.
const leastTold = 0.05

// learn counts, for all evidence of a node's successors, whether the model
// chose them.
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
