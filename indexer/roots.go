package indexer

import "os"

// rootSet notices the roots for which no event comes: a folder that was added
// while the watcher runs, one that came back (a disk that is mounted again),
// and one that was replaced by another of the same name.
type rootSet struct {
	seen map[string]os.FileInfo // nil: not there when last looked at
}

// look compares the roots with what was there at the last look, and returns
// those that arrived since.
func (s *rootSet) look(roots []string) (arrived []string) {
	seen := make(map[string]os.FileInfo, len(roots))
	for _, root := range roots {
		info, err := os.Stat(root)
		if err != nil {
			seen[root] = nil
			continue
		}
		seen[root] = info
		if old := s.seen[root]; old == nil || !os.SameFile(old, info) {
			arrived = append(arrived, root)
		}
	}
	s.seen = seen
	return arrived
}

// left notes that a root was removed or renamed, if path is one. A new folder
// in its place may get the same inode, so that look alone could miss it.
func (s *rootSet) left(path string) {
	if _, known := s.seen[path]; known {
		s.seen[path] = nil
	}
}
