package guess

import (
	"slices"
	"strings"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/htmlindex"
)

// needless are names of encodings that a text is in only where that shows without them.
var needless = []string{"utf-8", "iso-2022-jp", "replacement", "x-user-defined"}

// Named returns the encoding that a person names, by a name that is registered or that browsers
// know, in any case. It is nil where none is called so, and where naming it would change nothing,
// as of UTF-8.
func Named(name string) encoding.Encoding {
	for _, s := range singles {
		if strings.EqualFold(s.name, name) {
			return s.charmap
		}
	}
	e, err := htmlindex.Get(name)
	if err != nil {
		return nil
	}
	usual, _ := htmlindex.Name(e) // "" of none, which is not needless
	if slices.Contains(needless, usual) {
		return nil
	}
	return e
}

// Nearest returns the name of an encoding that a wrong name is most like.
func Nearest(name string) (nearest string) {
	name = strings.ToLower(name)
	least := -1
	try := func(known string) {
		if d := distance(name, strings.ToLower(known)); least < 0 || d < least {
			nearest, least = known, d
		}
	}
	for _, s := range singles {
		try(s.name)
	}
	for _, d := range doubles {
		try(d.name)
	}
	return nearest
}

// distance returns how many bytes have to be put in, taken out or replaced to make b of a
// (Levenshtein 1966).
func distance(a, b string) int {
	row := make([]int, len(b)+1) // distances of what was read of a to the beginnings of b
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			replaced := diagonal
			if a[i] != b[j] {
				replaced++
			}
			diagonal = row[j+1]
			row[j+1] = min(replaced, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
