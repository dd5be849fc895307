package models

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"

	"dowse/models/internal/smallfile"
	"dowse/models/prompt"
)

// Purpose is a model's role and prompt. With an adapter it is dowse.json:
//
//	{"role": "answerer", "prompt": "passages", "decline_from": 0.89, "confidence": {"bias": -1, "support": 0.7, "assent": 0.4, "sure_from": 0.8, "perhaps_from": 0.5}}
//	{"role": "reranker", "prompt": "plain", "prior": 20, "max_tokens": 256}
//	{"role": "reader", "max_tokens": 384, "confidence": {"bias": -2, "margin": 0.6, "shared": 2, "brief": -1.7, "words": 0.8, "sure_from": 0.8, "perhaps_from": 0.6}}
type Purpose struct {
	Role   Role   `json:"role"`             // Reranker or Answerer for decoders, Reader for encoders of pairs
	Prompt Prompt `json:"prompt,omitempty"` // of a decoder

	// Of an answerer. It declines from probability DeclineFrom of the first
	// token of "Not in your files."; 0 leaves declining to its words.
	// ShortFirst: answers begin in short. Passages and PassageTokens bound its
	// input; 0: the window alone.
	DeclineFrom   float64 `json:"decline_from,omitempty"`
	ShortFirst    bool    `json:"short_first,omitempty"`
	Passages      int     `json:"passages,omitempty"`
	PassageTokens int     `json:"passage_tokens,omitempty"`

	// Of a reranker: the worth of a difference of 1 in a passage's earlier
	// score, in its own scores; 0: not measured.
	Prior float64 `json:"prior,omitempty"`
	// RelevantFrom is the line of relevance; see Entry.
	RelevantFrom float64 `json:"relevant_from,omitempty"`
	// MaxTokens is the longest pair in a reranker's or reader's training;
	// longer ones are cut. 0: unknown.
	MaxTokens int `json:"max_tokens,omitempty"`

	// Confidence grades a reader's answers, or those that an answerer has read.
	Confidence Confidence `json:"confidence,omitzero"`
	// FollowUps is the same for follow-ups; zero: as others.
	FollowUps Confidence `json:"follow_ups,omitzero"`

	AdapterSum string `json:"adapter_sha256,omitempty"` // of the adapter's weights, hex
}

const purposeFile = "dowse.json"

// Prompt names an answerer's prompt or a reranker's one in package prompt.
type Prompt string

// Prompts beside the table's.
const (
	NoPrompt       Prompt = ""
	PlainPrompt    Prompt = prompt.Plain // query and passage, for an adapter with a head
	PassagesPrompt Prompt = "passages"   // a question below numbered passages: all answerers'
)

// role returns the role of a decoder with this prompt.
func (p Prompt) role() Role {
	switch {
	case p == PassagesPrompt:
		return Answerer
	case prompt.Named(string(p)) != nil:
		return Reranker
	}
	return ""
}

// PromptNames lists the prompts for people: "qwen3, mxbai, plain or passages".
func PromptNames() string {
	var names []string
	for _, way := range prompt.Ways {
		names = append(names, way.Name)
	}
	return fmt.Sprintf("%s or %s", strings.Join(names, ", "), PassagesPrompt)
}

// publishedPrompts lists the prompts of published models, as a person chooses
// them.
func publishedPrompts() string {
	var names []string
	for _, way := range prompt.Ways {
		if way.Published != "" {
			names = append(names, "--prompt "+way.Name)
		}
	}
	return strings.Join(names, " or ")
}

// ParsePrompt finds a prompt by its name; "" is NoPrompt.
func ParsePrompt(name string) (Prompt, error) {
	if p := Prompt(name); p == NoPrompt || p.role() != "" {
		return p, nil
	}
	return NoPrompt, fmt.Errorf("there is no prompt %q; choose %s", name, PromptNames())
}

// usualPrompt returns the prompt of a decoder by its published name, since its
// files do not tell it from others of its family.
func usualPrompt(name string) Prompt {
	name = strings.ToLower(name)
	way := prompt.Find(func(w *prompt.Way) bool { return w.Published != "" && strings.Contains(name, w.Published) })
	if way == nil {
		return NoPrompt
	}
	return Prompt(way.Name)
}

