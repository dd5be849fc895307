package pdf

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"
	"unicode"
)

// headings says which paragraphs are headings, and of which level: those that the
// outline names, those set larger than the text, and short lines in bold.
type headings struct {
	body   float64            // size of the text
	bold   bool               // as the text is set
	levels map[float64]int    // of the larger sizes
	deeper int                // level of a line in bold
	named  map[string][]entry // what the outline names, by its words
}

// What a heading is by its looks.
const (
	largerBy     = 1.12
	maxHeading   = 160 // letters
	maxLevels    = 4
	headingShare = 0.25 // of the text, of a size that is one of headings
)

// headingsOf looks at the text of all pages.
func headingsOf(f *file, pages [][]block) headings {
	letters := map[float64]int{}
	total, bold := 0, 0
	for _, blocks := range pages {
		for i := range blocks {
			n := len(blocks[i].text)
			letters[rounded(blocks[i].size)] += n
			total += n
			if blocks[i].bold {
				bold += n
			}
		}
	}
	h := headings{bold: 2*bold > total, levels: map[float64]int{}, named: map[string][]entry{}}
	sizes := slices.SortedFunc(maps.Keys(letters), func(a, b float64) int { return cmp.Compare(b, a) })
	for _, size := range sizes {
		if letters[size] > letters[h.body] {
			h.body = size
		}
	}
	for _, size := range sizes {
		if size >= largerBy*h.body && float64(letters[size]) < headingShare*float64(total) {
			h.levels[size] = min(len(h.levels)+1, maxLevels)
		}
	}
	h.deeper = min(len(h.levels)+1, maxLevels)
	for _, e := range f.outline {
		if key := titleKey(e.title); key != "" {
			h.named[key] = append(h.named[key], e)
		}
	}
	return h
}

// rounded makes sizes that nobody tells apart one.
func rounded(size float64) float64 { return math.Round(2*size) / 2 }

// outlined returns the level that the outline gives to a title on page p, 0 for none. Of
// several that read alike, such as "Introduction", it is the one whose page is nearest.
func (h *headings) outlined(title string, p int) int {
	level, nearest := 0, math.MaxInt
	for _, e := range h.named[titleKey(title)] {
		away := max(e.page-p, p-e.page)
		if e.page < 0 {
			away = math.MaxInt - 1
		}
		if away < nearest {
			level, nearest = min(e.level, 6), away
		}
	}
	return level
}

// level returns the level of a paragraph of page p, from 0, as a heading; 0 where it is none.
func (h *headings) level(b *block, p int) int {
	if b.table != nil || b.item || b.lines > 3 || len([]rune(b.text)) > maxHeading || !strings.ContainsFunc(b.text, unicode.IsLetter) {
		return 0
	}
	size := rounded(b.size)
	if named := h.outlined(b.text, p); named > 0 && (size > h.body || b.bold && !h.bold) {
		return named
	}
	if level := h.levels[size]; level > 0 {
		return level
	}
	if b.bold && !h.bold && b.lines <= 2 && size >= h.body && len([]rune(b.text)) > 2 && !strings.ContainsRune(".,;:", lastRune(b.text)) {
		return h.deeper
	}
	return 0
}

// titleKey is a heading's words, without its number.
func titleKey(title string) string {
	words := strings.FieldsFunc(strings.ToLower(title), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	for len(words) > 1 && strings.Trim(words[0], "0123456789") == "" {
		words = words[1:]
	}
	return strings.Join(words, " ")
}
