package indexer

import (
	"encoding/json"
	"fmt"
	"slices"

	"dowse/indexer/paths"
	"dowse/store"
)

// An empty folder stands where a disk is not mounted. So that it is not taken for one whose files were deleted, the
// index notes on which mount points a root lies and which lie in it, and what is not mounted now is as it was.

// arrivals returns the mount points inside of roots, of which no event tells, if anything was mounted or unmounted since
// the last look. It does not ask what: another disk at the same place looks like the one before.
func (t *mountTable) arrivals(roots []string) (arrived []string) {
	if !t.changed() {
		return nil
	}
	return slices.DeleteFunc(mountPoints(), func(at string) bool { return !paths.WithinAny(at, roots) })
}

// metaMounts is where the index keeps them: mount points by root, as JSON.
const metaMounts = "mounts"

// readMounts returns the mount points of roots, as they were when the roots were looked at last.
func readMounts(tx *store.Tx) (map[string][]string, error) {
	all := map[string][]string{}
	data, err := tx.Meta(metaMounts)
	if err != nil || data == nil {
		return all, err
	}
	if err := json.Unmarshal(data, &all); err != nil {
		return nil, fmt.Errorf("mount points of folders: %w", err)
	}
	return all, nil
}

// noteMounts notes the mount points of roots that were looked at, and forgets those of roots that are none any more.
func noteMounts(tx *store.Tx, looked []string) error {
	before, err := readMounts(tx)
	if err != nil {
		return err
	}
	roots, err := tx.Roots()
	if err != nil {
		return err
	}
	mounted := mountPoints()
	now := map[string][]string{}
	for _, root := range roots {
		at := before[root]
		if slices.Contains(looked, root) {
			away := slices.DeleteFunc(slices.Clone(at), func(m string) bool { return slices.Contains(mounted, m) })
			at = mountsOf(root, mounted, away...)
		}
		if len(at) > 0 {
			now[root] = at
		}
	}
	if len(now) == 0 && len(before) == 0 {
		return nil
	}
	data, err := json.Marshal(now)
	if err != nil {
		return err
	}
	return tx.PutMeta(metaMounts, data)
}

// mountsOf returns the mount points that a root lies on or that lie in it, but for that of everything, and adds some.
func mountsOf(root string, mounted []string, at ...string) []string {
	on := paths.Innermost(root, mounted)
	for _, m := range mounted {
		if m != "/" && (m == on || paths.Within(m, root)) {
			at = append(at, m)
		}
	}
	slices.Sort(at)
	return slices.Compact(at)
}

// unmounted returns the mount points of a root on which nothing is mounted now.
func (ix *Indexer) unmounted(root string) (gone []string) {
	// Damage is met elsewhere.
	_ = ix.opts.Store.View(func(tx *store.Tx) (err error) {
		gone, err = unmountedIn(tx)
		return err
	})
	return slices.DeleteFunc(gone, func(m string) bool { return !paths.Within(m, root) && !paths.Within(root, m) })
}

// unmountedIn returns the mount points of all roots on which nothing is mounted now.
func unmountedIn(tx *store.Tx) (gone []string, err error) {
	noted, err := readMounts(tx)
	if err != nil || len(noted) == 0 {
		return nil, err
	}
	mounted := mountPoints()
	for _, at := range noted {
		for _, m := range at {
			if !slices.Contains(mounted, m) {
				gone = append(gone, m)
			}
		}
	}
	return gone, nil
}
