package lexical

import (
	"context"
	"slices"

	"dowse/internal/fold"
)

// definedTerm annotates chunks of source code that define a name.
func definedTerm(name string) string {
	return definedMark + cutBytes(fold.String(name), maxTermBytes-1)
}

// Defining returns the live chunks of each collection that define a name, such as Close or
// Server.Close, in any case, ascending; allow holds the allowed chunks, nil for all.
func (j *Joint) Defining(ctx context.Context, name string, allow []*Set) ([][]uint32, error) {
	chunks, term := make([][]uint32, len(j.parts)), definedTerm(name)
	var list []posting
	for i, p := range j.parts {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		var err error
		if list, err = p.Collection.postings(&cursor{r: p.Reader}, term, list[:0]); err != nil {
			return nil, err
		}
		for _, posting := range list {
			if allow[i].Has(posting.chunk) {
				chunks[i] = append(chunks[i], posting.chunk)
			}
		}
		slices.Sort(chunks[i])
	}
	return chunks, nil
}
