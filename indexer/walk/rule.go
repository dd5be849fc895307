package walk

import (
	"io/fs"
	"path/filepath"
	"strings"

	"dowse/indexer/ignore"
	"dowse/indexer/paths"
	"dowse/indexer/skip"
)

// Rule is what the settings say of a folder and all below it.
type Rule struct {
	Folder  string // absolute and resolved
	Exclude *ignore.Patterns
	Takes   func(path string) bool // whether a file is of a type that is taken; nil: all are
}

// Excluded returns the pattern by which an entry at or below the folder is left out, or a folder on the way to it;
// "" where none does.
func (r *Rule) Excluded(path string, isDir bool) string {
	rest, below := strings.CutPrefix(path, strings.TrimSuffix(r.Folder, string(filepath.Separator))+string(filepath.Separator))
	if !below || r.Exclude == nil {
		return ""
	}
	rest = filepath.ToSlash(rest)
	for at, c := range []byte(rest) {
		if c == '/' {
			if by := r.Exclude.Match(rest[:at], true); by != "" {
				return by
			}
		}
	}
	return r.Exclude.Match(rest, isDir)
}

// ruledOut decides about an entry by the rules of the settings; nil means that it stays.
func (o *Options) ruledOut(path string, mode fs.FileMode) *Skip {
	for i := range o.Rules {
		r := &o.Rules[i]
		switch {
		case !paths.Within(path, r.Folder):
		case r.Excluded(path, mode.IsDir()) != "":
			return &Skip{Path: path, Reason: skip.Excluded, IsDir: mode.IsDir()}
		case !mode.IsDir() && r.Takes != nil && !r.Takes(path):
			return &Skip{Path: path, Reason: skip.OtherType}
		}
	}
	return nil
}
