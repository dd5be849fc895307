package indexer

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"dowse/engine"
	"dowse/indexer/ignore"
)

// maxUnread is how many folders and files of rules are told of one by one at a time.
const maxUnread = 5

// reportUnread says which folders, and which files of rules, such as .gitignore, cannot be read. Where rules are
// not known, what the person left out is not, so that nothing of their folder is read; what was indexed
// before is kept. Each is told of when everything is looked at, and otherwise once. The caller has the turn.
func (ix *Indexer) reportUnread(problems []error, full bool) {
	if full {
		clear(ix.told)
	}
	news := 0
	for _, problem := range problems {
		why := unreadable(problem)
		if ix.told[why] {
			continue
		}
		ix.told[why] = true
		if news++; news <= maxUnread {
			ix.opts.Emit(engine.Event{Problem: why})
		}
	}
	if news > maxUnread {
		ix.opts.Emit(engine.Event{Problem: fmt.Sprintf("folders, or files of rules, that cannot be read either: %d; dowse status --skipped lists what is left out", news-maxUnread)})
	}
}

// unreadable says what cannot be read, and what to do about that.
func unreadable(problem error) string {
	denied := errors.Is(problem, fs.ErrPermission)
	var folder *ignore.FolderError
	if errors.As(problem, &folder) {
		todo := "look to its disk"
		if denied {
			todo = "make it readable (chmod u+rx), or name it in a file .dowseignore above it"
		}
		return fmt.Sprintf("the folder %s cannot be read (%v); nothing more of it is indexed, and what was indexed is kept: %s", folder.Folder, folder.Err, todo)
	}
	todo := "shorten the file, or remove it"
	if denied {
		todo = "make the file readable (chmod u+r), or remove it"
	}
	return strings.ReplaceAll(problem.Error(), "\n", "; ") + "; what to leave out of this folder is not known, so nothing more of it is indexed, and what was indexed is kept: " + todo
}
