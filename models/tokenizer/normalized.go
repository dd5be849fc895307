package tokenizer

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// normalizedTokens finds the added tokens of a WordPiece model that are looked for in
// normalised text.
type normalizedTokens struct {
	matcher *matcher
	starts  []string // what a text has, before normalisation, where such a token may begin
}

// newNormalizedTokens refuses tokens that could not be told from the text around them by
// the characters that they were before normalisation.
func newNormalizedTokens(c *characters, added []addedToken) (normalizedTokens, error) {
	var tokens []addedToken
	starts := map[string]bool{}
	for _, a := range added {
		if !a.Normalized {
			continue
		}
		content := c.normal(a.Content).text
		plain := content != "" && !strings.ContainsFunc(content, func(r rune) bool { return r <= ' ' || r > unicode.MaxASCII })
		if !plain || a.SingleWord || a.LStrip || a.RStrip || c.expandsTo(rune(content[0])) || c.expandsTo(rune(content[len(content)-1])) {
			return normalizedTokens{}, fmt.Errorf("added token %q is matched in normalised text, which is supported for ASCII characters "+
				"without single_word, lstrip and rstrip, the first and last of them no part of what another character becomes", a.Content)
		}
		a.Content = content
		tokens = append(tokens, a)
		for _, start := range c.sources(rune(content[0])) {
			starts[string(start)] = true
		}
	}
	n := normalizedTokens{matcher: newMatcher(tokens)}
	for start := range starts {
		n.starts = append(n.starts, start)
	}
	slices.Sort(n.starts)
	return n, nil
}

// mayBegin reports whether one of the tokens may stand in text.
func (n *normalizedTokens) mayBegin(text string) bool {
	return slices.ContainsFunc(n.starts, func(start string) bool { return strings.Contains(text, start) })
}

// normal is what normalisation makes of a text but for the order of marks, with the place
// of each byte.
func (c *characters) normal(text string) aligned {
	w := newRewrite(aligned{text: text, track: true})
	for at := 0; at < len(text); {
		r, width := utf8.DecodeRuneInString(text[at:])
		end := at + width
		action := c.lookup(r)
		payload := action >> actionBits
		switch action & actionMask {
		case actionMap, actionMapAlone:
			w.Put(string(rune(payload)), at, end)
		case actionSpace:
			w.Put(" ", at, end)
		case actionDrop, actionBreak:
		case actionSequence:
			for _, item := range c.items(payload) {
				w.Put(string(rune(item&itemRune)), at, end)
			}
		default: // of a syllable too, whose letters are not ASCII
			w.Keep(at, end)
		}
		at = end
	}
	return w.done()
}

// items are those of a sequence.
func (c *characters) items(at uint32) []uint32 {
	return c.sequences[at+1 : at+1+c.sequences[at]]
}

// expandsTo reports whether r is one of several characters that one becomes.
func (c *characters) expandsTo(r rune) bool {
	for at := uint32(0); int(at) < len(c.sequences); at += 1 + c.sequences[at] {
		items := c.items(at)
		if len(items) > 1 && slices.ContainsFunc(items, func(item uint32) bool { return rune(item&itemRune) == r }) {
			return true
		}
	}
	return false
}

// sources lists the characters that become r, itself among them.
func (c *characters) sources(r rune) []rune {
	makes := func(action uint32) bool {
		switch payload := action >> actionBits; action & actionMask {
		case actionMap, actionMapAlone:
			return rune(payload) == r
		case actionSequence:
			return slices.ContainsFunc(c.items(payload), func(item uint32) bool { return rune(item&itemRune) == r })
		}
		return false
	}
	list := []rune{r}
	found := map[uint16][]rune{} // in each block, which is stored once
	for b, number := range c.index {
		in, known := found[number]
		if !known {
			for i, action := range c.actions[int(number)*blockSize:][:blockSize] {
				if makes(action) {
					in = append(in, rune(i))
				}
			}
			found[number] = in
		}
		for _, i := range in {
			list = append(list, rune(b*blockSize)+i)
		}
	}
	return list
}
