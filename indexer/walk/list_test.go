package walk_test

import (
	"cmp"
	"context"
	"slices"

	"dowse/indexer/skip"
	"dowse/indexer/walk"
)

// listing is everything a walk found.
type listing struct {
	files   []walk.Entry // sorted by path
	skips   []walk.Skip  // sorted by path
	dirs    []string     // sorted
	bytes   int64        // of all files
	skipped map[skip.Reason]int
}

// collect walks roots and collects what Walk reports.
func collect(ctx context.Context, roots []string, opts walk.Options) (*listing, error) {
	l := &listing{skipped: map[skip.Reason]int{}}
	onDir := opts.OnDir
	opts.OnDir = func(dir string) {
		l.dirs = append(l.dirs, dir)
		if onDir != nil {
			onDir(dir)
		}
	}
	onFile := func(e walk.Entry) error {
		l.files = append(l.files, e)
		l.bytes += e.Size
		return nil
	}
	onSkip := func(s walk.Skip) {
		l.skips = append(l.skips, s)
		l.skipped[s.Reason]++
	}
	if err := walk.Walk(ctx, roots, opts, onFile, onSkip); err != nil {
		return nil, err
	}
	slices.SortFunc(l.files, func(a, b walk.Entry) int { return cmp.Compare(a.Path, b.Path) })
	slices.SortFunc(l.skips, func(a, b walk.Skip) int { return cmp.Compare(a.Path, b.Path) })
	slices.Sort(l.dirs)
	return l, nil
}
