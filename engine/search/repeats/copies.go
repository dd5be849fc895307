package repeats

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"

	"dowse/internal/pattern"
)

// copyMarks are what programs put into the name of a copy that they make beside a file: Syncthing,
// Dropbox, Nextcloud, ownCloud, Seafile, pCloud, rclone, browsers and file managers.
var copyMarks = pattern.New(`(?i)` + strings.Join([]string{
	`\.sync-conflict-[0-9]{8}-[0-9]{6}(-[0-9A-Z]+)?`,
	` ?\([^()]*conflict(ed copy)?[ _][^()]*\)`,
	` ?\((conflict|conflicted copy)\)`,
	`[._-]conflict-?[0-9]+(-[0-9]+)*`,
	`\.\.path[12]`,
	` ?\([0-9]{1,2}\)`,
	` - (copy|kopie|copie|copia)( [0-9]+)?`,
	` (copy|kopie)( [0-9]+)?`,
}, "|"))

// copiedFrom returns the path of the file that a path names itself a copy of, "" where it does not.
func copiedFrom(path string) string {
	dir, name := filepath.Split(path)
	ext := filepath.Ext(name)
	stem := strings.TrimSuffix(name, ext)
	if strings.HasPrefix(ext, ".path") { // rclone puts its mark last
		stem, ext = name, ""
	}
	stem = strings.TrimPrefix(stem, "Copy of ")
	all := copyMarks.FindAllStringIndex(stem, -1)
	if n := len(all); n > 0 && all[n-1][1] == len(stem) {
		stem = stem[:all[n-1][0]]
	}
	if stem == "" || stem+ext == name {
		return ""
	}
	return dir + stem + ext
}

// asideFolders are those in which programs and people put what they have elsewhere.
var asideFolders = []string{"bak", "backup", "backups", "old", "archive", "trash", "history", "versions"}

// plainer orders paths of files that say the same: the plainest, which stands for the others, comes
// first. That is one which does not name itself a copy, lies in no folder of backups, and then the shortest.
func plainer(a, b string) int {
	flaws := func(path string) (n int) {
		if copiedFrom(path) != "" {
			n += 2
		}
		folders := strings.Split(strings.ToLower(filepath.ToSlash(filepath.Dir(path))), "/")
		if slices.ContainsFunc(folders, func(dir string) bool { return slices.Contains(asideFolders, dir) }) {
			n++
		}
		return n
	}
	return cmp.Or(flaws(a)-flaws(b), strings.Count(a, "/")-strings.Count(b, "/"), len(a)-len(b), strings.Compare(a, b))
}
