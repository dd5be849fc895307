package tokenizer

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"dowse/models/tokenizer/internal/split"
)

// pipeline is what happens to a text on its way into a BPE or Unigram model:
// normalisation, then the shape that the model wants, then the cut into pieces.
type pipeline struct {
	Model     modelKind        `json:"model"`
	Normalize []step           `json:"normalize,omitempty"`
	Shape     *shape           `json:"shape,omitempty"`
	Digits    bool             `json:"digits,omitempty"`  // every numeral is a piece of its own
	Pattern   split.Pattern    `json:"pattern,omitempty"` // of byte-level models
	Spaces    spaceCut         `json:"spaces,omitempty"`  // of the others
	BPE       *bpeSettings     `json:"bpe,omitempty"`
	Unigram   *unigramSettings `json:"unigram,omitempty"`
}

// modelKind is the algorithm of a model that is not WordPiece.
type modelKind string

const (
	modelBPE     modelKind = "bpe"
	modelUnigram modelKind = "unigram"
)

// spaceMark stands for a space in the vocabularies of SentencePiece models.
const spaceMark = "▁"

// shape turns spaces into the form in which the vocabulary writes them.
type shape struct {
	Kind   shapeKind   `json:"kind"`
	Mark   string      `json:"mark"`             // what a space becomes
	Prefix prefixWhere `json:"prefix,omitempty"` // where a mark is put before the text
}

type shapeKind string

const (
	shapeSpaces shapeKind = "spaces" // each space becomes a mark
	shapeWords  shapeKind = "words"  // a mark before each word, other white space is dropped
)

type prefixWhere string

const (
	prefixNever  prefixWhere = ""
	prefixFirst  prefixWhere = "first"  // at the start of the text
	prefixAlways prefixWhere = "always" // also after each added token
)

// spaceCut says at which space marks text is cut.
type spaceCut string

const (
	cutNowhere spaceCut = ""
	cutMarks   spaceCut = "marks" // before each
	// Before each run of marks. The reference does not cut there; it is chosen
	// where no token of the vocabulary reaches across, so that ids are the same
	// and words can be looked up in a cache.
	cutRuns spaceCut = "runs"
)

// check verifies what cannot be seen from the JSON types alone.
func (p *pipeline) check() error {
	switch {
	case p.Model == modelBPE && p.BPE != nil, p.Model == modelUnigram && p.Unigram != nil:
	default:
		return fmt.Errorf("model %q is unknown", p.Model)
	}
	for _, s := range p.Normalize {
		if err := s.check(); err != nil {
			return err
		}
	}
	if s := p.Shape; s != nil && (s.Mark == "" || s.Kind != shapeSpaces && s.Kind != shapeWords) {
		return errors.New("the shape of the text is unknown")
	}
	return nil
}

// prefixes reports whether a mark that was not in the text stands before it.
func (p *pipeline) prefixes() bool {
	if p.Shape != nil && (p.Shape.Prefix != prefixNever || p.Shape.Kind == shapeWords) {
		return true
	}
	for _, s := range p.Normalize {
		if s.Kind == stepPrepend && s.To == spaceMark {
			return true
		}
	}
	return false
}

// apply brings text into the shape; first says whether it starts a text.
func (s *shape) apply(text aligned, first bool) aligned {
	w := newRewrite(text)
	if s.Kind == shapeWords {
		s.words(w, text.text)
		return w.done()
	}
	prefix := s.Prefix == prefixAlways || s.Prefix == prefixFirst && first
	if prefix && text.text != "" && text.text[0] != ' ' && !strings.HasPrefix(text.text, s.Mark) {
		w.Put(s.Mark, 0, 0)
	}
	w.replaceAll(" ", s.Mark)
	return w.done()
}

// words writes each word with a mark before it.
func (s *shape) words(w *rewrite, text string) {
	for at := 0; at < len(text); {
		r, width := utf8.DecodeRuneInString(text[at:])
		if isSpace(r) {
			at += width
			continue
		}
		end := strings.IndexFunc(text[at:], isSpace)
		if end < 0 {
			end = len(text) - at
		}
		if !strings.HasPrefix(text[at:], s.Mark) {
			w.Put(s.Mark, at, at)
		}
		w.Keep(at, at+end)
		at += end
	}
}

// stretch returns the length of the first part of text that is cut into pieces
// by itself.
func (p *pipeline) stretch(text string) int {
	if p.Digits {
		return split.Digit(text)
	}
	return len(text)
}

// next returns the length of the first piece of a stretch.
func (p *pipeline) next(stretch string) int {
	if p.Spaces != cutNowhere {
		return p.Spaces.next(stretch)
	}
	return p.Pattern.Next(stretch)
}

func (c spaceCut) next(text string) int {
	at := 0
	for strings.HasPrefix(text[at:], spaceMark) {
		at += len(spaceMark)
		if c == cutMarks {
			break
		}
	}
	if at == len(text) {
		return at
	}
	if n := strings.Index(text[at:], spaceMark); n >= 0 {
		return at + n
	}
	return len(text)
}
