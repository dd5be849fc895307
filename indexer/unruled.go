package indexer

import (
	"strings"

	"dowse/engine"
)

// tell says which files of rules, such as .gitignore, cannot be read. What the
// person left out is not known then, so that nothing of their folder is read; what
// was indexed while the rules were known is kept. A file is told of each time
// that everything is looked at, and otherwise once. The caller has the turn.
func (ix *Indexer) tell(problems []error, full bool) {
	if full {
		clear(ix.told)
	}
	for _, problem := range problems {
		why := strings.ReplaceAll(problem.Error(), "\n", "; ")
		if ix.told[why] {
			continue
		}
		ix.told[why] = true
		ix.opts.Emit(engine.Event{Problem: why + "; what to leave out of this folder is not known, so nothing more of it is indexed, and what was indexed is kept: make the file readable, or remove it"})
	}
}
