package logs

import (
	"bytes"
	"unicode/utf8"
)

// blockBytes is how long a block is as a rule: some forty lines, which is what has to be read to show one.
const blockBytes = 4 << 10

// Bounds of what is read of a log, in bytes.
const (
	// MaxBytes is the size above which a log is not read: all of it is hashed at times, and its lines are counted.
	MaxBytes = 1 << 30
	Most     = 16 << 20
	Step     = 2 << 20 // from where on it is read is a multiple of Step
)

// Window returns the offset from which on a log of some size is read.
func Window(size int64) int64 {
	if size <= Most {
		return 0
	}
	return (size - Most + Step - 1) / Step * Step
}

// FirstLine returns where the first line begins in data that begins anywhere; where none does soon, the first character.
func FirstLine(data []byte) int {
	if at := bytes.IndexByte(data[:min(len(data), blockBytes)], '\n'); at >= 0 {
		return at + 1
	}
	at := 0
	for at < min(len(data), utf8.UTFMax) && !utf8.RuneStart(data[at]) {
		at++
	}
	return at
}

// Cuts returns where blocks begin within data, which begins at an offset of the file at which one does; without that one.
func Cuts(data []byte, offset int64) (cuts []int) {
	for i := offset/blockBytes + 1; ; i++ {
		at := int(i*blockBytes - offset)
		if at >= len(data) {
			return cuts
		}
		cut := at + bytes.IndexByte(data[at-1:min(at-1+blockBytes, len(data))], '\n')
		if cut < at { // within a line
			if at-1+blockBytes > len(data) {
				return cuts // which may end yet
			}
			cut = runeStart(data, at)
		}
		if cut < len(data) && cut > last(cuts) {
			cuts = append(cuts, cut)
		}
	}
}

func last(cuts []int) int {
	if len(cuts) == 0 {
		return 0
	}
	return cuts[len(cuts)-1]
}

// runeStart moves an offset back to where a character begins, if one does near.
func runeStart(data []byte, at int) int {
	for back := range utf8.UTFMax {
		if at-back < 0 {
			break
		}
		if utf8.RuneStart(data[at-back]) {
			return at - back
		}
	}
	return at
}
