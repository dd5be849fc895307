package draft

// Candidate is a token that the model might have put at a place, and its
// probability.
type Candidate struct {
	Token       int32
	Probability float32
}

// In-context calibration's numbers that the paper leaves open.
const (
	keptSuccessors   = 3    // of each place
	leastProbability = 0.05 // of a stored successor
	calibrationDepth = 6
	calibrationNodes = 24
	keyPlaces        = 4   // occurrences of the key that are averaged
	placeSteps       = 512 // occurrences searched for the nearest one
)

// calibration knows what the model would have written at each place of the
// prompt, from the logits of reading it. Context words in the model's order
// make better drafts than the context itself ("Clinton's security detail has
// arrived at" as "Clinton arrived at"): CoordGen's in-context distribution
// calibration.
//
// It belongs to one request and holds 28 bytes a token and two maps from
// distinct tokens and pairs to their last place.
type calibration struct {
	text      []int32
	observed  []successors
	lastToken map[int32]int32
	lastPair  map[uint64]int32
	sameToken []int32 // the earlier place with the same token, or -1
	samePair  []int32 // the one with the same token before it too
}

// successors are the best candidates after a place in descending order;
// probability 0 ends them.
type successors struct {
	tokens        [keptSuccessors]int32
	probabilities [keptSuccessors]uint16 // in 1/65535
}

func newCalibration() *calibration {
	c := &calibration{}
	c.reset()
	return c
}

func (c *calibration) reset() {
	c.text, c.observed = c.text[:0], c.observed[:0]
	c.sameToken, c.samePair = c.sameToken[:0], c.samePair[:0]
	c.lastToken, c.lastPair = map[int32]int32{}, map[uint64]int32{}
}

// extend appends a token of the prompt or answer.
func (c *calibration) extend(token int32) {
	at := int32(len(c.text))
	previous := int32(-1)
	if at > 0 {
		previous = c.text[at-1]
	}
	c.text = append(c.text, token)
	c.observed = append(c.observed, successors{})
	c.sameToken = append(c.sameToken, enter(c.lastToken, token, at))
	c.samePair = append(c.samePair, enter(c.lastPair, pairKey(previous, token), at))
}

// enter makes at the last place of key and returns the one before, or -1.
func enter[K comparable](last map[K]int32, key K, at int32) int32 {
	before, ok := last[key]
	last[key] = at
	if !ok {
		return -1
	}
	return before
}

func pairKey(previous, token int32) uint64 {
	return uint64(uint32(previous))<<32 | uint64(uint32(token))
}

// observe stores up to three candidates of probability 0.05 or more after the
// token at a place. Leave out places of a fixed template.
func (c *calibration) observe(place int, candidates []Candidate) {
	if place < 0 || place >= len(c.observed) {
		return
	}
	var s successors
	kept := 0
	for _, candidate := range candidates {
		if kept < keptSuccessors && candidate.Probability >= leastProbability {
			s.tokens[kept] = candidate.Token
			s.probabilities[kept] = uint16(min(candidate.Probability, 1) * 65535)
			kept++
		}
	}
	c.observed[place] = s
}

// growth is a calibrated node to be added or expanded.
type growth struct {
	parent      int32
	token       int32
	place       int32 // its successors follow
	probability float32
	depth       int
}

// search returns a tree of the model's successors of previous and root, with
// path probabilities. It begins at the observed places of that pair or else of
// root; a successor continues at its nearest later occurrence. Search is best
// first, to depth 6 and 24 nodes.
func (c *calibration) search(previous, root int32) (Tree, []float32) {
	tree, probabilities := NewTree(root), []float32{1}
	var waiting []growth
	places := c.keyed(previous, root)
	for _, place := range places {
		waiting = c.successorsOf(waiting, growth{place: place, probability: 1 / float32(len(places))})
	}
	for len(waiting) > 0 && tree.Len() <= calibrationNodes {
		best := 0
		for i := range waiting {
			if waiting[i].probability > waiting[best].probability {
				best = i
			}
		}
		g := waiting[best]
		waiting = append(waiting[:best], waiting[best+1:]...)
		node := tree.Add(g.parent, g.token)
		if int(node) < len(probabilities) {
			probabilities[node] += g.probability // the same from another place
			continue
		}
		probabilities = append(probabilities, g.probability)
		if g.depth < calibrationDepth && g.place >= 0 {
			waiting = c.successorsOf(waiting, growth{parent: node, place: g.place, probability: g.probability, depth: g.depth})
		}
	}
	return tree, probabilities
}

func (c *calibration) successorsOf(waiting []growth, of growth) []growth {
	s := &c.observed[of.place]
	for i, p := range s.probabilities {
		if p == 0 {
			break
		}
		waiting = append(waiting, growth{
			parent: of.parent, token: s.tokens[i], place: c.occurrence(s.tokens[i], of.place),
			probability: of.probability * float32(p) / 65535, depth: of.depth + 1,
		})
	}
	return waiting
}

// keyed returns the last observed places of the pair, or else of the token.
func (c *calibration) keyed(previous, token int32) []int32 {
	places := c.observedPlaces(lookUp(c.lastPair, pairKey(previous, token)), c.samePair)
	if len(places) == 0 {
		places = c.observedPlaces(lookUp(c.lastToken, token), c.sameToken)
	}
	return places
}

func (c *calibration) observedPlaces(at int32, same []int32) []int32 {
	var places []int32
	for steps := 0; at >= 0 && steps < placeSteps && len(places) < keyPlaces; steps++ {
		if c.observed[at].probabilities[0] > 0 {
			places = append(places, at)
		}
		at = same[at]
	}
	return places
}

// occurrence returns the nearest place of token after a place, else before it,
// else -1.
func (c *calibration) occurrence(token, place int32) int32 {
	found := int32(-1)
	at := lookUp(c.lastToken, token)
	for steps := 0; at >= 0 && steps < placeSteps; steps++ {
		if at <= place && found >= 0 {
			break
		}
		found = at
		if at <= place {
			break
		}
		at = c.sameToken[at]
	}
	return found
}

func lookUp[K comparable](last map[K]int32, key K) int32 {
	if at, ok := last[key]; ok {
		return at
	}
	return -1
}
