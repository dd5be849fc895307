package indexer

import (
	"slices"
	"time"

	"dowse/indexer/paths"
	"dowse/store"
)

// holdTime is how long a file that vanished while it is watched stays in the
// index. The system tells of a rename in two events; where they fall into two
// batches, the file that comes takes the vectors of the one that went. Searches
// do not show it meanwhile, since nothing can be read of it.
const holdTime = time.Second

// ripe divides the files that are gone into those to remove now, because their
// contents turned up elsewhere or they have been gone for a while, and those that
// wait. The caller has the turn.
func (s *session) ripe(gone []store.File) (ripe, waiting []store.File) {
	now := time.Now()
	for _, f := range gone {
		since, known := s.vanished[f.ID]
		if !known {
			since = now
		}
		if s.donors.lent[f.Hash] || known && now.Sub(since) >= s.holdFor {
			delete(s.vanished, f.ID)
			ripe = append(ripe, f)
			continue
		}
		s.vanished[f.ID] = since
		waiting = append(waiting, f)
	}
	return ripe, waiting
}

// scopesOf returns those of some scopes that one of files lies within.
func scopesOf(scopes []string, files []store.File) []string {
	return slices.DeleteFunc(slices.Clone(scopes), func(scope string) bool {
		return !slices.ContainsFunc(files, func(f store.File) bool { return paths.Within(f.Path, scope) })
	})
}
