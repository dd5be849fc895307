package pdf

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
)

// What a page of contents or of an index is: lines that lead to the pages which have them.
const (
	contentsLeast = 5   // lines
	contentsShare = 0.6 // of the lines from the first to the last of them
	contentsVotes = 3   // titles that agree on how far page numbers are from the pages
	contentsAlike = 64  // pages that have the same title; more have no vote
	rareShare     = 4   // a word is rare that is on less than one page of so many
)

// dropContents takes the lines of contents pages and of indexes out of the rows of pages. Such
// a line ends in page numbers, and the pages that these name have its words: nothing is lost,
// and a page that has the words of every heading does not stand for all of them in a search.
func dropContents(pages [][]row) {
	c := contentsOf(pages)
	if c.offset == nil {
		return
	}
	drops := make([][]bool, len(pages))
	for p, rows := range pages {
		drops[p] = c.drop(rows, p)
	}
	for p, drop := range drops {
		var kept []row
		for i, r := range pages[p] {
			if drop == nil || !drop[i] {
				kept = append(kept, r)
			}
		}
		pages[p] = kept
	}
}

// contents is what the pages of a file have.
type contents struct {
	lines  []map[string]bool // of each page: lines, and pairs of them, as titleKey has them
	words  []map[string]bool
	spread map[string]int // on how many pages a word is
	offset map[bool]int   // from a page number to the page, by whether it is Roman; nil where it is not known
}

// contentsOf looks at the lines of all pages.
func contentsOf(pages [][]row) *contents {
	c := &contents{spread: map[string]int{}}
	at := map[string][]int{} // on which pages a line is
	for p, rows := range pages {
		lines, words := map[string]bool{}, map[string]bool{}
		last := ""
		for i := range rows {
			key := titleKey(rows[i].text())
			lines[key], lines[titleKey(last+" "+key)] = true, true
			last = key
			for word := range strings.FieldsSeq(key) {
				words[word] = true
			}
		}
		c.lines, c.words = append(c.lines, lines), append(c.words, words)
		for word := range words {
			c.spread[word]++
		}
		for line := range lines {
			at[line] = append(at[line], p)
		}
	}
	votes := map[bool]map[int]int{false: {}, true: {}}
	for p, rows := range pages {
		for i := range rows {
			e := leaderOf(rows[i].text())
			if e.key == "" || len(e.numbers) != 1 || len(at[e.key]) > contentsAlike {
				continue
			}
			for _, q := range at[e.key] {
				if q != p {
					votes[e.roman][q-e.numbers[0]]++
				}
			}
		}
	}
	for roman, counts := range votes {
		best, most := 0, 0
		for offset, n := range counts {
			if n > most || n == most && offset < best {
				best, most = offset, n
			}
		}
		if most >= contentsVotes {
			if c.offset == nil {
				c.offset = map[bool]int{}
			}
			c.offset[roman] = best
		}
	}
	return c
}

// drop says which rows of page p lead to others; nil where they are not most of a stretch.
func (c *contents) drop(rows []row, p int) []bool {
	drop, leads := make([]bool, len(rows)), make([]bool, len(rows))
	first, last, n := -1, -1, 0
	for i := range rows {
		e := leaderOf(rows[i].text())
		if len(e.numbers) == 0 {
			continue
		}
		wrapped := i > 0 && !leads[i-1]
		leads[i] = true
		begin := i
		if wrapped {
			both := e
			both.key = titleKey(rows[i-1].text() + " " + e.key)
			if c.stands(both, p) {
				begin = i - 1
			}
		}
		if begin == i && !c.stands(e, p) && (e.key != "" || i == 0 || !drop[i-1]) {
			continue
		}
		if first < 0 {
			first = begin
		}
		for k := begin; k <= i; k++ {
			drop[k] = true
			n++
		}
		last = i
	}
	letters := 0 // of the alphabet, above the lines of an index
	for i := max(first, 0); i < last; i++ {
		if !drop[i] && len([]rune(rows[i].text())) == 1 {
			drop[i] = true
			letters++
		}
	}
	if n < contentsLeast || float64(n) < contentsShare*float64(last-first+1-letters) {
		return nil
	}
	return drop
}

// stands reports whether the words of a line of page p are where its numbers say.
func (c *contents) stands(e leader, p int) bool {
	offset, known := c.offset[e.roman]
	words := strings.Fields(e.key)
	if !known || len(words) == 0 {
		return false
	}
	for _, number := range e.numbers {
		at := number + offset
		if !slices.ContainsFunc([]int{at, at + 1, at - 1}, func(q int) bool { return q != p && c.has(q, e.key, words) }) {
			return false
		}
	}
	return true
}

// has reports whether page q has a line, or all of its words where one of them is rare.
func (c *contents) has(q int, key string, words []string) bool {
	if q < 0 || q >= len(c.lines) {
		return false
	}
	if c.lines[q][key] {
		return true
	}
	rare := slices.MinFunc(words, func(a, b string) int { return cmp.Compare(c.spread[a], c.spread[b]) })
	return rareShare*c.spread[rare] < len(c.lines) && !slices.ContainsFunc(words, func(word string) bool { return !c.words[q][word] })
}

// leader is a line that ends in numbers of pages.
type leader struct {
	key     string // its other words, as titleKey has them
	numbers []int
	roman   bool
}

// leaderOf reads a line: "2.1 Frost ..... 13", "frost, 13, 20". It has no numbers where it does
// not end in any.
func leaderOf(text string) (l leader) {
	const between = " .,;…·_"
	for text = strings.TrimRight(text, between); ; {
		word := text
		if i := strings.LastIndexAny(text, between+"–-"); i >= 0 {
			word = text[i+len(string(firstRune(text[i:]))):]
		}
		n, roman := pageNumber(word)
		if n == 0 || len(l.numbers) > 0 && roman != l.roman {
			break
		}
		l.numbers, l.roman = append(l.numbers, n), roman
		rest := strings.TrimRight(strings.TrimSuffix(text, word), " ")
		text = strings.TrimRight(rest, between+"–-")
		if !strings.HasSuffix(rest, ",") && !strings.HasSuffix(rest, "–") && !strings.HasSuffix(rest, "-") {
			break
		}
	}
	if strings.ContainsFunc(text, unicode.IsLetter) {
		l.key = titleKey(text)
	}
	return l
}

// pageNumber reads the number of a page, 0 for none.
func pageNumber(word string) (n int, roman bool) {
	if word == "" || len(word) > 5 {
		return 0, false
	}
	if strings.Trim(word, "0123456789") == "" {
		for _, r := range word {
			n = 10*n + int(r-'0')
		}
		return n, false
	}
	if !isRoman(word) {
		return 0, false
	}
	values := map[byte]int{'i': 1, 'v': 5, 'x': 10, 'l': 50, 'c': 100}
	for i := range len(word) {
		if v := values[word[i]]; i+1 < len(word) && v < values[word[i+1]] {
			n -= v
		} else {
			n += v
		}
	}
	return max(n, 0), true
}
