package engine

import "fmt"

// Confidence is how sure an answer is.
type Confidence string

// The confidences of an answer.
const (
	Sure Confidence = "sure"
	// Perhaps marks the nearest that the passages have. It also marks a model's text
	// with a piece that the passages do not hold.
	Perhaps Confidence = "perhaps"
	None    Confidence = "none" // the passages do not hold an answer
)

// DeclinedText is what a person reads where nothing relevant was found, UnansweredText
// where something is quoted that does not seem to answer, and NearText where passages are
// near the question and nothing of them is quoted.
const (
	DeclinedText   = "Nothing found in your files that answers this."
	UnansweredText = "Your files do not seem to answer this."
)

// NearText names the best of passages that are near the question, by its Rank.
func NearText(rank int) string {
	return fmt.Sprintf("Your files come near this, but may not answer it; the nearest passage is [%d].", rank)
}

// WrittenFrom stands between a quotation and what a model wrote, without the mark at its
// end.
const WrittenFrom = "In a model's words"

// Nearest reports whether the answer is declined above a Quotation of the nearest that
// the passages say.
func (a *Answer) Nearest() bool { return a.Declined && a.Quotation != nil }

// Caveat is what a person reads beside an uncertain answer, without the mark at
// its end; "" beside others. Beside what is quoted it stands above, ending in a
// colon; a text that a model wrote may have been read by then, and it stands below.
func (a *Answer) Caveat() string {
	switch {
	case a.Text == "" || a.Declined: // which says so itself
		return ""
	case a.Quotation != nil && a.Quotation.Confidence == a.Confidence: // said there
		return ""
	case a.Confidence == None:
		return "The nearest that they say"
	case a.Confidence != Perhaps:
		return ""
	case a.Quoted():
		return "Perhaps; this is the nearest that your files say"
	}
	return "Perhaps; your files do not say all of this"
}

// Quoted reports whether the answer is in the words of the passages.
func (a *Answer) Quoted() bool { return a.How == Extracted }
