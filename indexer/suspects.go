package indexer

import (
	"path/filepath"
	"sync"
)

// suspects are files of which an event told, or a search. They are read by the next sync that comes by them,
// whatever the system knows of them: the hash decides whether they changed. They stay suspects until what was
// read is committed.
type suspects struct {
	mu    sync.Mutex
	paths map[string]bool
}

// maxAsked is how many outdated files may wait to be looked at. More are
// forgotten: they will be found outdated again.
const maxAsked = 64

// Outdated asks Watch to read a file again that is not as it was indexed, also
// if its size and times are. It never blocks; while nobody watches, the next
// sync that comes by does it.
func (ix *Indexer) Outdated(path string) {
	select {
	case ix.asked <- path:
		ix.suspect([]string{path})
	default:
	}
}

// suspect has files be read by the next sync that comes by them. Folders among the paths are forgotten then.
func (ix *Indexer) suspect(paths []string) {
	ix.suspects.mu.Lock()
	defer ix.suspects.mu.Unlock()
	if ix.suspects.paths == nil {
		ix.suspects.paths = make(map[string]bool, len(paths))
	}
	for _, path := range paths {
		ix.suspects.paths[path] = true
	}
}

// suspectsAt takes out the suspects at and below some paths.
func (ix *Indexer) suspectsAt(paths []string) map[string]bool {
	within := make(map[string]bool, len(paths))
	for _, path := range paths {
		within[path] = true
	}
	ix.suspects.mu.Lock()
	defer ix.suspects.mu.Unlock()
	taken := map[string]bool{}
	for path := range ix.suspects.paths {
		for at, above := path, ""; at != above; at, above = filepath.Dir(at), at {
			if within[at] {
				taken[path] = true
				delete(ix.suspects.paths, path)
				break
			}
		}
	}
	return taken
}
