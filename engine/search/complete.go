package search

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"dowse/engine"
	"dowse/store"
)

// suggested is a value that a filter may have, and how well it fits what is typed.
type suggested struct {
	engine.Suggestion
	value string // that is completed to
	fit   fit
	order int // of values that have one of their own
	index int // of the engine that knows what it looks like
	of    *value
}

// fit is how a value has in it what is typed, the best first.
type fit int

const (
	begins     fit = iota // with it
	beginsWord            // a word of it does
	contains
	differs
)

// fitOf compares a value with what is typed, both in small letters. A value may have
// several lines, of which the best counts.
func fitOf(value, typed string) fit {
	best := differs
	for line := range strings.SplitSeq(value, "\n") {
		if strings.HasPrefix(line, typed) {
			return begins
		}
		for at := 0; best > beginsWord; {
			i := strings.Index(line[at:], typed)
			if i < 0 {
				break
			}
			at += i
			best = contains
			if before, _ := utf8.DecodeLastRuneInString(line[:at]); !unicode.IsLetter(before) && !unicode.IsDigit(before) {
				best = beginsWord
			}
			at++
		}
	}
	return best
}

// Complete implements engine.Completer. Values are those of all indexes that are searched.
func (e *Engine) Complete(ctx context.Context, req engine.CompletionRequest) (*engine.Completion, error) {
	t, ok := engine.TypingAt(req.Line, req.Cursor, req.Asked)
	switch {
	case !ok:
		return &engine.Completion{}, nil
	case t.Key == "":
		return engine.CompleteKey(t), nil
	}
	engines, leave := e.engines()
	defer leave()
	out := &engine.Completion{Start: t.Start, End: t.End, Key: t.Key}
	err := viewAll(engines, func(txs []*store.Tx) error {
		masks, err := masksOf(txs)
		if err != nil {
			return err
		}
		var all []*values
		for i, other := range engines {
			v, err := other.valuesOf(ctx, txs[i], masks[i], req.In, t.Key)
			if err != nil {
				return err
			}
			all = append(all, v)
		}
		found := suggest(t, all, time.Now())
		most := req.Max
		if most <= 0 {
			most = engine.DefaultSuggestions
		}
		for _, s := range found[:min(most, len(found))] {
			if s.of != nil {
				if err := s.look(txs[s.index], t.Key); err != nil {
					return err
				}
			}
			out.Suggestions = append(out.Suggestions, s.Suggestion)
		}
		out.More = max(len(found)-most, 0)
		return nil
	})
	if err != nil {
		return nil, searchError(ctx, err)
	}
	return out, nil
}

// suggest returns what fits what is typed, the best first.
func suggest(t engine.Typing, all []*values, now time.Time) []suggested {
	if t.Key == "path" && strings.ContainsAny(t.Text, "*?") {
		return nil // a pattern means itself
	}
	found := map[string]*suggested{}
	var order []*suggested
	add := func(index int, v *value, fits fit) {
		if s := found[v.insert]; s != nil {
			s.Files += v.files
			s.fit = min(s.fit, fits)
			return
		}
		s := &suggested{value: v.insert, fit: fits, order: v.order, index: index}
		s.Label, s.Detail, s.Files = cmp.Or(v.label, v.insert), v.detail, v.files
		if v.looks {
			s.of = v
		}
		found[v.insert] = s
		order = append(order, s)
	}
	if t.Key == "after" || t.Key == "before" {
		for _, v := range dates(t, all, now) {
			add(0, &v, begins)
		}
	} else {
		for i, of := range all {
			of.each(t, func(v *value) {
				if fits := fitOf(v.lower, t.Text); fits < differs && !slices.Contains(t.Others, v.insert) {
					add(i, v, fits)
				}
			})
		}
	}
	var out []suggested
	for _, s := range order {
		if text, ok := t.Complete(s.value); ok {
			s.Text = text
			out = append(out, *s)
		}
	}
	slices.SortFunc(out, func(a, b suggested) int {
		means := func(s suggested) int { return min(len(s.Detail), 1) } // a word for several goes first
		return cmp.Or(cmp.Compare(a.fit, b.fit), cmp.Compare(a.order, b.order), cmp.Compare(b.Files, a.Files),
			cmp.Compare(means(b), means(a)), cmp.Compare(a.value, b.value))
	})
	return out
}

// look writes a value as the document has it that had it first: marks are in small letters.
func (s *suggested) look(tx *store.Tx, key string) error {
	facts, err := tx.Facts(s.of.file)
	if errors.Is(err, store.ErrCorrupt) {
		return nil // small letters do
	}
	if err != nil {
		return err
	}
	list := facts.Tags
	switch key {
	case "from":
		list = facts.Authors
	case "to":
		list = facts.To
	}
	mark, _, _ := strings.Cut(s.of.lower, "\n")
	for _, written := range list {
		if strings.ToLower(written) == mark {
			s.Label = written
		}
	}
	return nil
}
