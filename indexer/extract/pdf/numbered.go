package pdf

import (
	"strconv"
	"strings"
)

// Books say the title of the section beside the page number, "4.7. Debian mirrors 25". Such a
// line is another one on each page, so that it is known by its number: that of the page, or
// as far from it as on the other pages.

// pageNumbers are how far the numbers that stand at the edges of pages are from their pages'.
type pageNumbers map[int]bool

// numberedEdges returns the distances that at least so many pages have.
func numberedEdges(pages [][]row, least int) pageNumbers {
	count := map[int]int{}
	for p, rows := range pages {
		seen := map[int]bool{} // two numbers of a line count once
		for _, i := range edges(rows) {
			for _, n := range endNumbers(&rows[i]) {
				if away := n - p; !seen[away] {
					seen[away] = true
					count[away]++
				}
			}
		}
	}
	out := pageNumbers{}
	for away, n := range count {
		if n >= least {
			out[away] = true
		}
	}
	return out
}

// has reports whether a row at the edge of page p begins or ends with the page's number.
func (numbers pageNumbers) has(r *row, p int) bool {
	for _, n := range endNumbers(r) {
		if numbers[n-p] {
			return true
		}
	}
	return false
}

// endNumbers are the numbers that a row begins and ends with.
func endNumbers(r *row) (out []int) {
	words := strings.Fields(r.text())
	for _, i := range []int{0, len(words) - 1} {
		if i < 0 || i == 0 && len(out) > 0 {
			continue
		}
		if n, err := strconv.Atoi(words[i]); err == nil && n > 0 && len(words[i]) <= 5 {
			out = append(out, n)
		}
	}
	return out
}

// titles are the words of rows that stand within pages.
type titles map[string]bool

// titlesWithin returns those of all pages.
func titlesWithin(pages [][]row) titles {
	out := titles{}
	for _, rows := range pages {
		within := map[int]bool{}
		for _, i := range edges(rows) {
			within[i] = true
		}
		for i := range rows {
			if text := rows[i].text(); !within[i] && len(text) <= maxHeading {
				out[titleKey(text)] = true
			}
		}
	}
	return out
}

// have reports whether a line with a page number has the words of such a row, perhaps behind
// others: "24 Chapter 4. Source packages".
func (t titles) have(r *row) bool {
	words := strings.Fields(titleKey(r.text()))
	if n := len(words); n > 1 && strings.Trim(words[n-1], "0123456789") == "" {
		words = words[:n-1]
	}
	for i := range words {
		if t[strings.Join(words[i:], " ")] {
			return true
		}
	}
	return false
}
