package store

import (
	"slices"
	"sync"
)

// FileChange is what an Update did to one file.
type FileChange struct {
	ID   uint32
	File *File // as it is now; nil: deleted
}

// journalChanges is how many changes a DB remembers: eight batches or more, in less
// than a megabyte.
const journalChanges = 4096

// journal remembers what the last Updates of this process did to files, so that
// lists of files are updated and not read anew.
type journal struct {
	mu      sync.Mutex
	commits []journalEntry // without gaps, by commit
	changes int
}

type journalEntry struct {
	commit  uint64
	changes []FileChange
}

// add notes the changes of a commit before it is made, hence before any reader
// can ask for it. A failed commit left its number to the next.
func (j *journal) add(commit uint64, changes []FileChange) {
	j.mu.Lock()
	defer j.mu.Unlock()
	for n := len(j.commits); n > 0 && j.commits[n-1].commit >= commit; n = len(j.commits) {
		j.changes -= len(j.commits[n-1].changes)
		j.commits = j.commits[:n-1]
	}
	j.commits = append(j.commits, journalEntry{commit, changes})
	j.changes += len(changes)
	for j.changes > journalChanges || len(j.commits) > journalChanges {
		j.changes -= len(j.commits[0].changes)
		j.commits = slices.Delete(j.commits, 0, 1)
	}
}

// between returns the changes of the commits after one and up to another; false
// when some are forgotten.
func (j *journal) between(after, last uint64) ([]FileChange, bool) {
	j.mu.Lock()
	defer j.mu.Unlock()
	var all []FileChange
	next := after + 1
	for _, e := range j.commits {
		if e.commit == next && e.commit <= last {
			all = append(all, e.changes...)
			next++
		}
	}
	return all, next == last+1
}

// ChangesSince returns the changes after an earlier commit, in order; false
// when some are forgotten.
func (tx *Tx) ChangesSince(commit uint64) ([]FileChange, bool) {
	return tx.db.journal.between(commit, tx.Commit())
}

func (tx *Tx) note(id uint32, f *File) { tx.changes = append(tx.changes, FileChange{id, f}) }
