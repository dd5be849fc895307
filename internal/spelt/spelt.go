package spelt

import "strings"

// Nearest returns the name that word was meant to be: the one with the fewest differing letters,
// the first of several; "" where none is near. Case and the sign between words do not count.
func Nearest(word string, names []string) string {
	best, least := "", 0
	if word == "" {
		return ""
	}
	for _, name := range names {
		d := distance(plain(word), plain(name))
		if d > max(1, min(len(word), len(name))/3) {
			continue
		}
		if best == "" || d < least {
			best, least = name, d
		}
	}
	return best
}

func plain(s string) []rune {
	return []rune(strings.ReplaceAll(strings.ToLower(s), "-", "_"))
}

// distance counts the letters to insert, drop, change, or swap with their neighbour (optimal
// string alignment, Damerau 1964).
func distance(a, b []rune) int {
	before, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := range a {
		row[0] = i + 1
		for j := range b {
			change := last[j]
			if a[i] != b[j] {
				change++
			}
			row[j+1] = min(change, last[j+1]+1, row[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}
