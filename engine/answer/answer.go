package answer

import "dowse/engine"

// Passage is a stretch of a file that may answer a question.
type Passage struct {
	Number    int    // how it is cited; from 1, distinct
	Path      string // absolute
	Heading   string // headings above it, outermost first
	Columns   string // the row that names the columns of the table within which Text begins; "" of none
	Text      string // valid UTF-8, not yet safe for a terminal
	LineStart int    // of Text in the file, from 1; 0 where unknown
	LineEnd   int    // inclusive
	Where     engine.Where
	Places    []engine.LocatorMark // that begin within Text
	Score     float64              // of retrieval; comparable within one result only
}

// Answer is what is said in reply to a question, and on what grounds.
type Answer struct {
	// Text is what is shown: sentences, each with its [n]. It holds no control
	// characters other than line ends and tabs. When Declined it says so.
	Text      string
	Sentences []Sentence
	Citations []Citation // what Sentences rest on, by first mention
	// Short is the answer in a few words of a passage, nil where the question
	// does not ask for such, or none stands out.
	Short *Citation
	// Confidence is how sure it is; "" of one that grows.
	Confidence Confidence
	// Declined says that the passages do not hold an answer: None, once it is
	// complete.
	Declined bool
	// Support is how likely it is that the passages answer the question, from
	// 0 to 1. Only an Extractor sets it.
	Support float64
}

// nearestFrom is the least Support at which a quotation that does not seem to answer is
// worth a look. Of 704 held-out questions about notes, what is quoted held the evidence
// in 6 of 42 where the support was .20 to .25, and in 12 of 50 where it was .25 to .30.
const nearestFrom = 0.25

// Near reports whether a quotation is worth a look although it does not seem to answer.
func (a Answer) Near() bool { return a.Text != "" && a.Support >= nearestFrom }

// OrDeclined is the answer, or that the passages hold none where its confidence is
// None.
func (a Answer) OrDeclined() Answer {
	if a.Confidence != None {
		return a
	}
	return Answer{Text: DeclinedText, Confidence: None, Declined: true, Support: a.Support}
}

// Declined says that the passages do not hold an answer.
func Declined() Answer { return Answer{Confidence: None}.OrDeclined() }

// Confidence is how sure an answer is.
type Confidence = engine.Confidence

// The confidences of an answer: Perhaps is the nearest that the passages have, or a
// text with pieces that they do not hold; None that they hold no answer.
const (
	Sure    = engine.Sure
	Perhaps = engine.Perhaps
	None    = engine.None
)

// What answers are made of, in engine's words.
type (
	// Range is a half-open range of bytes.
	Range = engine.Range
	// Sentence is a sentence of Answer.Text.
	Sentence = engine.AnswerSentence
	// Citation is a place in a passage. Its Text is what stands there, without
	// Markdown's marks, on one line unless it is code.
	Citation = engine.AnswerCitation
	// Issue is a piece of an answer that no passage supports, as a Checker finds it.
	Issue = engine.Unsupported
)

// DeclinedText is the answer to a question that the files do not answer, in the
// words that models are trained to use. People may be shown others.
const DeclinedText = "Not in your files."
