package indexer

import "context"

// Follow indexes what events named, as Watch does.
func (ix *Indexer) Follow(ctx context.Context, paths []string) error { return ix.follow(ctx, paths) }
