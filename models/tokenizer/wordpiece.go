package tokenizer

import "unicode/utf8"

// encoder is one pass of a WordPiece model over a text: it normalises
// characters into the current word and covers the word by vocabulary entries
// when it ends.
type encoder struct {
	t *Tokenizer
	output

	// The word so far is word[:length], normalised, in UTF-8; characters
	// beyond the limit are counted only. The array, not a slice, keeps the
	// encoder on the stack.
	word    [maxWordChars * utf8.UTFMax]byte
	length  int
	chars   int
	sources []Span // of each byte of word, when tracking
	last    Span   // source of the last character, also of one cut off
	first   int    // start of the source of the word

	// Combining marks are brought into canonical order as they come: those at
	// word[marksStart:marksEnd], provided that marksEnd is length.
	marksStart, marksEnd int
	classes              []uint8 // combining class of each byte since marksStart
}

// encode runs over all of text.
func (e *encoder) encode(text string) {
	added := e.t.addedSet(e.literal).raw
	for at := 0; at < len(text) && !e.full(); {
		start, end, id := added.next(text, at)
		e.between(text, at, start)
		if id != noToken && !e.full() {
			e.emit(id, Span{start, end})
		}
		at = end
	}
}

// between encodes text[start:end], in which no added token of the raw kind stands.
func (e *encoder) between(text string, start, end int) {
	if n := &e.t.normalized; !e.literal && n.mayBegin(text[start:end]) {
		a := e.t.chars.normal(text[start:end])
		for at, base := 0, start; at < len(a.text) && !e.full(); {
			from, to, id := n.matcher.next(a.text, at)
			if id == noToken {
				break
			}
			source := a.source(from, to)
			source.Start, source.End = source.Start+base, source.End+base
			e.segment(text, start, source.Start)
			if !e.full() {
				e.emit(id, source)
			}
			start, at = source.End, to
		}
	}
	e.segment(text, start, end)
}

// segment encodes text[start:end], in which no added token stands.
func (e *encoder) segment(text string, start, end int) {
	chars := &e.t.chars
	for i := start; i < end && !e.full(); {
		r, width := rune(text[i]), 1
		if r >= utf8.RuneSelf {
			r, width = utf8.DecodeRuneInString(text[i:end])
		}
		source := Span{i, i + width}
		i += width
		action := chars.lookup(r)
		payload := rune(action >> actionBits)
		switch action & actionMask {
		case actionKeep:
			e.add(r, source)
		case actionMap:
			e.add(payload, source)
		case actionSpace:
			e.flush()
		case actionAlone:
			e.alone(r, source)
		case actionMapAlone:
			e.alone(payload, source)
		case actionDrop:
		case actionBreak:
			e.marksEnd = -1
		case actionHangul:
			e.hangul(r, source)
		case actionSequence:
			e.sequence(int(payload), source)
		}
	}
	e.flush()
}

// add appends a character to the word.
func (e *encoder) add(r rune, source Span) {
	if e.chars == 0 {
		e.first = source.Start
	}
	e.chars++
	e.last = source
	if e.chars > e.t.settings.MaxChars {
		return
	}
	if r < utf8.RuneSelf {
		e.word[e.length] = byte(r)
		e.length++
	} else {
		e.length += utf8.EncodeRune(e.word[e.length:], r)
	}
	if e.tracking {
		for len(e.sources) < e.length {
			e.sources = append(e.sources, source)
		}
	}
}

// alone makes a word of one character.
func (e *encoder) alone(r rune, source Span) {
	e.flush()
	e.add(r, source)
	e.flush()
}

// hangul adds the letters of a syllable.
func (e *encoder) hangul(r rune, source Span) {
	s := r - hangulFirst
	e.add(hangulLeading+s/(hangulVowels*hangulTrailers), source)
	e.add(hangulVowel+s%(hangulVowels*hangulTrailers)/hangulTrailers, source)
	if trailer := s % hangulTrailers; trailer > 0 {
		e.add(hangulTrailing+trailer, source)
	}
}

// sequence adds the items of a sequence.
func (e *encoder) sequence(at int, source Span) {
	c := &e.t.chars
	for _, item := range c.sequences[at+1 : at+1+int(c.sequences[at])] {
		r := rune(item & itemRune)
		switch class := uint8(item >> itemClassShift); {
		case item&itemAlone != 0:
			e.alone(r, source)
		case class != 0:
			e.mark(r, class, source)
		default:
			e.add(r, source)
		}
	}
}

// mark adds a combining mark at its place in canonical order: after the marks
// before it whose class is not higher.
func (e *encoder) mark(r rune, class uint8, source Span) {
	if e.marksEnd != e.length {
		e.marksStart, e.classes = e.length, e.classes[:0]
	}
	at := e.length
	e.add(r, source)
	for len(e.classes) < e.length-e.marksStart {
		e.classes = append(e.classes, class)
	}
	width := e.length - at
	to := at
	for to > e.marksStart && e.classes[to-1-e.marksStart] > class {
		to--
	}
	rotate(e.word[to:e.length], width)
	rotate(e.classes[to-e.marksStart:], width)
	if e.tracking {
		rotate(e.sources[to:], width)
	}
	e.marksEnd = e.length
}

// rotate moves the last n elements of s to its front.
func rotate[T any](s []T, n int) {
	for range n {
		lastIndex := len(s) - 1
		if lastIndex < 1 {
			return
		}
		last := s[lastIndex]
		copy(s[1:], s[:lastIndex])
		s[0] = last
	}
}

// flush ends the word, if there is one, and emits its tokens.
func (e *encoder) flush() {
	if e.chars == 0 {
		return
	}
	if e.chars > e.t.settings.MaxChars || !e.cover() {
		e.emit(e.t.settings.Unknown, Span{e.first, e.last.End})
	}
	e.length, e.chars, e.marksEnd = 0, 0, -1
	if e.tracking {
		e.sources = e.sources[:0]
	}
}

// cover emits the longest entries that make up the word, from the left. When
// they do not cover all of it, it emits nothing and returns false.
func (e *encoder) cover() bool {
	t := &e.t.trie
	size := e.size()
	state := int32(0)
	for at := 0; at < e.length; {
		id, length := int32(noToken), 0
		if state != deadState {
			id, length = t.longest(state, e.word[at:e.length])
		}
		if id == noToken {
			e.truncate(size)
			return false
		}
		var source Span
		if e.tracking {
			source = Span{e.sources[at].Start, e.sources[at+length-1].End}
		}
		e.emit(id, source)
		at += length
		state = e.t.continued
	}
	return true
}
