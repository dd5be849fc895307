package indexer

import (
	"slices"

	"dowse/indexer/paths"
	"dowse/indexer/walk"
)

// FolderSettings are what a person says of a folder.
type FolderSettings struct {
	walk.Rule
	Paused bool // it is not looked at; what is indexed of it stays
}

// rules are what the settings say of which files are taken.
func (ix *Indexer) rules() (rules []walk.Rule) {
	if ix.opts.Settings == nil {
		return nil
	}
	for _, s := range ix.opts.Settings() {
		if s.Exclude != nil || s.Takes != nil {
			rules = append(rules, s.Rule)
		}
	}
	return rules
}

// unpaused leaves out the paths that lie in folders that are not to be looked at.
func (ix *Indexer) unpaused(all []string) []string {
	if ix.opts.Settings == nil {
		return all
	}
	var paused []string
	for _, s := range ix.opts.Settings() {
		if s.Paused {
			paused = append(paused, s.Folder)
		}
	}
	if len(paused) == 0 {
		return all
	}
	return slices.DeleteFunc(slices.Clone(all), func(path string) bool { return paths.WithinAny(path, paused) })
}

// watchedRoots are the roots that are looked at.
func (ix *Indexer) watchedRoots() ([]string, error) {
	roots, err := ix.Roots()
	return ix.unpaused(roots), err
}
