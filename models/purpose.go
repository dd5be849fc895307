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

// Purpose says what a model is for, and how it is asked. With an adapter it
// lies as dowse.json, which says what that was trained for:
//
//	{"role": "answerer", "prompt": "passages", "decline_from": 0.89, "confidence": {"bias": -1, "support": 0.7, "assent": 0.4, "sure_from": 0.8, "perhaps_from": 0.5}}
//	{"role": "reranker", "prompt": "plain", "prior": 20, "max_tokens": 256}
//	{"role": "reader", "max_tokens": 384, "confidence": {"bias": -2, "margin": 0.6, "shared": 2, "brief": -1.7, "words": 0.8, "sure_from": 0.8, "perhaps_from": 0.6}}
type Purpose struct {
	Role   Role   `json:"role"`             // Reranker or Answerer of a decoder, Reader of an encoder of pairs
	Prompt Prompt `json:"prompt,omitempty"` // of a decoder

	// Of an answerer. It declines from a probability DeclineFrom of the first
	// token of "Not in your files."; 0 leaves it to the model's own words.
	// ShortFirst says that its answers begin with the answer in short. Passages
	// and PassageTokens bound what it is given, 0 by its window alone.
	DeclineFrom   float64 `json:"decline_from,omitempty"`
	ShortFirst    bool    `json:"short_first,omitempty"`
	Passages      int     `json:"passages,omitempty"`
	PassageTokens int     `json:"passage_tokens,omitempty"`

	// Of a reranker: what a difference of 1 in the score that a passage has before
	// is worth, in its own scores; 0 where nobody measured it.
	Prior float64 `json:"prior,omitempty"`
	// RelevantFrom is where the relevant begins, 0 where nobody measured it: its own
	// score with a quarter of the prior for each unit of closeness; see Entry.
	RelevantFrom float64 `json:"relevant_from,omitempty"`
	// MaxTokens is the most tokens of a pair that a reranker or a reader was trained
	// on, 0 where nobody says. Longer ones are cut.
	MaxTokens int `json:"max_tokens,omitempty"`

	// Confidence of a reader says how likely its answers are right, and that of an
	// answerer how likely they are once it has read them.
	Confidence Confidence `json:"confidence,omitzero"`
	// FollowUps is the same for questions that go on with earlier ones; zero where they
	// are as others.
	FollowUps Confidence `json:"follow_ups,omitzero"`

	AdapterSum string `json:"adapter_sha256,omitempty"` // of the adapter's weights, in hex
}

// purposeFile is a Purpose in the folder of an adapter.
const purposeFile = "dowse.json"

// Prompt names a way to ask a decoder: that of an answerer, or one of package prompt,
// which are those of rerankers.
type Prompt string

// The prompts that are more than a row of a table.
const (
	NoPrompt       Prompt = ""
	PlainPrompt    Prompt = prompt.Plain // query and passage, for an adapter with a head
	PassagesPrompt Prompt = "passages"   // a question below numbered passages: that of all answerers
)

// role returns what a decoder is for that is asked so.
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

// publishedPrompts lists the prompts that models without an adapter are trained on, as
// they are chosen.
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

// usualPrompt returns what a decoder published under a name is trained on. The files
// of these models do not tell them from others of their family, only the name
// does.
func usualPrompt(name string) Prompt {
	name = strings.ToLower(name)
	way := prompt.Find(func(w *prompt.Way) bool { return w.Published != "" && strings.Contains(name, w.Published) })
	if way == nil {
		return NoPrompt
	}
	return Prompt(way.Name)
}

// asked returns the purpose of a decoder of which no more is known than how it is
// asked.
func asked(p Prompt) Purpose { return Purpose{Role: p.role(), Prompt: p} }

// check refuses what cannot be.
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
	case p.Role == Answerer && p.Confidence.ofAnswerer() && p.DeclineFrom == 0:
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
	maxPrior  = 1_000_000 // more than scores of any model are apart, or away from 0
	leastPair = 32        // tokens that a query and some of a passage need
)

// readPurpose reads what an adapter was trained for; nil if its folder does not
// say.
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

// parsePurpose reads dowse.json. What this version does not know is refused: an
// adapter that is used otherwise than it was trained to be answers wrong.
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

// String returns the purpose in a few words: how it is asked, and when it declines.
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