// asked returns the purpose that a prompt alone implies.
func asked(p Prompt) Purpose { return Purpose{Role: p.role(), Prompt: p} }

func (p *Purpose) check() error {
	if _, err := ParsePrompt(string(p.Prompt)); err != nil {
		return err
	}
	writes := p.ShortFirst || p.Passages != 0 || p.PassageTokens != 0
	switch {
	case p.Role != Reranker && p.Role != Reader && p.Role != Answerer:
		return fmt.Errorf("the role %q is none for an adapter; want %s, %s or %s", p.Role, Reranker, Reader, Answerer)
	case p.Role == Reader && p.Prompt != NoPrompt:
		return errors.New("a reader has no prompt")
	case p.Role != Reader && p.Prompt.role() != p.Role:
		return fmt.Errorf("the prompt %q is none for %s", p.Prompt, p.Role.WithArticle())
	case !(p.DeclineFrom >= 0 && p.DeclineFrom <= 1):
		return fmt.Errorf("decline_from is %g; a probability is from 0 to 1", p.DeclineFrom)
	case p.Passages < 0 || p.PassageTokens < 0:
		return fmt.Errorf("passages %d and passage_tokens %d; want none below 0", p.Passages, p.PassageTokens)
	case !(p.Prior >= 0 && p.Prior <= maxPrior):
		return fmt.Errorf("prior is %g; want 0 to %d", p.Prior, maxPrior)
	case !(math.Abs(p.RelevantFrom) <= maxPrior):
		return fmt.Errorf("relevant_from is %g; want %d to %d", p.RelevantFrom, -maxPrior, maxPrior)
	case p.MaxTokens != 0 && p.MaxTokens < leastPair:
		return fmt.Errorf("max_tokens is %d; want %d at least", p.MaxTokens, leastPair)
	case p.Role != Answerer && p.DeclineFrom != 0:
		return errors.New("decline_from is for answerers")
	case p.Role != Answerer && writes:
		return errors.New("short_first, passages and passage_tokens are for answerers")
	case p.Role != Reranker && (p.Prior != 0 || p.RelevantFrom != 0):
		return errors.New("prior and relevant_from are for rerankers")
	case p.Role == Answerer && p.MaxTokens != 0:
		return errors.New("max_tokens is for rerankers and readers")
	case p.Role == Answerer && p.Confidence.OfReading() && p.DeclineFrom != 0:
		return errors.New("agreement, asked and written_from judge an answerer that reads the passages, which has no decline_from")
	case p.Role == Answerer && p.Confidence.ofAnswerer() && !p.Confidence.OfReading() && p.DeclineFrom == 0:
		return errors.New("confidence of an answerer wants decline_from: how it declines")
	}
	if err := p.Confidence.check(p.Role); err != nil {
		return fmt.Errorf("confidence: %w", err)
	}
	if err := p.FollowUps.check(p.Role); err != nil {
		return fmt.Errorf("follow_ups: %w", err)
	}
	return nil
}

const (
	maxPrior  = 1_000_000 // more than scores of any model differ
	leastPair = 32        // for a query and some of a passage
)

// readPurpose reads an adapter's purpose; nil if its folder has none.
func readPurpose(folder string) (*Purpose, error) {
	data, err := smallfile.Read(filepath.Join(folder, purposeFile), smallfile.Job)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return parsePurpose(data)
}

// parsePurpose reads dowse.json. It refuses unknown fields: an adapter used
// otherwise than trained answers wrong.
func parsePurpose(data []byte) (*Purpose, error) {
	p := &Purpose{}
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	err := decoder.Decode(p)
	if err == nil && decoder.More() {
		err = errors.New("more than one object")
	}
	if err == nil {
		err = p.check()
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", purposeFile, err)
	}
	return p, nil
}

