package answer

import (
	"fmt"
	"maps"

	"dowse/engine"
)

// Grounds are what speaks for a quotation after a language model has read the
// passages.
type Grounds struct {
	// Agreement is the share of the model's words and numbers, less the
	// question's, that the quotation holds; 0 without any.
	Agreement float64
	// Asked is the share of the question's words that stand around the place
	// that the model's text rests on.
	Asked   float64
	Support float64 // of the quotation
}

// Grounds compares a text with what was quoted, and with the passages.
func (c *Checker) Grounds(said, quoted Answer) Grounds {
	asked, words := contentWords(c.asked), contentWords(Renumber(said.Text, nil))
	maps.DeleteFunc(words, func(w string, _ bool) bool { return asked[w] })
	return Grounds{
		Agreement: shareOf(words, contentWords(quoted.Text)), Asked: shareOf(asked, c.around(words)), Support: quoted.Support,
	}
}

// around are the words of the piece that holds most of some words, of the pieces
// beside it, and of what stands above.
func (c *Checker) around(words map[string]bool) (found map[string]bool) {
	most := 0.0
	for i := range c.passages {
		p := &c.passages[i]
		for j, piece := range p.pieces {
			from, to := p.pieces[max(0, j-1)].Start, p.pieces[min(j+1, len(p.pieces)-1)].End
			beside := contentWords(p.Path + "\n" + p.Heading + "\n" + p.Columns + "\n" + p.Text[from:to])
			if held := 2*shareOf(words, contentWords(p.Text[piece.Start:piece.End])) + shareOf(words, beside); held > most {
				most, found = held, beside
			}
		}
	}
	return found
}

// shareOf is the share of words that are held; 0 of none.
func shareOf(words, held map[string]bool) (n float64) {
	for w := range words {
		if held[w] {
			n++
		}
	}
	return n / max(1, float64(len(words)))
}

// Judge is a logistic regression for the probability that a quotation is right,
// fitted to questions outside the reader's training.
type Judge struct {
	// Bias, Agreement, Asked and Support weigh: 1; the Grounds, of Support its
	// log odds.
	Bias, Agreement, Asked, Support float64
	// SureFrom and PerhapsFrom are the least probabilities of a sure and of a
	// nearest answer.
	SureFrom, PerhapsFrom float64
	// WrittenFrom is the Agreement from which the text is the answer, and the
	// quotation stands beside it; 0: the text only judges the quotation.
	WrittenFrom float64
}

// UsualJudge is that of a model that has none of its own. It was fitted by
// TestFitJudge to 59 questions about notes outside all training, 35 with an
// answer, whose passages Qwen2.5-Coder-1.5B read; Support keeps the scale on which
// the reader's is a probability. Agreement tells right quotations apart .673 of
// the time, Asked .737 and Support .640; all three, cross-validated, .628: so few
// questions do not show a gain. The model's own text is right on 7 and the
// quotation on 21, so that a text is no answer.
var UsualJudge = Judge{Bias: -1.04, Agreement: 0.63, Asked: 1.35, Support: 1, SureFrom: 0.617, PerhapsFrom: 0.327}

// Probability is that of a right answer.
func (j *Judge) Probability(g Grounds) float64 {
	return logistic(j.Bias + j.Agreement*g.Agreement + j.Asked*g.Asked + j.Support*logit(g.Support))
}

// Grade is the confidence in an answer of some probability.
func (j *Judge) Grade(p float64) Confidence { return confidenceAt(p, j.SureFrom, j.PerhapsFrom) }

// Writes reports whether a text may be the answer.
func (j *Judge) Writes() bool { return j.WrittenFrom > 0 }

// Decide returns what a model wrote, with the quotation beside it, or the
// quotation alone where only that is an answer, or the text declines, says
// something else, or has a piece that no passage holds; as sure as the judge is.
func (j *Judge) Decide(quoted, said Answer, g Grounds, by string) *engine.Answer {
	quoted.Support = j.Probability(g)
	quoted.Confidence = j.Grade(quoted.Support)
	if said.Confidence != Sure || quoted.Confidence == None || !j.Writes() || g.Agreement < j.WrittenFrom {
		alone := ShownQuoted(quoted)
		if !said.Declined && len(said.Citations) == 0 {
			alone.Problem = fmt.Sprintf("the answer is quoted from the passages: %s wrote nothing that they say", by)
		}
		return alone
	}
	said.Support, said.Short, said.Confidence = quoted.Support, quoted.Short, quoted.Confidence
	written := Shown(said, by)
	if len(written.Highlights) == 0 {
		written.Short = ""
	}
	written.Quotation = Shown(quoted, engine.Extracted)
	return written
}

// leastLoop is the bytes that a phrase takes when said three times over, at
// least, to be a loop.
const leastLoop = 60

// Loops reports whether a text ends by saying a phrase for the third time: the
// model that writes it would go on so.
func Loops(text string) bool {
	for n := 1; 3*n <= len(text); n++ {
		said := max(3*n, leastLoop)
		if said <= len(text) && text[len(text)-said+n:] == text[len(text)-said:len(text)-n] {
			return true
		}
	}
	return false
}
