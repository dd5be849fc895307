package answer

import "dowse/engine"

// Grounds are what speaks for an answer that a language model wrote after
// reading passages.
type Grounds struct {
	// Held and Agreement are the shares of the answer's words and numbers, less
	// the question's, that the passages and the quotation hold; 0 without any.
	Held, Agreement float64
	Support         float64 // of the quotation
}

// Grounds compares a text with the passages and what was quoted of them.
func (c *Checker) Grounds(said, quoted Answer) Grounds {
	asked, held, agreed, all := contentWords(c.asked), map[string]bool{}, contentWords(quoted.Text), 0.0
	for i := range c.passages {
		for w := range contentWords(c.passages[i].Heading + "\n" + c.passages[i].Text) {
			held[w] = true
		}
	}
	g := Grounds{Support: quoted.Support}
	for w := range contentWords(Renumber(said.Text, nil)) {
		if asked[w] {
			continue
		}
		all++
		if held[w] {
			g.Held++
		}
		if agreed[w] {
			g.Agreement++
		}
	}
	g.Held, g.Agreement = g.Held/max(1, all), g.Agreement/max(1, all)
	return g
}

// Judge is a logistic regression for the probability that what a model wrote is
// right, fitted for the model to questions outside the reader's training.
type Judge struct {
	// Bias, Held, Agreement and Support weigh: 1; the Grounds, of Support its
	// log odds.
	Bias, Held, Agreement, Support float64
	// SureFrom and PerhapsFrom are the least probabilities of a sure and of a
	// nearest answer.
	SureFrom, PerhapsFrom float64
}

// Probability is that of a right answer.
func (j *Judge) Probability(g Grounds) float64 {
	return logistic(j.Bias + j.Held*g.Held + j.Agreement*g.Agreement + j.Support*logit(g.Support))
}

// Grade is the confidence in an answer of some probability.
func (j *Judge) Grade(p float64) Confidence { return confidenceAt(p, j.SureFrom, j.PerhapsFrom) }

// Decide returns what a model wrote, with the quotation beside it, or the
// quotation alone where the model declines or the quotation is likelier right.
// A text with unsupported pieces is at most Perhaps.
func (j *Judge) Decide(quoted, said Answer, g Grounds, by string) *engine.Answer {
	p := j.Probability(g)
	said.Support, said.Short = p, quoted.Short
	said.Confidence = min(j.Grade(p), said.Confidence) // their names sort as they do
	if said.Declined || said.Confidence == None || p < quoted.Support {
		return ShownQuoted(quoted)
	}
	written := Shown(said, by)
	if len(written.Highlights) == 0 {
		written.Short = ""
	}
	if quoted.Text != "" {
		written.Quotation = Shown(quoted, engine.Extracted)
	}
	return written
}

// JudgeOf is the Judge of a model that has none of its own, by the weights of
// its layers; 0: unknown, as a server's.
func JudgeOf(weights int64) Judge {
	if weights == 0 || weights >= largeModel {
		return largeJudge
	}
	return smallJudge
}

// largeModel is the least weights in the layers of a model that is judged as
// Qwen2.5-Coder-1.5B (1.31 billion) is, and not as its 0.5B (0.36 billion).
const largeModel = 800_000_000

// The judges of these two, fitted by TestFitJudge to questions about notes.
var (
	largeJudge = Judge{Bias: -3, Held: 1, Agreement: 2.5, Support: 0.6, SureFrom: 0.7, PerhapsFrom: 0.35}
	smallJudge = Judge{Bias: -3.4, Held: 1, Agreement: 2.5, Support: 0.6, SureFrom: 0.7, PerhapsFrom: 0.35}
)

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