// String describes prompt and threshold briefly.
func (p Purpose) String() string {
	var parts []string
	if p.Prompt != NoPrompt {
		parts = append(parts, "prompt "+string(p.Prompt))
	}
	if p.DeclineFrom > 0 {
		parts = append(parts, fmt.Sprintf("declines from %.3g", p.DeclineFrom))
	}
	if p.Prior > 0 {
		parts = append(parts, fmt.Sprintf("prior %.3g", p.Prior))
	}
	if p.Confidence != (Confidence{}) {
		parts = append(parts, fmt.Sprintf("sure from %.3g, perhaps from %.3g", p.Confidence.SureFrom, p.Confidence.PerhapsFrom))
	}
	if p.RelevantFrom != 0 {
		parts = append(parts, fmt.Sprintf("relevant from %.3g", p.RelevantFrom))
	}
	if p.MaxTokens > 0 {
		parts = append(parts, fmt.Sprintf("at most %d tokens", p.MaxTokens))
	}
	return strings.Join(parts, ", ")
}

// Confidence is a logistic regression for the probability that a reader's
// answer is right, or still is after an answerer has read it, fitted to
// questions outside their training.
type Confidence struct {
	// Of a reader: Bias, Margin, Shared, Brief and Words weigh 1, the logit of
	// evidence, the share of the question's words in the best piece, 1 over
	// their number, and the log of a piece's mean number of words.
	Bias   float64 `json:"bias"`
	Margin float64 `json:"margin,omitempty"`
	Shared float64 `json:"shared,omitempty"`
	Brief  float64 `json:"brief,omitempty"`
	Words  float64 `json:"words,omitempty"`
	// Of an answerer: beside Bias, the logit of the reader's support and the
	// log odds that the answerer does not decline.
	Support float64 `json:"support,omitempty"`
	Assent  float64 `json:"assent,omitempty"`
	// Of an answerer that reads the passages itself: beside Bias and Support,
	// the share of its words that the reader's quotation holds, and that of the
	// question's words around the place that its text rests on.
	Agreement float64 `json:"agreement,omitempty"`
	Asked     float64 `json:"asked,omitempty"`
	// SureFrom and PerhapsFrom are the least probabilities of a sure and of a
	// nearest answer.
	SureFrom    float64 `json:"sure_from"`
	PerhapsFrom float64 `json:"perhaps_from"`
	// WrittenFrom is the agreement from which the text is the answer; 0: the text
	// only judges the quotation.
	WrittenFrom float64 `json:"written_from,omitempty"`
}

// ofReader and ofAnswerer report weights that only the one has.
func (c *Confidence) ofReader() bool {
	return c.Margin != 0 || c.Shared != 0 || c.Brief != 0 || c.Words != 0
}

func (c *Confidence) ofAnswerer() bool { return c.Support != 0 || c.Assent != 0 || c.OfReading() }

// OfReading reports a weight that only an answerer has that reads the passages
// itself.
func (c *Confidence) OfReading() bool { return c.Agreement != 0 || c.Asked != 0 || c.WrittenFrom != 0 }

// mostWeight bounds the weights.
const mostWeight = 1000

// check validates for a role.
func (c *Confidence) check(role Role) error {
	switch {
	case role == Reranker && *c != (Confidence{}):
		return errors.New("it is for readers and answerers")
	case role == Reader && c.ofAnswerer():
		return errors.New("support, assent, agreement, asked and written_from are for answerers")
	case role == Answerer && c.ofReader():
		return errors.New("margin, shared, brief and words are for readers")
	}
	for _, w := range []float64{c.Bias, c.Margin, c.Shared, c.Brief, c.Words, c.Support, c.Assent, c.Agreement, c.Asked} {
		if !(math.Abs(w) <= mostWeight) {
			return errors.New("a weight is not within 1000 of 0")
		}
	}
	if !(c.WrittenFrom >= 0 && c.WrittenFrom <= 1) {
		return errors.New("want 0 <= written_from <= 1")
	}
	if !(c.PerhapsFrom >= 0 && c.PerhapsFrom <= c.SureFrom && c.SureFrom <= 1) {
		return errors.New("want 0 <= perhaps_from <= sure_from <= 1")
	}
	return nil
}
