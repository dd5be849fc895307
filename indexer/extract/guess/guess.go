package guess

import (
	"bytes"
	"cmp"
	"math"
	"slices"
	"sync"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
)

// The encodings that bytes may have, with what it costs in half bits to think of each: 20 of them
// are two or three letters that have to speak for it. Where two cost the same the first one counts.
var (
	western  = []string{"en", "fr", "de", "es", "pt", "it", "nl", "sv", "da", "fi", "is", "ca"}
	central  = []string{"pl", "cs", "sk", "hu", "sh", "sl", "ro", "de"}
	baltic   = []string{"lt", "lv"}
	cyrillic = []string{"ru", "uk", "bg", "mk", "sr"}

	singles = []single{
		{Fallback, charmap.Windows1252, 0, western},
		{"windows-1251", charmap.Windows1251, 2, cyrillic},
		{"windows-1250", charmap.Windows1250, 4, central},
		{"windows-1253", charmap.Windows1253, 4, []string{"el"}},
		{"windows-1254", charmap.Windows1254, 4, []string{"tr", "de", "fr"}},
		{"windows-1255", charmap.Windows1255, 4, []string{"he"}},
		{"windows-1256", charmap.Windows1256, 4, []string{"ar", "fa"}},
		{"windows-1257", charmap.Windows1257, 4, baltic},
		{"windows-874", charmap.Windows874, 4, []string{"th"}},
		{"windows-1258", charmap.Windows1258, 10, []string{"vi"}},
		{"ISO-8859-2", charmap.ISO8859_2, 5, central},
		{"KOI8-R", charmap.KOI8R, 4, []string{"ru", "bg"}},
		{"KOI8-U", charmap.KOI8U, 5, []string{"uk", "ru"}},
		{"ISO-8859-15", charmap.ISO8859_15, 6, western},
		{"ISO-8859-7", charmap.ISO8859_7, 14, []string{"el"}},
		{"ISO-8859-5", charmap.ISO8859_5, 8, cyrillic},
		{"ISO-8859-6", charmap.ISO8859_6, 8, []string{"ar"}},
		{"ISO-8859-13", charmap.ISO8859_13, 6, baltic},
		{"IBM437", charmap.CodePage437, 10, western},
		{"IBM850", charmap.CodePage850, 11, western},
		{"IBM852", charmap.CodePage852, 11, central},
		{"IBM866", charmap.CodePage866, 8, cyrillic},
		{"IBM855", charmap.CodePage855, 14, cyrillic},
		{"IBM862", charmap.CodePage862, 12, []string{"he"}},
		{"macintosh", charmap.Macintosh, 12, western},
		{"x-mac-cyrillic", charmap.MacintoshCyrillic, 14, cyrillic},
	}

	doubles = []double{
		{"Shift_JIS", japanese.ShiftJIS, "ja"},
		{"EUC-JP", japanese.EUCJP, "ja"},
		{"GB18030", simplifiedchinese.GB18030, "zh"},
		{"Big5", traditionalchinese.Big5, "zt"},
		{"EUC-KR", korean.EUCKR, "ko"},
	}
)

// Fallback is the name of the encoding of what nothing else speaks for.
const Fallback = "windows-1252"

// single is an encoding of a byte a letter.
type single struct {
	name      string
	charmap   *charmap.Charmap
	cost      int
	languages []string
}

// double is an encoding of two bytes a character, mostly.
type double struct {
	name     string
	encoding encoding.Encoding
	language string
}

// group are the languages of an encoding, and all of them as one.
type group struct {
	languages []language
	union     language
}

// groups are those of each single encoding.
var groups = sync.OnceValue(func() []group {
	out := make([]group, len(singles))
	for i, s := range singles {
		for _, name := range s.languages {
			out[i].languages = append(out[i].languages, languages()[name])
		}
		out[i].union = union(out[i].languages)
	}
	return out
})

// detectorBytes is how much is looked at; more does not make the result better.
const detectorBytes = 4 << 10

// costNotExpected is what it costs more to think of an encoding where others are expected.
const costNotExpected = 20

// OfDOS are the encodings of names that programs of DOS and Windows wrote into archives.
var OfDOS = []string{"IBM437", "IBM850", "IBM852", "IBM866", "Shift_JIS", "GB18030", "Big5", "EUC-KR"}

