package bench

import (
	"cmp"
	"context"
	"slices"

	"dowse/indexer/skip"
	"dowse/indexer/walk"
)

// listing is the files that indexing some folders would look at.
type listing struct {
	files   []walk.Entry // sorted by path
	bytes   int64        // of all files
	skipped map[skip.Reason]int
}

// listFiles walks folders.
func listFiles(ctx context.Context, folders []string, opts walk.Options) (*listing, error) {
	l := &listing{skipped: map[skip.Reason]int{}}
	err := walk.Walk(ctx, folders, opts, func(e walk.Entry) error {
		l.files = append(l.files, e)
		l.bytes += e.Size
		return nil
	}, func(s walk.Skip) { l.skipped[s.Reason]++ })
	slices.SortFunc(l.files, func(a, b walk.Entry) int { return cmp.Compare(a.Path, b.Path) })
	return l, err
}
