package pdf

import (
	"slices"
	"strings"
	"unicode"
)

// What stands at the top or at the bottom of most pages is said once.
const (
	edgeRows     = 2   // at each end of a page
	runningShare = 0.4 // of the pages; odd and even ones may differ
	runningLeast = 3   // pages
)

// dropRunning takes running headers and footers out of the rows of pages. Of each the
// first stays, but for page numbers, and for titles beside them that the text has as well.
func dropRunning(pages [][]row) {
	count := map[string]int{}
	for _, rows := range pages {
		for _, i := range edges(rows) {
			count[runningKey(&rows[i])]++
		}
	}
	least := max(runningLeast, int(runningShare*float64(len(pages))))
	numbers := numberedEdges(pages, least)
	titles := titlesWithin(pages)
	seen := map[string]bool{}
	for p, rows := range pages {
		var drop []int
		bare := false // but for these lines a page may have nothing
		for _, i := range edges(rows) {
			key := runningKey(&rows[i])
			numbered := numbers.has(&rows[i], p)
			if count[key] < least && !numbered {
				continue
			}
			if seen[key] || !strings.ContainsFunc(key, unicode.IsLetter) || numbered && titles.have(&rows[i]) {
				drop = append(drop, i)
			}
			seen[key], bare = true, bare || numbered
		}
		if len(drop) > 0 && (bare || len(drop) < len(rows)) {
			kept := make([]row, 0, len(rows)-len(drop))
			for i, r := range rows {
				if !slices.Contains(drop, i) {
					kept = append(kept, r)
				}
			}
			pages[p] = kept
		}
	}
}

// edges returns which rows stand highest and lowest, each once.
func edges(rows []row) []int {
	if len(rows) == 0 {
		return nil
	}
	turn := rows[0].turn
	order := make([]int, 0, len(rows))
	for i := range rows {
		if rows[i].turn == turn {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch {
		case rows[a].y > rows[b].y:
			return -1
		case rows[a].y < rows[b].y:
			return 1
		}
		return 0
	})
	if len(order) <= 2*edgeRows {
		return order
	}
	return append(order[:edgeRows:edgeRows], order[len(order)-edgeRows:]...)
}

// runningKey is what the same header has in common on all pages: the words, with signs
// for numbers.
func runningKey(r *row) string {
	var key strings.Builder
	for word := range strings.FieldsSeq(r.text()) {
		if hasDigit(word) || isRoman(word) {
			word = "#"
		}
		key.WriteString(strings.ToLower(word))
		key.WriteByte(' ')
	}
	return key.String()
}

// isRoman reports whether a word is a number of small Roman digits, as front matter has.
func isRoman(word string) bool { return word != "" && strings.Trim(word, "ivxlc") == "" }
