package answer

import (
	"slices"
	"strconv"
	"strings"

	"dowse/internal/pattern"
)

// mostAligned bounds the passages that a sentence cites.
const mostAligned = 3

// claimWeight is the worth of a held number, name or quote, in held words.
const claimWeight = 3

// openMark is a citation that has only begun.
var openMark = pattern.New(`\[[^\[\]\n]{0,20}$`)

// Align cites each sentence of a model's text by the passages that hold its
// words, numbers and names, in place of what the model cited. Until the text is
// final its last sentence has no citation. A sentence of which no passage holds
// a word gets none.
func (c *Checker) Align(text string, final bool) string {
	text = strings.TrimLeft(Renumber(withoutControls(text), nil), " \n")
	if !final {
		text = strings.TrimRight(openMark.ReplaceAllString(text, ""), " \n")
	}
	pieces := Split(text)
	if !final {
		pieces = pieces[:max(0, len(pieces)-1)]
	}
	var cited strings.Builder
	at := 0
	for _, p := range pieces {
		numbers := c.aligned(text, p)
		if p.Kind == Heading || len(numbers) == 0 {
			continue
		}
		end, gap := p.End, " "
		if p.Kind == Code {
			end, gap = fenceEnd(text, p.End), "\n"
		}
		cited.WriteString(text[at:end] + gap)
		at = end
		cited.WriteString("[" + strings.Join(numbers, ", ") + "]")
	}
	return cited.String() + text[at:]
}

// fenceEnd is the end of the line that closes a block of code, or of the block.
func fenceEnd(text string, end int) int {
	rest := strings.TrimLeft(text[end:], space)
	if !strings.HasPrefix(rest, "```") && !strings.HasPrefix(rest, "~~~") {
		return end
	}
	line, _, _ := strings.Cut(rest, "\n")
	return len(text) - len(rest) + len(line)
}

// aligned lists the passages that together hold most of a sentence: the one
// with most of it, and others for claims that it lacks.
func (c *Checker) aligned(text string, p Piece) (numbers []string) {
	left := c.claimed(text, p)
	terms := c.analyzer.Append(nil, text[p.Start:p.End])
	for len(numbers) < mostAligned && len(c.passages) > 0 {
		best, most := 0, 0
		for i := range c.passages {
			held := claimWeight * len(left.heldBy(&c.passages[i]))
			if len(numbers) == 0 {
				held += c.passages[i].holds(terms)
			}
			if held > most {
				best, most = i, held
			}
		}
		if most == 0 {
			break
		}
		numbers = append(numbers, strconv.Itoa(c.passages[best].Number))
		left = slices.DeleteFunc(left, c.passages[best].supports)
	}
	return numbers
}

type claimList []claim

// claimed are a sentence's claims that the question does not make itself.
func (c *Checker) claimed(text string, p Piece) claimList {
	return slices.DeleteFunc(claims(text, statement{Piece: p, body: p.Range}), c.question.supports)
}

// heldBy are the claims that a passage supports.
func (l claimList) heldBy(s *source) (held claimList) {
	for _, cl := range l {
		if s.supports(cl) {
			held = append(held, cl)
		}
	}
	return held
}

// holds counts the terms, each once, in the piece that has most of them.
func (s *source) holds(terms []string) (most int) {
	for _, piece := range s.terms {
		n := 0
		for i, t := range terms {
			if piece[t] && !slices.Contains(terms[:i], t) {
				n++
			}
		}
		most = max(most, n)
	}
	return most
}
