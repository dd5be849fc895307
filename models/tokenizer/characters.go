package tokenizer

import (
	"fmt"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// characters says what normalisation makes of every character: a table of two
// levels from the code point to an action.
//
// index[r/blockSize] is the number of the block that holds r's action at
// actions[number*blockSize + r%blockSize]. Blocks that look alike (all of
// Hangul, all unified ideographs) are stored once.
type characters struct {
	index     []uint16
	actions   []uint32
	sequences []uint32 // [count, item, item...] of every actionSequence
}

const (
	blockSize  = 128
	blockCount = (unicode.MaxRune + 1) / blockSize

	// Planes 4 to 13 hold no characters; whatever stands there is kept.
	emptyFirst = 0x40000
	emptyLast  = 0xdffff
)

// An action is one of these in its low 4 bits; the rest is its payload.
const (
	actionKeep     = iota // the character itself, part of a word
	actionMap             // the payload, part of a word
	actionDrop            // nothing: a control character or an accent that orders
	actionBreak           // nothing, but marks after it are not ordered with marks before
	actionSpace           // the end of a word
	actionAlone           // the character itself, a word of its own
	actionMapAlone        // the payload, a word of its own
	actionHangul          // the syllable's two or three letters, part of a word
	actionSequence        // the items at sequences[payload]
	actionCount
	actionBits = 4
	actionMask = 1<<actionBits - 1
)

// An item of a sequence is a character with its canonical combining class and
// whether it is a word of its own.
const (
	itemRune       = 1<<21 - 1
	itemAlone      = 1 << 21
	itemClassShift = 24
)

// lookup returns the action of r.
func (c *characters) lookup(r rune) uint32 {
	return c.actions[int(c.index[r/blockSize])*blockSize+int(r%blockSize)]
}

// check verifies that no lookup can leave the tables.
func (c *characters) check() error {
	if len(c.index) != blockCount || len(c.actions)%blockSize != 0 {
		return fmt.Errorf("the character table has %d blocks and %d actions", len(c.index), len(c.actions))
	}
	for _, b := range c.index {
		if (int(b)+1)*blockSize > len(c.actions) {
			return fmt.Errorf("character block %d is missing", b)
		}
	}
	for _, a := range c.actions {
		payload := int(a >> actionBits)
		switch a & actionMask {
		case actionMap, actionMapAlone:
			if payload > unicode.MaxRune {
				return fmt.Errorf("character action %#x maps to no character", a)
			}
		case actionSequence:
			if payload >= len(c.sequences) || payload+1+int(c.sequences[payload]) > len(c.sequences) {
				return fmt.Errorf("character sequence %d is missing", payload)
			}
		default:
			if a&actionMask >= actionCount {
				return fmt.Errorf("character action %#x is unknown", a)
			}
		}
	}
	return nil
}

// newCharacters compiles a normalizer.
func newCharacters(n normalizer) characters {
	c := characters{index: make([]uint16, blockCount)}
	known := map[[blockSize]uint32]uint16{}
	for b := range c.index {
		var block [blockSize]uint32
		for i := range block {
			if r := rune(b*blockSize + i); r < emptyFirst || r > emptyLast {
				block[i] = c.compile(n, r)
			}
		}
		number, ok := known[block]
		if !ok {
			number = uint16(len(known))
			known[block] = number
			c.actions = append(c.actions, block[:]...)
		}
		c.index[b] = number
	}
	return c
}

// compile finds the action for r by applying the steps of n to it in order.
func (c *characters) compile(n normalizer, r rune) uint32 {
	if n.CleanText {
		if isControl(r) {
			return actionDrop
		}
		if isSpace(r) {
			return actionSpace
		}
	}
	alone := n.HandleChineseChars && isIdeograph(r)
	if !alone && isPlain(r) {
		return actionKeep
	}
	if !n.stripsAccents() {
		return c.encode(n, r, []rune{r}, alone)
	}
	if isHangulSyllable(r) {
		return actionHangul
	}
	var kept []rune
	ordering := true
	for _, d := range decompose(r) {
		if !isAccent(d) {
			kept = append(kept, d)
		}
		ordering = ordering && combiningClass(d) != 0
	}
	if len(kept) == 0 && ordering {
		return actionDrop
	}
	return c.encode(n, r, kept, alone)
}

// encode chooses the smallest action that yields the characters of kept,
// lower-cased where n wants that.
func (c *characters) encode(n normalizer, r rune, kept []rune, alone bool) uint32 {
	var items []uint32
	simple := true
	for _, k := range kept {
		class := uint32(0)
		if n.stripsAccents() {
			class = combiningClass(k)
		}
		simple = simple && class == 0
		for _, l := range lower(n, k) {
			item := uint32(l) | class<<itemClassShift
			if alone || isPunctuation(l) {
				item |= itemAlone
			}
			items = append(items, item)
			simple = simple && !isSpace(l)
		}
	}
	switch {
	case len(items) == 0:
		return actionBreak
	case len(items) == 1 && isSpace(rune(items[0]&itemRune)):
		return actionSpace
	case len(items) == 1 && simple:
		return single(r, items[0])
	}
	c.sequences = append(c.sequences, uint32(len(items)))
	c.sequences = append(c.sequences, items...)
	return uint32(len(c.sequences)-1-len(items))<<actionBits | actionSequence
}

// single returns the action that turns r into one item of class 0.
func single(r rune, item uint32) uint32 {
	to := item & itemRune
	switch same, alone := rune(to) == r, item&itemAlone != 0; {
	case same && alone:
		return actionAlone
	case same:
		return actionKeep
	case alone:
		return to<<actionBits | actionMapAlone
	}
	return to<<actionBits | actionMap
}

// isPlain reports, as a shortcut, that no step of any normalizer changes r.
func isPlain(r rune) bool {
	if _, cased := newLowercase[r]; cased || unicode.ToLower(r) != r || !utf8.ValidRune(r) || isHangulSyllable(r) ||
		isSpace(r) || isPunctuation(r) || isAccent(r) {
		return false
	}
	var buf [utf8.UTFMax]byte
	p := norm.NFD.Properties(buf[:utf8.EncodeRune(buf[:], r)])
	return len(p.Decomposition()) == 0 && p.CCC() == 0
}

// decompose returns the canonical decomposition of r; not of Hangul syllables.
func decompose(r rune) []rune {
	if newDecompositions.Contains(r) || !utf8.ValidRune(r) {
		return []rune{r}
	}
	var buf [utf8.UTFMax]byte
	d := norm.NFD.Properties(buf[:utf8.EncodeRune(buf[:], r)]).Decomposition()
	if len(d) == 0 {
		return []rune{r}
	}
	return []rune(string(d))
}

// combiningClass returns the canonical combining class of r.
func combiningClass(r rune) uint32 {
	return uint32(norm.NFD.PropertiesString(string(r)).CCC())
}

// lower maps one character to lower case, out of context as the reference
// does: a final sigma is like any other.
func lower(n normalizer, r rune) []rune {
	switch {
	case !n.Lowercase:
		return []rune{r}
	case r == 'İ': // the one character whose lower case is two
		return []rune{'i', '\u0307'}
	}
	if to, ok := newLowercase[r]; ok {
		return []rune{to}
	}
	return []rune{unicode.ToLower(r)}
}
