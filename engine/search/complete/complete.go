package complete

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
	"dowse/engine/internal/topk"
	"dowse/engine/search/snapshot"
	"dowse/internal/fold"
	"dowse/store"
)

// suggested is a value that a filter may have, and how well it fits what is typed.
type suggested struct {
	*value
	fit   fit
	all   int // files, of all indexes
	index int // of the one that the value is of
	order int // among those that fit as well
}

// fit is how a value has in it what is typed, the best first.
type fit int

const (
	begins     fit = iota // with it
	beginsWord            // a word of it does
	contains
	differs
)

// fitOf compares a value with what is typed, both folded. A value may have
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

// Complete suggests values of all indexes that are searched.
func Complete(ctx context.Context, req engine.CompletionRequest, kept []*Values, now time.Time) (*engine.Completion, error) {
	t, ok := engine.TypingAt(req.Line, req.Cursor, req.Asked)
	switch {
	case !ok:
		return &engine.Completion{}, nil
	case t.Key == "":
		return engine.CompleteKey(t), nil
	}
	indexes := make([]*snapshot.Index, len(kept))
	for i, k := range kept {
		indexes[i] = k.Index
	}
	out := &engine.Completion{Start: t.Start, End: t.End, Key: t.Key}
	err := snapshot.ViewAll(indexes, func(txs []*store.Tx) error {
		masks, err := snapshot.Masks(txs)
		if err != nil {
			return err
		}
		var all []*values
		for i, k := range kept {
			v, err := k.of(ctx, txs[i], masks[i], req.In, t.Key)
			if err != nil {
				return err
			}
			all = append(all, v)
		}
		best, found := suggest(t, all, cmp.Or(max(req.Max, 0), engine.DefaultSuggestions), now)
		out.More = found - len(best)
		for _, s := range best {
			text, ok := t.Complete(s.insert)
			if !ok {
				continue
			}
			label, err := s.written(txs[s.index], t.Key)
			if err != nil {
				return err
			}
			out.Suggestions = append(out.Suggestions, engine.Suggestion{Text: text, Label: label, Detail: s.detail, Files: s.all})
		}
		return nil
	})
	return out, err
}

// suggest returns the most values that fit best what is typed, the best first, and how many
// fit at all.
func suggest(t engine.Typing, all []*values, most int, now time.Time) (best []suggested, found int) {
	top := topk.New(most, compareSuggested)
	switch {
	case t.Key == "path" && strings.ContainsAny(t.Text, "*?"): // a pattern means itself
	case t.Key == "after" || t.Key == "before":
		for _, v := range dates(t, all, now) {
			top.Offer(suggested{value: &v, all: v.files, order: v.order})
			found++
		}
	default:
		eachFitting(t, all, func(s suggested) {
			top.Offer(s)
			found++
		})
	}
	return top.Sorted(), found
}

// eachFitting calls fn for the values that fit the typed text, once for a value of several indexes.
func eachFitting(t engine.Typing, all []*values, fn func(suggested)) {
	typed, others := fold.String(t.Text), snapshot.FoldAll(t.Others)
	at := map[string]int{}
	var joint []suggested
	for i, of := range all {
		of.each(t, func(v *value) {
			fits, order := fitOf(v.folded, typed), v.order
			if t.Text != "" {
				order = 0 // it counts only where nothing says what is meant
			}
			switch {
			case fits == differs || len(others) > 0 && slices.Contains(others, fold.String(v.insert)):
				return
			case len(all) == 1:
				fn(suggested{v, fits, v.files, i, order})
				return
			}
			if n, known := at[v.insert]; known {
				joint[n].all += v.files
				joint[n].fit = min(joint[n].fit, fits)
				return
			}
			at[v.insert] = len(joint)
			joint = append(joint, suggested{v, fits, v.files, i, order})
		})
	}
	for _, s := range joint {
		fn(s)
	}
}

// compareSuggested puts the better one first: that fits better, that more files have, that
// is a word for several formats.
func compareSuggested(a, b suggested) int {
	means := func(s suggested) int { return min(len(s.detail), 1) }
	return cmp.Or(cmp.Compare(a.fit, b.fit), cmp.Compare(a.order, b.order), cmp.Compare(b.all, a.all),
		cmp.Compare(means(b), means(a)), cmp.Compare(a.insert, b.insert))
}

// written returns a value as the document has it that had it first: marks are in small
// letters.
func (s suggested) written(tx *store.Tx, key string) (string, error) {
	label := cmp.Or(s.label, s.insert)
	if !s.looks {
		return label, nil
	}
	facts, err := tx.Facts(s.file)
	if errors.Is(err, store.ErrCorrupt) {
		return label, nil
	}
	folded, list := fold.String(label), facts.Tags
	switch key {
	case "from":
		list = facts.Authors
	case "to":
		list = facts.To
	}
	for _, written := range list {
		if fold.String(written) == folded {
			return written, err
		}
	}
	return label, err
}
