package extract

import (
	"compress/flate"
	"strconv"
	"sync"
	"unicode"
	"unicode/utf8"
)

// Bounds that tell text from data that a program wrote for a program: tables of numbers, hexadecimal dumps, keys and
// pictures in base64, patterns. A search by meaning finds nothing in it, and a file of 16 MB can have 80,000 passages of
// it. A text is data when nine of ten samples are, so that one with pictures in it stays. Of the 10,716 files that can be
// read in Go's source five are data (digits of e and pi, keys, test vectors, base64); of 2,078 notes, articles, questions
// and tables in twelve languages none is.
const (
	dataBytes   = 64 << 10 // what is shorter is harmless
	sampleBytes = 16 << 10
	maxSamples  = 16
	maxTextual  = 0.1 // share of the samples of data that may be text

	// minWords is the share of the visible characters that stand in words of
	// four letters: some 0.7 in English and 0.5 in code, 0.06 in hexadecimal
	// digits, 0 in numbers.
	minWords = 0.15
	// Deflate leaves 0.35 to 0.55 of text, 0.76 of random bytes in base64, and
	// less than 0.02 of what says one thing again and again.
	maxDense  = 0.7
	minDense  = 0.02
	wordRunes = 4
)

// dataLike returns why a text is data rather than something to read, "" when it is
// not.
func dataLike(text string) string {
	if len(text) < dataBytes {
		return ""
	}
	samples := min(len(text)/sampleBytes, maxSamples)
	reasons, textual := map[string]int{}, 0
	c := counters.Get().(*counter)
	defer counters.Put(c)
	for i := range samples {
		at := i * (len(text) - sampleBytes) / max(samples-1, 1)
		if why := judgeSample(text[at:at+sampleBytes], c); why != "" {
			reasons[why]++
		} else if textual++; float64(textual) > maxTextual*float64(samples) {
			return ""
		}
	}
	most := ""
	for why, n := range reasons {
		if n > reasons[most] || n == reasons[most] && why < most {
			most = why
		}
	}
	return most
}

// repeatBytes is the length from which a text that says one thing again and again is not read, whatever it was taken out of: a
// thousand passages, each of them as near to a question as the others.
const repeatBytes = 2 << 20

// repeatsItself reports whether a long text says one thing again and again.
func repeatsItself(text string) bool {
	if len(text) < repeatBytes {
		return false
	}
	c, repeats := counters.Get().(*counter), 0
	defer counters.Put(c)
	for i := range maxSamples {
		at := i * (len(text) - sampleBytes) / (maxSamples - 1)
		if c.dense(text[at:at+sampleBytes]) < minDense {
			repeats++
		}
	}
	return float64(maxSamples-repeats) <= maxTextual*maxSamples
}

// judgeSample returns why a piece of text is data, "" when it is not.
func judgeSample(sample string, c *counter) string {
	if wordShare(sample) < minWords {
		return "hardly any words"
	}
	switch left := c.dense(sample); {
	case left > maxDense:
		return "encoded data"
	case left < minDense:
		return "repeats itself"
	}
	return ""
}

// wordShare returns the share of the characters, white space not counted, that are
// part of words of some letters. A word ends where small letters are followed by
// a capital, which random letters do often. In scripts without capitals each
// letter counts, as many of them have no spaces, and so does an escape such as
// \u4e2d in JSON, that is read as one character.
func wordShare(text string) float64 {
	visible, inWords, run := 0, 0, 0
	small := false
	end := func() {
		if run >= wordRunes {
			inWords += run
		}
		run, small = 0, false
	}
	for i, skip := 0, 0; i < len(text); i += skip {
		r, size := utf8.DecodeRuneInString(text[i:])
		if skip = size; r == '\\' {
			r, skip = escaped(text[i:])
		}
		if unicode.IsSpace(r) || unicode.IsControl(r) {
			end()
			continue
		}
		visible++
		switch upper, lower := unicode.IsUpper(r), unicode.IsLower(r); {
		case upper || lower:
			if upper && small {
				end()
			}
			run, small = run+1, lower
		case unicode.IsLetter(r), unicode.IsMark(r):
			inWords++
		default:
			end()
		}
	}
	end()
	if visible == 0 {
		return 0
	}
	return float64(inWords) / float64(visible)
}

// escaped reads the escape of a character that a text begins with, and how many
// bytes that takes: the backslash alone where there is none.
func escaped(text string) (rune, int) {
	const length = len(`\u4e2d`)
	if len(text) < length || text[1] != 'u' {
		return '\\', 1
	}
	code, err := strconv.ParseUint(text[2:length], 16, 32)
	if err != nil {
		return '\\', 1
	}
	return rune(code), length
}

// counter counts what deflate writes.
type counter struct {
	deflate *flate.Writer
	n       int
}

// counters are kept, since each takes most of a megabyte.
var counters = sync.Pool{New: func() any {
	c := &counter{}
	c.deflate, _ = flate.NewWriter(c, flate.BestSpeed) // fails for a level that there is not
	return c
}}

func (c *counter) Write(p []byte) (int, error) {
	c.n += len(p)
	return len(p), nil
}

// dense returns the share of a text that is left when it is deflated.
func (c *counter) dense(text string) float64 {
	c.n = 0
	c.deflate.Reset(c)
	_, _ = c.deflate.Write([]byte(text)) // a counter takes everything
	_ = c.deflate.Close()
	return float64(c.n) / float64(len(text))
}
