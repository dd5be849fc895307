package lexical

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"sync"
)

// wordPostings appends the postings of a word: of each of its terms in chunks of its languages.
func (c *Collection) wordPostings(at *cursor, t *QueryTerm, dst []posting) ([]posting, error) {
	if len(t.Also) == 0 && t.In == 0 {
		return c.postings(at, t.Term, dst)
	}
	return c.postingsOfAny(at, append([]Form{{t.Term, t.In}}, t.Also...), dst)
}

// postingsOfAny appends the postings of several terms as if they were one.
func (c *Collection) postingsOfAny(at *cursor, forms []Form, dst []posting) (_ []posting, err error) {
	from, lists := len(dst), 0
	for _, form := range forms {
		before := len(dst)
		if dst, err = c.postings(at, form.Term, dst); err != nil {
			return dst, err
		}
		dst = c.keepLanguages(dst, before, form.In)
		if len(dst) > before {
			lists++
		}
	}
	if lists < 2 {
		return dst, nil
	}
	all := dst[from:]
	slices.SortFunc(all, func(a, b posting) int { return cmp.Compare(a.chunk, b.chunk) })
	n := 0
	for _, p := range all {
		if n > 0 && all[n-1].chunk == p.chunk {
			all[n-1].count += p.count
			continue
		}
		all[n] = p
		n++
	}
	return dst[:from+n], nil
}

// keepLanguages drops postings of chunks in other languages, from a place on.
func (c *Collection) keepLanguages(list []posting, from int, in Languages) []posting {
	if in == 0 {
		return list
	}
	of := c.languageOf
	kept := slices.DeleteFunc(list[from:], func(p posting) bool { return !in.Has(of(p.chunk)) })
	return list[:from+len(kept)]
}

// languageOf returns the language of a chunk; Languages must have been called.
func (c *Collection) languageOf(chunk uint32) Language {
	if int(chunk) >= len(c.held.byChunk) {
		return English
	}
	return c.held.byChunk[chunk]
}

// Languages returns the languages of live chunks, always including English.
func (c *Collection) Languages(ctx context.Context, r Reader) (Languages, error) {
	c.held.mu.Lock()
	defer c.held.mu.Unlock()
	if c.held.languages != 0 { // read before; constant from then on
		return c.held.languages, nil
	}
	some := Languages(0) // of any chunk, dead or not
	for i := range c.segments {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		in, err := languagesOf(r, &c.segments[i])
		if err != nil {
			return 0, err
		}
		some |= in
	}
	all, at := OnlyEnglish, &cursor{r: r}
	var list []posting
	var err error
	some.Each(func(l Language) {
		if err == nil {
			list, err = c.postings(at, languageTerm(l), list[:0])
		}
		if len(list) > 0 {
			all = all.With(l)
			c.held.set(list, l, len(c.lengths))
		}
	})
	if err != nil {
		return 0, err
	}
	c.held.languages = all
	return all, nil
}

// heldLanguages are the languages of chunks, read on first use.
type heldLanguages struct {
	mu        sync.Mutex
	languages Languages  // 0 before
	byChunk   []Language // nil if all are English
}

// set notes the language of chunks with ids below size.
func (h *heldLanguages) set(list []posting, l Language, size int) {
	if h.byChunk == nil {
		h.byChunk = make([]Language, size)
	}
	for _, p := range list {
		h.byChunk[p.chunk] = l
	}
}

// languagesOf returns the languages that a segment's annotations, its first terms, name.
func languagesOf(r Reader, s *segment) (in Languages, err error) {
	at := newCursor(r, s.id, s.chunks)
	for {
		more, err := at.next()
		if err != nil || !more {
			return in, err
		}
		code, is := strings.CutPrefix(string(at.name), languageMark)
		if !is {
			return in, nil
		}
		if l, known := languageOf(code); known {
			in = in.With(l)
		}
	}
}
