package answer

import "dowse/engine"

// Passage is a stretch of a file that may answer a question.
type Passage struct {
	Number    int     // how it is cited; from 1, distinct
	Path      string  // absolute
	Heading   string  // headings above it, outermost first
	Text      string  // valid UTF-8, not yet safe for a terminal
	LineStart int     // of Text in the file, from 1; 0 where unknown
	LineEnd   int     // inclusive
	Score     float64 // of retrieval; comparable within one result only
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

// Sentence is a sentence of Answer.Text.
type Sentence struct {
	Range             // in Answer.Text, citations included
	Citations []int   // numbers of passages, in order
	Issues    []Issue // found by a Checker
}

// Citation is a place in a passage.
type Citation struct {
	Number    int
	Path      string
	Heading   string
	LineStart int    // of the place, not of the whole passage; 0 where unknown
	LineEnd   int    // inclusive
	Range            // of bytes in Passage.Text
	Text      string // what stands there, without Markdown's marks, on one line unless it is code
}

// Range is a half-open range of bytes.
type Range struct {
	Start int
	End   int
}

// DeclinedText is the answer to a question that the files do not answer, in the
// words that models are trained to use. People may be shown others.
const DeclinedText = "Not in your files."

// Issue is a piece of an answer that no passage supports.
type Issue struct {
	Range // in Answer.Text
	Kind  IssueKind
	// Elsewhere is the number of a passage that does hold the piece though the
	// sentence does not cite it; 0 where none does.
	Elsewhere int
}

// IssueKind is what is wrong with a piece of an answer.
type IssueKind string

// The kinds of issues.
const (
	UnknownCitation   IssueKind = "citation"  // of a passage that was not given
	UnsupportedNumber IssueKind = "number"    // that the cited passages lack
	UnsupportedName   IssueKind = "name"      // that they lack
	UnsupportedQuote  IssueKind = "quotation" // that they do not hold word for word
	Uncited           IssueKind = "uncited"   // a sentence without a citation
)