// Encoding returns the encoding in which the bytes cost least as text of some language, and its
// name as registered. Where some are expected, others need more that speaks for them.
func Encoding(data []byte, expected ...string) (encoding.Encoding, string) {
	sample := foreign(data)
	pairs := countPairs(sample)
	var best encoding.Encoding = charmap.Windows1252
	bestName, least := Fallback, math.MaxInt
	first := func(name string, cost int) int {
		switch {
		case expected == nil:
			return cost
		case slices.Contains(expected, name):
			return 0
		}
		return costNotExpected
	}
	for i, s := range singles {
		for _, l := range groups()[i].languages {
			if cost, ok := s.costOf(pairs, first(s.name, s.cost), l, groups()[i].union, least); ok {
				best, bestName, least = s.charmap, s.name, cost
			}
		}
	}
	for _, d := range doubles {
		if cost, ok := d.costOf(sample, first(d.name, costDouble), least); ok {
			best, bestName, least = d.encoding, d.name, cost
		}
	}
	return best, bestName
}

// foreign returns lines in which bytes outside of ASCII stand: the others say nothing.
func foreign(data []byte) []byte {
	var out []byte
	for line := range bytes.Lines(data) {
		if bytes.IndexFunc(line, func(r rune) bool { return r >= utf8.RuneSelf }) < 0 {
			continue
		}
		if len(line) > detectorBytes { // from the first such byte on
			start := bytes.IndexFunc(line, func(r rune) bool { return r >= utf8.RuneSelf })
			line = line[max(0, start-1):]
		}
		out = append(out, line[:min(len(line), detectorBytes-len(out))]...)
		if len(out) == detectorBytes {
			break
		}
	}
	return out
}

// pair is two bytes, one at least outside of ASCII, and their count.
type pair struct {
	a, b byte
	n    int
}

// countPairs counts them. A line end stands before the first byte and behind the last one.
func countPairs(sample []byte) []pair {
	counts := map[[2]byte]int{}
	last := byte('\n')
	for _, b := range append(slices.Clip(sample), '\n') {
		if last >= utf8.RuneSelf || b >= utf8.RuneSelf {
			counts[[2]byte{last, b}]++
		}
		last = b
	}
	out := make([]pair, 0, len(counts))
	for p, n := range counts {
		out = append(out, pair{p[0], p[1], n})
	}
	slices.SortFunc(out, func(x, y pair) int { return cmp.Or(y.n-x.n, int(x.a)-int(y.a), int(x.b)-int(y.b)) }) // what tells most comes first
	return out
}

// costOf returns what the pairs cost in an encoding as text of a language, and what it costs to think
// of it; all has what they cost in the languages beside it. It is false where that is not less than least.
func (s single) costOf(pairs []pair, cost int, l, all language, least int) (int, bool) {
	for _, p := range pairs {
		if cost += p.n * l.pairCost(all, s.charmap.DecodeByte(p.a), s.charmap.DecodeByte(p.b)); cost >= least {
			return 0, false
		}
	}
	return cost, true
}

// Costs of characters of two bytes, in half bits.
const (
	costDouble     = 12 // to think of such an encoding
	costRare       = 30 // a character that no table has
	costWide       = 12 // punctuation of full width
	costNarrow     = 20 // a syllable of half width
	costWrong      = 60 // a byte that is no part of a character
	costBesideWord = 12 // a letter of ASCII before or behind
)

// costOf returns what bytes cost in an encoding of two bytes a character, and what it costs to think of
// it. It is false where that is not less than least.
func (d double) costOf(sample []byte, cost, least int) (int, bool) {
	l := languages()[d.language]
	text, err := d.encoding.NewDecoder().Bytes(sample)
	if err != nil {
		return 0, false
	}
	last := '\n'
	for _, r := range string(text) {
		if r < utf8.RuneSelf || last < utf8.RuneSelf {
			if r != last && (r >= utf8.RuneSelf && isASCIILetter(last) || last >= utf8.RuneSelf && isASCIILetter(r)) {
				cost += costBesideWord
			}
		}
		last = r
		if r < utf8.RuneSelf {
			continue
		}
		if cost += 2 * characterCost(l, r); cost >= least { // a letter is counted in two pairs
			return 0, false
		}
	}
	return cost, true
}

// characterCost returns what a character outside of ASCII costs.
func characterCost(l language, r rune) int {
	if cost, ok := l[[2]rune{r, r}]; ok {
		return cost
	}
	switch {
	case r == utf8.RuneError || 0xe000 <= r && r < 0xf900:
		return costWrong
	case 0xff61 <= r && r <= 0xff9f:
		return costNarrow
	case 0x3000 <= r && r <= 0x303f, 0xff01 <= r && r <= 0xff60, r == 0x30fb, r == 0x30fc:
		return costWide
	}
	return costRare
}

func isASCIILetter(r rune) bool { return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' }
