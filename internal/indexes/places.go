package indexes

import (
	"path/filepath"
	"slices"
	"sync/atomic"

	"dowse/engine"
	"dowse/engine/search/snapshot"
	"dowse/indexer"
	"dowse/indexer/extract"
	"dowse/indexer/ignore"
	"dowse/indexer/paths"
	"dowse/indexer/walk"
	"dowse/internal/config"
)

// folderSettings are what the settings say of folders. They change while others read them.
type folderSettings struct{ now atomic.Pointer[ofFolders] }

// ofFolders are they at one time, as the indexer has them too.
type ofFolders struct {
	said   []config.Place // as the settings have them
	places []config.Place
	rules  []indexer.FolderSettings
}

// set notes what the settings say of folders, as it is now.
func (f *folderSettings) set(places []config.Place) {
	settings := &ofFolders{said: places}
	for _, p := range places {
		if real, err := filepath.EvalSymlinks(p.Path); err == nil {
			if p.Pack == p.Path {
				p.Pack = real
			}
			p.Path = real
		}
		settings.places = append(settings.places, p)
		exclude, err := ignore.ParsePatterns(p.Exclude)
		if err != nil || len(p.Exclude) == 0 {
			exclude = nil // wrong ones were refused when the settings were read
		}
		settings.rules = append(settings.rules, indexer.FolderSettings{
			Rule: walk.Rule{Folder: p.Path, Exclude: exclude, Takes: takes(p.Types)}, Paused: p.Paused,
		})
	}
	f.now.Store(settings)
}

// move has what is said of a folder, and of what lies in it, be said of another place, until it is set anew.
func (f *folderSettings) move(from, to string) {
	places := slices.Clone(f.now.Load().places)
	for i, p := range places {
		if paths.Within(p.Path, from) {
			places[i].Path = to + p.Path[len(from):]
		}
	}
	f.set(places)
}

// rules are what the indexer has of them.
func (f *folderSettings) rules() []indexer.FolderSettings { return f.now.Load().rules }

// place is what is said of a folder.
func (f *folderSettings) place(path string) config.Place {
	for _, p := range f.now.Load().places {
		if p.Path == path {
			return p
		}
	}
	return config.Place{Path: path}
}

// takes decides whether a file is of some types, as far as its name tells; nil takes all.
func takes(types []string) func(path string) bool {
	if len(types) == 0 {
		return nil
	}
	wanted := map[string]bool{}
	for _, t := range types {
		wanted[t] = true
		for _, format := range snapshot.TypeGroups[t] {
			wanted[format] = true
		}
	}
	return func(path string) bool {
		return slices.ContainsFunc(extract.Types(path), func(t string) bool { return wanted[t] })
	}
}

// named are the indexed folders by name, as searches know them.
func (s *Stack) named() []engine.NamedFolder {
	roots, err := s.roots()
	if err != nil {
		return nil // what is damaged is told elsewhere
	}
	return nameFolders(roots, s.settings.now.Load().places)
}

// roots are those of both indexes, and packs.
func (s *Stack) roots() ([]string, error) {
	roots, err := s.indexer.Roots()
	if fi := s.folderIndex.Load(); err == nil && fi != nil {
		var more []string
		more, err = fi.indexer.Roots()
		roots = append(roots, more...)
	}
	roots = append(roots, s.packPaths()...)
	slices.Sort(roots)
	return slices.Compact(roots), err
}
