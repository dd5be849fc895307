package reply

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"

	"dowse/engine"
)

// ReadCursor leads to what follows of the text of a file; "" where nothing does.
func ReadCursor(text *engine.FileText) string {
	if text.Next == 0 {
		return ""
	}
	return Cursor([]string{"read", text.Path}, text.Next, text.End, text.Size)
}

// FollowRead has a request go on where a cursor leads, and returns the size that the text must still have.
func FollowRead(cursor string, req *engine.ReadRequest) (size int, err error) {
	at, err := Follow(cursor, []string{"read", req.Path}, 3)
	if err != nil {
		return 0, err
	}
	req.Offset, req.End = at[0], at[1]
	return at[2], nil
}

// LeftOut returns what is left out below some folders, or anywhere where none is named, by path, behind
// one of them.
func LeftOut(all []engine.LeftOut, in []string, after string) []engine.LeftOut {
	kept := slices.DeleteFunc(slices.Clone(all), func(l engine.LeftOut) bool {
		return l.Path <= after || len(in) > 0 && !slices.ContainsFunc(in, func(dir string) bool {
			return l.Path == dir || strings.HasPrefix(l.Path, strings.TrimSuffix(dir, string(filepath.Separator))+string(filepath.Separator))
		})
	})
	slices.SortFunc(kept, func(a, b engine.LeftOut) int { return cmp.Compare(a.Path, b.Path) })
	return kept
}
