package walk

import (
	"cmp"
	"context"
	"slices"

	"dowse/indexer/skip"
)

// Listing is everything a walk found.
type Listing struct {
	Files   []Entry // sorted by path
	Skips   []Skip  // sorted by path
	Dirs    []string
	Bytes   int64 // of all files
	Skipped map[skip.Reason]int
}

// List walks roots and collects what Walk reports.
func List(ctx context.Context, roots []string, opts Options) (*Listing, error) {
	l := &Listing{Skipped: map[skip.Reason]int{}}
	onDir := opts.OnDir
	opts.OnDir = func(dir string) {
		l.Dirs = append(l.Dirs, dir)
		if onDir != nil {
			onDir(dir)
		}
	}
	onFile := func(e Entry) error {
		l.Files = append(l.Files, e)
		l.Bytes += e.Size
		return nil
	}
	onSkip := func(s Skip) {
		l.Skips = append(l.Skips, s)
		l.Skipped[s.Reason]++
	}
	if err := Walk(ctx, roots, opts, onFile, onSkip); err != nil {
		return nil, err
	}
	slices.SortFunc(l.Files, func(a, b Entry) int { return cmp.Compare(a.Path, b.Path) })
	slices.SortFunc(l.Skips, func(a, b Skip) int { return cmp.Compare(a.Path, b.Path) })
	slices.Sort(l.Dirs)
	return l, nil
}
