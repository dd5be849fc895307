package draft

// Options say what a Drafter drafts from beside the text at hand. The zero Options
// are of use.
type Options struct {
	// History, unless nil, are past answers to draft from.
	History *History
	// Stop are tokens that end a draft: of the chat template, and that end text.
	Stop []int32
	// Budget bounds the drafts.
	Budget Budget
}

// DefaultFrequent is how many frequent tokens the candidates of Observe may be among,
// beside those of the prompt: what a draft may copy is in the prompt, and the frequent
// ones keep the probabilities honest.
const DefaultFrequent = 2000

// Drafter drafts for one answer at a time. Begin tells it the prompt, and each emitted
// token is told once: as the root of Propose, or as an accepted node by Accept. It is
// for one goroutine.
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
	paying      Budget // Options.Budget with the cost of passes as they turned out

	proposed Tree
	expanded []expansion // of each node that was drafted, proposed or not
	places   []place     // the same
	waiting  sprouts
}

// NewDrafter returns a drafter that waits for Begin.
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

// Begin starts a request. Drafts may be proposed from prompt at once; what
// calibration needs comes through Observe.
func (d *Drafter) Begin(prompt []int32) {
	d.automaton = newAutomaton(len(prompt) + 512)
	d.calibration.reset()
	d.pace, d.proposed = pace{}, Tree{}
	d.past = pastMatch{history: d.options.History}
	for _, token := range prompt {
		d.take(token)
	}
}

// Took reports how long the pass that verified a tree of that many rows took, which
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
	d.calibration.extend(token)
}

// Observe tells what the model would put after the token at a place of the text: a few
// candidates, the most probable first.
func (d *Drafter) Observe(place int, candidates []Candidate) {
	d.calibration.observe(place, candidates)
}

// Propose returns a draft of at most limit nodes after root, the token that was
// emitted last. Its nodes are in descending order of the probability that they
// are accepted.
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

// stops reports whether a token ends a draft.
func (d *Drafter) stops(token int32) bool { return token < 0 || d.stop[token] }

// Accept takes the result of the draft that was proposed last: path holds the nodes
// that were accepted, the root first, and predictions what the model put after each
// node, of which those of path count. The prediction after the last node of path is
// the next root.
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

// leastTold is the least probability of a guess that tells how far to trust.
const leastTold = 0.05

// learn counts, for all evidence of what may follow a node, whether the model put it
// there.
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
