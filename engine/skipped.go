package engine

import (
	"cmp"
	"maps"
	"slices"
)

// quiet are the reasons for which files are left out as somebody meant it, or as they have no words.
var quiet = []string{"hidden", "ignored", "excluded", "other type", "symlink", "special", "vanished", "empty", "picture", "sound", "video"}

// Unread counts the files that were left out though somebody may miss them.
func Unread(skipped map[string]int) (n int) {
	for reason, k := range skipped {
		if !slices.Contains(quiet, reason) {
			n += k
		}
	}
	return n
}

// SkipReasons lists the reasons why files were left out, the most frequent first,
// equal ones by name.
func SkipReasons(skipped map[string]int) []string {
	return slices.SortedFunc(maps.Keys(skipped), func(a, b string) int {
		return cmp.Or(cmp.Compare(skipped[b], skipped[a]), cmp.Compare(a, b))
	})
}
