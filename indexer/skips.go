package indexer

import (
	"encoding/json"
	"fmt"
	"slices"

	"dowse/indexer/skip"
	"dowse/store"
)

// skips counts the files and folders that were left out: root -> reason ->
// count.
type skips map[string]map[string]int

// add counts one more.
func (s skips) add(root string, reason skip.Reason) {
	if s[root] == nil {
		s[root] = map[string]int{}
	}
	s[root][string(reason)]++
}

// total sums over the roots.
func (s skips) total() map[string]int {
	sum := map[string]int{}
	for _, counts := range s {
		for reason, n := range counts {
			sum[reason] += n
		}
	}
	return sum
}

// skippedKey is where the counts are kept, as a JSON object.
const skippedKey = "skipped"

// noteSkips replaces the counts of the roots among paths, which were looked at
// whole, and forgets those of roots that are none any more.
func (ix *Indexer) noteSkips(paths []string, found skips) error {
	return ix.commitError(ix.opts.Store.Update(func(tx *store.Tx) error {
		before, err := readSkips(tx)
		if err != nil {
			return err
		}
		roots, err := tx.Roots()
		if err != nil {
			return err
		}
		now := skips{}
		for _, root := range roots {
			counts := before[root]
			if slices.Contains(paths, root) {
				counts = found[root]
			}
			if len(counts) > 0 {
				now[root] = counts
			}
		}
		data, err := json.Marshal(now)
		if err != nil {
			return err
		}
		return tx.PutMeta(skippedKey, data)
	}))
}

func readSkips(tx *store.Tx) (skips, error) {
	all := skips{}
	data, err := tx.Meta(skippedKey)
	if err != nil || data == nil {
		return all, err
	}
	if err := json.Unmarshal(data, &all); err != nil {
		return nil, fmt.Errorf("counts of skipped files: %w", err)
	}
	return all, nil
}

// Skipped counts the files that were left out of the index, by reason.
func (ix *Indexer) Skipped() (sum map[string]int, err error) {
	err = ix.opts.Store.View(func(tx *store.Tx) error {
		all, err := readSkips(tx)
		sum = all.total()
		return err
	})
	return sum, err
}
