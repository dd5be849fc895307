package split

import (
	"sync"
	"unicode/utf8"
)

// class is what the patterns distinguish.
type class uint8

const (
	symbol class = iota
	letter
	number
	space
)

// classify returns the class and the width of the first character of text.
func classify(text string) (class, int) {
	if c := text[0]; c < utf8.RuneSelf {
		return asciiClasses[c], 1
	}
	r, width := utf8.DecodeRuneInString(text)
	if r < basicPlane {
		return basicClasses()[r], width
	}
	return slowClass(r), width
}

// basicPlane bounds the characters that are looked up in one step.
const basicPlane = 0x10000

var asciiClasses = func() (classes [utf8.RuneSelf]class) {
	for r := range classes {
		classes[r] = slowClass(rune(r))
	}
	return classes
}()

// basicClasses returns the class of every character of the basic plane.
var basicClasses = sync.OnceValue(func() *[basicPlane]class {
	var classes [basicPlane]class
	for _, table := range []struct {
		class
		Ranges
	}{{letter, letters}, {number, numerals}, {space, whiteSpace}} {
		for _, r := range table.Ranges {
			for c := r[0]; c <= r[1] && c < basicPlane; c++ {
				classes[c] = table.class
			}
		}
	}
	return &classes
})

// slowClass looks a character up in the tables.
func slowClass(r rune) class {
	switch {
	case letters.Contains(r):
		return letter
	case numerals.Contains(r):
		return number
	case whiteSpace.Contains(r):
		return space
	}
	return symbol
}

// isNumeral reports whether r counts as a digit where digits are split: the
// reference uses a newer table there.
func isNumeral(r rune) bool { return numerals.Contains(r) || newNumerals.Contains(r) }

// Ranges is a sorted list of inclusive ranges of characters.
type Ranges []Range

// Range is the first and the last character of a range.
type Range [2]rune

// Contains reports whether r is in one of the ranges.
func (s Ranges) Contains(r rune) bool {
	low, high := 0, len(s)
	for low < high {
		mid := (low + high) / 2
		switch {
		case r < s[mid][0]:
			high = mid
		case r > s[mid][1]:
			low = mid + 1
		default:
			return true
		}
	}
	return false
}
