package tokenizer

import (
	"fmt"
	"strings"
	"unicode"
)

// step is one step of normalisation.
type step struct {
	Kind stepKind `json:"kind"`
	From string   `json:"from,omitempty"`
	To   string   `json:"to,omitempty"`
}

type stepKind string

const (
	stepCompose  stepKind = "nfc"      // canonical composition
	stepCharsmap stepKind = "charsmap" // SentencePiece's compiled map
	stepPrepend  stepKind = "prepend"  // To before a text that is not empty
	stepReplace  stepKind = "replace"  // every From by To
	stepCollapse stepKind = "collapse" // two or more spaces by one To
	stepTrimLeft stepKind = "trim-left"
	stepTrim     stepKind = "trim-right"
)

func (s step) check() error {
	switch s.Kind {
	case stepCompose, stepCharsmap, stepPrepend, stepCollapse, stepTrimLeft, stepTrim:
		return nil
	case stepReplace:
		if s.From != "" {
			return nil
		}
	}
	return fmt.Errorf("normalisation step %q of %q is unknown", s.Kind, s.From)
}

// aligned is a text with the place in the original that each byte came from.
type aligned struct {
	text    string
	base    int    // text[i] is original[base+i], where sources is nil
	sources []Span // of each byte of text, when tracking
	track   bool
}

// source returns the place that text[start:end], which is not empty, came from.
func (a *aligned) source(start, end int) Span {
	if a.sources == nil {
		return Span{a.base + start, a.base + end}
	}
	return Span{a.sources[start].Start, a.sources[end-1].End}
}

// at returns the empty place before text[i]; where the bytes around it came from the
// same characters, it is these.
func (a *aligned) at(i int) Span {
	switch n := len(a.sources); {
	case n == 0:
		return Span{a.base + i, a.base + i}
	case i == n:
		return Span{a.sources[i-1].End, a.sources[i-1].End}
	case i > 0 && a.sources[i-1].End > a.sources[i].Start:
		return a.sources[i]
	}
	return Span{a.sources[i].Start, a.sources[i].Start}
}

// slice returns a part of a.
func (a *aligned) slice(start, end int) aligned {
	out := aligned{text: a.text[start:end], base: a.base + start, track: a.track}
	if a.sources != nil {
		out.sources = a.sources[start:end]
	}
	return out
}

// normalize applies the steps of the pipeline one after the other.
func (t *Tokenizer) normalize(a aligned) aligned {
	for _, s := range t.settings.Pipeline.Normalize {
		a = t.apply(s, a)
	}
	return a
}

// apply applies one step.
func (t *Tokenizer) apply(s step, a aligned) aligned {
	w := newRewrite(a)
	switch s.Kind {
	case stepCompose:
		return composeAligned(a)
	case stepCharsmap:
		t.charsmap.Apply(a.text, w)
	case stepPrepend:
		if a.text == "" {
			return a
		}
		w.Put(s.To, 0, 0)
		w.Keep(0, len(a.text))
	case stepReplace:
		w.replaceAll(s.From, s.To)
	case stepCollapse:
		w.collapse(s.To)
	case stepTrimLeft:
		return a.slice(len(a.text)-len(strings.TrimLeftFunc(a.text, unicode.IsSpace)), len(a.text))
	case stepTrim:
		return a.slice(0, len(strings.TrimRightFunc(a.text, unicode.IsSpace)))
	}
	return w.done()
}

// rewrite builds an aligned text from another one.
type rewrite struct {
	from    aligned
	text    strings.Builder
	sources []Span
}

func newRewrite(from aligned) *rewrite {
	w := &rewrite{from: from}
	w.text.Grow(len(from.text) + len(from.text)/4)
	return w
}

func (w *rewrite) done() aligned {
	return aligned{text: w.text.String(), base: w.from.base, sources: w.sources, track: w.from.track}
}

// Keep takes over from[start:end] as it is.
func (w *rewrite) Keep(start, end int) {
	w.text.WriteString(w.from.text[start:end])
	if !w.from.track {
		return
	}
	for i := start; i < end; i++ {
		w.sources = append(w.sources, w.from.source(i, i+1))
	}
}

// Put adds text, which from[start:end] became.
func (w *rewrite) Put(text string, start, end int) {
	w.text.WriteString(text)
	if !w.from.track {
		return
	}
	source := w.from.at(start)
	if end > start {
		source = w.from.source(start, end)
	}
	for range len(text) {
		w.sources = append(w.sources, source)
	}
}

// replaceAll writes the text with every old replaced.
func (w *rewrite) replaceAll(old, to string) {
	text := w.from.text
	for at := 0; at < len(text); {
		n := strings.Index(text[at:], old)
		if n < 0 {
			w.Keep(at, len(text))
			return
		}
		w.Keep(at, at+n)
		at += n
		w.Put(to, at, at+len(old))
		at += len(old)
	}
}

// collapse writes the text with every run of two or more spaces replaced.
func (w *rewrite) collapse(to string) {
	text := w.from.text
	for at := 0; at < len(text); {
		n := strings.Index(text[at:], "  ")
		if n < 0 {
			w.Keep(at, len(text))
			return
		}
		w.Keep(at, at+n)
		at += n
		end := at
		for end < len(text) && text[end] == ' ' {
			end++
		}
		w.Put(to, at, end)
		at = end
	}
}
