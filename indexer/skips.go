package indexer

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"dowse/engine"
	"dowse/indexer/skip"
	"dowse/store"
)

// skips counts the files and folders that were left out, by root.
type skips map[string]*leftBelow

// leftBelow counts the files left out below a root.
type leftBelow struct {
	Counts map[string]int      `json:"counts"`          // by reason
	Files  map[string][]string `json:"files,omitempty"` // by reason: the first of those about which a person may do something
}

// maxNamed is how many files are named for a reason.
const maxNamed = 20

// named are the reasons for which files are named: somebody meant to read them.
var named = []skip.Reason{skip.OldOffice, skip.Encrypted, skip.Damaged, skip.TooLong, skip.NoText, skip.TooLarge,
	skip.PrivateKey, skip.Passwords, skip.Tokens, skip.Binary, skip.NotText, skip.Empty, skip.NoReader, skip.Unreadable, skip.NotHere, skip.Browser}

// add counts one more.
func (s skips) add(root, path string, reason skip.Reason) {
	left := s[root]
	if left == nil {
		left = &leftBelow{Counts: map[string]int{}, Files: map[string][]string{}}
		s[root] = left
	}
	left.Counts[string(reason)]++
	if files := left.Files[string(reason)]; len(files) < maxNamed && slices.Contains(named, reason) {
		left.Files[string(reason)] = append(files, path)
	}
}

// total sums over the roots.
func (s skips) total() map[string]int {
	sum := map[string]int{}
	for _, left := range s {
		for reason, n := range left.Counts {
			sum[reason] += n
		}
	}
	return sum
}

// files joins the files named below the roots.
func (s skips) files() map[string][]string {
	all := map[string][]string{}
	for _, root := range slices.Sorted(maps.Keys(s)) {
		for reason, files := range s[root].Files {
			all[reason] = append(all[reason], files...)
		}
	}
	return all
}

// leftOutKey is where they are kept, as a JSON object.
const leftOutKey = "left out"

// noteSkips replaces what is kept of the roots among paths, which were looked at
// whole, with their mount points, and forgets that of roots that are none any more.
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
			left := before[root]
			if slices.Contains(paths, root) {
				left = found[root]
			}
			if left != nil {
				now[root] = left
			}
		}
		data, err := json.Marshal(now)
		if err != nil {
			return err
		}
		return errors.Join(tx.PutMeta(leftOutKey, data), noteMounts(tx, paths))
	}))
}

func readSkips(tx *store.Tx) (skips, error) {
	all := skips{}
	data, err := tx.Meta(leftOutKey)
	if err != nil || data == nil {
		return all, err
	}
	if err := json.Unmarshal(data, &all); err != nil {
		return nil, fmt.Errorf("counts of skipped files: %w", err)
	}
	return all, nil
}

// Left is what of the files below the roots is not in the index.
type Left struct {
	Skipped map[string]int // files and folders by reason
	ByRoot  map[string]map[string]int
	Files   map[string][]string // by reason: some of them, where somebody meant to read them
	Partial []engine.PartialFile
}

// Left returns the files that the last look at the roots left out, and the files with a missing part.
func (ix *Indexer) Left() (l Left, err error) {
	err = ix.opts.Store.View(func(tx *store.Tx) error {
		all, err := readSkips(tx)
		if err != nil {
			return err
		}
		l.Skipped, l.Files, l.ByRoot = all.total(), all.files(), map[string]map[string]int{}
		for root, left := range all {
			l.ByRoot[root] = left.Counts
		}
		l.Partial, err = partialFiles(tx)
		return err
	})
	return l, err
}

// partialFiles returns the files with a missing part, by path.
func partialFiles(tx *store.Tx) (all []engine.PartialFile, err error) {
	ids, err := tx.Marked(store.LackingMark, "", func(string) bool { return true })
	for _, id := range ids {
		f, err := tx.File(id)
		if err != nil {
			return nil, err
		}
		facts, err := tx.Facts(id)
		if err != nil {
			return nil, err
		}
		all = append(all, engine.PartialFile{Path: f.Path, Lacking: facts.Lacking})
	}
	slices.SortFunc(all, func(a, b engine.PartialFile) int { return cmp.Compare(a.Path, b.Path) })
	return all, err
}
