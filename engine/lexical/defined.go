package lexical

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"dowse/internal/fold"
)

// capitalMark stands before the folded name of a definition whose own name begins with a capital.
const capitalMark = "^"

// definedTerm annotates chunks of source code that define a name: Close, .Close of one that belongs
// to something, and Server.Close.
func definedTerm(name string) string { return definedAs(fold.String(name), IsCapital(name)) }

// definedAs is the term of a folded name.
func definedAs(folded string, capital bool) string {
	mark := definedMark
	if capital {
		mark += capitalMark
	}
	return mark + cutBytes(folded, maxTermBytes-len(mark))
}

// IsCapital reports whether a name, behind its last dot, begins with a capital.
func IsCapital(name string) bool {
	first, _ := utf8.DecodeRuneInString(name[strings.LastIndexByte(name, '.')+1:])
	return unicode.IsUpper(first)
}

// Definition is a chunk that defines a name.
type Definition struct {
	Chunk   uint32
	Member  bool // the name belongs to a type, and was looked for without it
	Capital bool // it begins with a capital
}

// Defining returns the live chunks of each collection that define a name, such as Close or
// Server.Close, in any case; allow holds the allowed chunks, nil for all.
func (j *Joint) Defining(ctx context.Context, name string, allow []*Set) ([][]Definition, error) {
	found, folded := make([][]Definition, len(j.parts)), fold.String(name)
	qualified := strings.Contains(name, ".")
	for i, p := range j.parts {
		for _, d := range []Definition{{}, {Capital: true}, {Member: true}, {Member: true, Capital: true}} {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			wanted := folded
			switch {
			case d.Member && qualified:
				continue
			case d.Member:
				wanted = "." + folded
			}
			list, err := p.Collection.postings(&cursor{r: p.Reader}, definedAs(wanted, d.Capital), nil)
			if err != nil {
				return nil, err
			}
			for _, posting := range list {
				if allow[i].Has(posting.chunk) {
					d.Chunk = posting.chunk
					found[i] = append(found[i], d)
				}
			}
		}
		slices.SortStableFunc(found[i], func(a, b Definition) int { return cmp.Compare(a.Chunk, b.Chunk) })
	}
	return found, nil
}
