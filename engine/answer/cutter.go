package answer

import (
	"math"
	"slices"
)

type cutter struct {
	counter  TokenCounter
	asked    map[string]bool // content words of the question
	passages []Passage
}

// fit makes blocks of the first n passages in so many tokens; nil when the room
// is short.
func (c *cutter) fit(n, tokens int) []passageBlock {
	sizes := make([]int, n)
	for i := range n {
		p := &c.passages[i]
		sizes[i] = c.counter.CountTokens(wrap(p, p.Text))
	}
	limit := share(sizes, tokens)
	if n > 1 && limit < leastTokens {
		return nil
	}
	var blocks []passageBlock
	for i := range n {
		p := &c.passages[i]
		text := wrap(p, p.Text)
		if sizes[i] > limit {
			if text = c.cut(p, limit); text == "" {
				continue
			}
		}
		blocks = append(blocks, passageBlock{p.Number, text})
	}
	return blocks
}

// share is the greatest size of each of several so that they fit in total;
// smaller ones leave their room to others.
func share(sizes []int, total int) int {
	order := slices.Sorted(slices.Values(sizes))
	for i, size := range order {
		if each := total / (len(order) - i); size > each {
			return each
		}
		total -= size
	}
	if len(order) == 0 {
		return total
	}
	return order[len(order)-1]
}

// cut renders as many sentences of a passage as fit around the best one; ""
// where not even that fits.
func (c *cutter) cut(p *Passage, tokens int) string {
	pieces := Split(p.Text)
	best := c.best(p, pieces)
	if best < 0 {
		return ""
	}
	fits := func(from, to int) string {
		text := p.Text[pieces[from].Start:pieces[to-1].End]
		if from > 0 {
			text = "… " + text
		}
		if to < len(pieces) {
			text += " …"
		}
		if text = wrap(p, text); c.counter.CountTokens(text) > tokens {
			return ""
		}
		return text
	}
	from, to := best, best+1
	text := fits(from, to)
	for grown := text != ""; grown; {
		grown = false
		if to < len(pieces) {
			if next := fits(from, to+1); next != "" {
				text, to, grown = next, to+1, true
			}
		}
		if from > 0 {
			if next := fits(from-1, to); next != "" {
				text, from, grown = next, from-1, true
			}
		}
	}
	return text
}

// markWeight is the worth of a logit of evidence, in words of the question. Of
// 182 questions about notes outside the reader's training, five windows of 120
// tokens hold the answer of 103 so, of 102 and 100 with weights of 1 and 4, and
// of 95 without the reader; the whole passages hold that of 114.
const markWeight = 0.5

// unreadLogit is that of a piece behind what the reader takes at once.
const unreadLogit = -10

// best is the piece that the reader's marks and the question's words point at,
// alone and with its neighbours; -1 where all are headings.
func (c *cutter) best(p *Passage, pieces []Piece) int {
	held := func(from, to int) float64 {
		return float64(heldWords(c.asked, p.Text[pieces[max(from, 0)].Start:pieces[min(to, len(pieces)-1)].End]))
	}
	best, most := -1, math.Inf(-1)
	for i := range pieces {
		if pieces[i].Kind == Heading {
			continue
		}
		score := held(i, i) + held(i-1, i+1)
		if p.Marks != nil {
			logit, read := p.Marks.evidence(pieces[i].Range)
			if !read {
				logit = unreadLogit
			}
			score += markWeight * logit
		}
		if score > most {
			best, most = i, score
		}
	}
	return best
}
