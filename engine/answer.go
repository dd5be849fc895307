package engine

import (
	"context"
	"strings"
)

// Answerer answers questions from passages.
type Answerer interface {
	// Answer answers one question. It returns soon after ctx has ended, with
	// ctx.Err(). Any other error leaves the person with the passages.
	Answer(ctx context.Context, job AnswerJob) (*Answer, error)
}

// AnswerJob is what an Answerer is asked.
type AnswerJob struct {
	Question string // the query without filters, negations and quotes
	// Follows are the earlier questions of the conversation that say what Question leaves
	// unsaid, the first one first; nil where it stands alone.
	Follows []string
	// Files are those that answered these, by their absolute paths: what follows is mostly
	// about the same ones.
	Files    []string
	Passages []Passage // best first, at least one; an answer cites them by their Rank
	// Conversation is the ID of the conversation that the question is asked in; ""
	// outside of one. Earlier are its turns so far, the first one first.
	Conversation string
	Earlier      []Turn
	// Observe, when not nil, is told of the answer as it grows, from the
	// goroutine that called Answer. What it is given is not changed afterwards.
	Observe func(Answer)
}

// InFull is the question with those that it follows behind it, as language models that
// write are asked it.
func (j *AnswerJob) InFull() string {
	if len(j.Follows) == 0 {
		return j.Question
	}
	return strings.TrimSuffix(j.Question, "?") + " " + strings.TrimRight(strings.Join(j.Follows, " "), "?") + "?"
}

// AnswerPassages is how many passages an answer is made from: as many as when
// it was measured what declines an answer. Chunks have 250 tokens at most, so
// that five fit a context of 2,048 tokens beside instructions and answer.
const AnswerPassages = 5

// Answer is what is said in reply to a question, and on what grounds.
type Answer struct {
	// Text is sentences, each with the numbers of its passages as [1] or
	// [1, 2]: number n is the passage of Rank n. Valid UTF-8, but not yet safe
	// for a terminal. Of one that grows it is all of the text so far.
	Text      string           `json:"text"`
	Citations []AnswerCitation `json:"citations"` // by first mention, never nil
	// Confidence is how sure it is; "" of an answer that grows, and where a Problem
	// stands in the place of one.
	Confidence Confidence `json:"confidence"`
	// Declined says that the passages do not hold an answer, which is None; Text says
	// so too.
	Declined bool `json:"declined"`
	// Quotation is the answer in the words of the passages, beside which a model wrote
	// Text, from it or from the passages; Text is "" before its first word. It is nil where Text is quoted itself. Of a
	// declined answer it is the nearest that the passages say, whose Confidence is None,
	// and Citations are its places.
	Quotation *Answer `json:"quotation,omitempty"`
	// Short is the answer in a few words of Text, where the question asks for
	// such; Highlights are where Text has them.
	Short      string           `json:"short,omitempty"`
	Highlights []Range          `json:"highlights,omitempty"`
	Sentences  []AnswerSentence `json:"sentences,omitempty"`
	How        string           `json:"how"` // Extracted, or the name of the model that wrote it
	Millis     float64          `json:"ms"`
	// Problem says why there is no answer; or, beside one, why it was extracted
	// where a model was to write it, or what it was made without.
	Problem string `json:"problem,omitempty"`
	// Note says, beside an answer, what a person should know of how it was made, such
	// as that the oldest turns of a conversation did not fit any more.
	Note string `json:"note,omitempty"`
	// Reading is what the model still reads, of an answer that grows and has no Text yet;
	// nil in all others, and where it is not known.
	Reading *Reading `json:"reading,omitempty"`
	// Generation is what the model that wrote it did, of an answer that grows so
	// far; nil where none did, or where that is not known.
	Generation *Generation `json:"generation,omitempty"`
	// Drafted are the parts of Text that were guessed before the model agreed,
	// ascending and disjoint.
	Drafted []Range `json:"drafted,omitempty"`
	// Sent says what left this process to be answered elsewhere; nil where
	// nothing did.
	Sent *Sent `json:"sent,omitempty"`
}

// Sent is what was given to a server that writes answers. It is told, by an
// answer that has no Text yet, before anything is sent.
type Sent struct {
	To       string `json:"to"`    // the server's address: scheme, host and port
	Model    string `json:"model"` // that was asked for
	Passages int    `json:"passages"`
	Bytes    int    `json:"bytes"` // of the question, the passages and what stands around them
	// Remote says that the server is not on this machine, Plain that what is
	// sent there is not encrypted.
	Remote bool `json:"remote"`
	Plain  bool `json:"plain"`
}

// Extracted is the How of an answer that was chosen from the passages, word
// for word, without a language model.
const Extracted = "extract"

// AnswerCitation is a place that an answer rests on.
type AnswerCitation struct {
	N         int    `json:"n"` // the passage's Rank
	Path      string `json:"path"`
	LineStart int    `json:"line_start"` // of the place, not of the whole passage
	LineEnd   int    `json:"line_end"`   // inclusive
	Where
	Text string `json:"text,omitempty"`
}

// AnswerSentence is a sentence of an answer's Text.
type AnswerSentence struct {
	Range       `json:"range"` // of bytes in Text, citations included
	Citations   []int          `json:"citations,omitempty"`
	Unsupported []Unsupported  `json:"unsupported,omitempty"` // ascending
}

// Unsupported is a piece of an answer that the passages cited for it do not
// hold.
type Unsupported struct {
	Range `json:"range"` // of bytes in Text
	Kind  string         `json:"kind"` // UnsupportedNumber and so on
	// Elsewhere is the Rank of a passage that does hold it; 0 where none does.
	Elsewhere int `json:"elsewhere,omitempty"`
}

// The kinds of pieces of an answer that are unsupported.
const (
	UnknownCitation   = "citation"  // of a passage that was not given
	UnsupportedNumber = "number"    // that the cited passages lack
	UnsupportedName   = "name"      // that they lack
	UnsupportedQuote  = "quotation" // that they do not hold word for word
	Uncited           = "uncited"   // a sentence without a citation
)
