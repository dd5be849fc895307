package answer

import "dowse/engine"

// Passage is a stretch of a file that may answer a question.
type Passage struct {
	Number    int    // for citing it; from 1, distinct
	Path      string // absolute
	Heading   string // headings above it, outermost first
	Columns   string // the row that names the columns of the table in which Text begins; "" outside
	Text      string // valid UTF-8, not sanitized for terminals
	LineStart int    // of Text in the file, from 1; 0: unknown
	LineEnd   int    // inclusive
	Where     engine.Where
	Places    []engine.LocatorMark // those that begin within Text
	Score     float64              // of retrieval; comparable within one result
	Marks     *PassageMarks        // of a Reader; nil: not read
}

// Answer is the reply to a question with its grounds.
type Answer struct {
	// Text is shown: sentences, each with its [n], without control characters
	// but line ends and tabs. When Declined it says so.
	Text      string
	Sentences []Sentence
	Citations []Citation // cited by Sentences, by first mention
	// Short is the answer in a few words of a passage; nil where the question
	// does not ask for such or no words stand out.
	Short *Citation
	// "" while it grows
	Confidence Confidence
	// Declined says that the passages hold no answer: None, once complete.
	Declined bool
	// Support is the probability, 0 to 1, that the passages answer the
	// question. Only an Extractor sets it.
	Support float64
}

// Confidence is how sure an answer is.
type Confidence = engine.Confidence

// The confidences: Perhaps is the nearest passage, or a text with unsupported
// pieces; None declines.
const (
	Sure    = engine.Sure
	Perhaps = engine.Perhaps
	None    = engine.None
)

// Parts of answers, shared with package engine.
type (
	// Range is a half-open range of bytes.
	Range = engine.Range
	// Sentence is a sentence of Answer.Text.
	Sentence = engine.AnswerSentence
	// Citation is a place in a passage. Its Text is without Markdown's marks,
	// on one line unless it is code.
	Citation = engine.AnswerCitation
	// Issue is a piece of an answer that no passage supports, found by a
	// Checker.
	Issue = engine.Unsupported
)
