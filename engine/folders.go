package engine

import (
	"context"
	"fmt"
	"strings"
	"time"
)

// Folder is an indexed folder: what the person says of it, what is indexed of it, and how that is kept.
type Folder struct {
	NamedFolder
	Files     int       `json:"files"`
	Chunks    int       `json:"chunks"`
	TextBytes int64     `json:"text_bytes"`
	Bytes     int64     `json:"bytes"`           // of the files
	Newest    time.Time `json:"newest,omitzero"` // change of a file; zero of none
	Model     string    `json:"model"`           // that searches of it use; "": by words alone
	State     State     `json:"state"`
	Why       string    `json:"why,omitempty"`       // of the state, where that says not all
	Elsewhere string    `json:"elsewhere,omitempty"` // a folder with the same files, of one that is gone
	Named     bool      `json:"named,omitempty"`     // the person chose the name
	Exclude   []string  `json:"exclude,omitempty"`   // patterns of what is left out
	Types     []string  `json:"types,omitempty"`     // of files that are taken; none: all
	Pack      bool      `json:"pack,omitempty"`      // Path is the file of an index pack
	// Skipped counts what was left out of it, by reason.
	Skipped map[string]int `json:"skipped,omitempty"`
}

// State is how the index of a folder stands to its files.
type State string

// The states of a folder.
const (
	Fresh     State = "fresh"     // every change is seen at once
	Polled    State = "polled"    // changes are looked for now and then
	Busy      State = "indexing"  // not all is in the index yet
	Gone      State = "gone"      // nothing is there: moved, deleted, or on a disk that is not mounted
	Refused   State = "refused"   // it may not be read, or something else than a folder is there
	Paused    State = "paused"    // the person has it left alone
	Unwatched State = "unwatched" // no process looks at it
	Packed    State = "pack"      // it is an index pack, which does not change
)

// Away reports whether the files of the folder cannot be read now.
func (f *Folder) Away() bool { return f.State == Gone || f.State == Refused }

// AwayText says of a folder that is away what that means and what to do.
func (f *Folder) AwayText() string {
	if f.Pack {
		return fmt.Sprintf("the pack %s (%s) %s; it is not searched, and dowse folders remove %s forgets it", f.Name, f.Path, f.Why, shellWord(f.Name))
	}
	text := fmt.Sprintf("%s (%s) %s; what is indexed of it is kept and cannot be shown", f.Name, f.Path, f.Why)
	switch {
	case f.Elsewhere != "":
		return text + fmt.Sprintf("; %s has the same files: dowse folders move %s %s follows it", f.Elsewhere, shellWord(f.Name), shellWord(f.Elsewhere))
	case f.State == Gone:
		return text + fmt.Sprintf("; dowse folders move %s DIR says where it is now, dowse folders remove %[1]s erases it", shellWord(f.Name))
	}
	return text
}

// shellWord is a text as a person types it in a shell.
func shellWord(text string) string {
	if strings.ContainsAny(text, " \t'\"\\$&;|<>()*?#~`!") {
		return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
	}
	return text
}

// FolderAction is what is to be done to a folder.
type FolderAction string

// The actions.
const (
	AddFolder    FolderAction = "add"    // index it by what is said of it, or change what is said of it
	RemoveFolder FolderAction = "remove" // erase what is indexed of it
	RenameFolder FolderAction = "rename"
	MoveFolder   FolderAction = "move" // it lies elsewhere now
	PauseFolder  FolderAction = "pause"
	ResumeFolder FolderAction = "resume"
)

// FolderChange is a change of a folder.
type FolderChange struct {
	Action FolderAction `json:"action"`
	Folder string       `json:"folder"`       // its name, or its absolute path
	To     string       `json:"to,omitempty"` // the new name, or the new absolute path
	// Name, Exclude and Types are what is said of a folder that is added. A nil leaves what was said before, a list adds
	// to it, and an empty text at the head of one takes the place of it.
	Name    *string   `json:"name,omitempty"`
	Exclude *[]string `json:"exclude,omitempty"`
	Types   *[]string `json:"types,omitempty"`
	// Files is the folder that has the files of a pack that is added, an absolute path; "": they are in the pack alone.
	Files string `json:"files,omitempty"`
	// Conversations has those erased that hold passages of a folder that is removed.
	Conversations bool `json:"conversations,omitempty"`
}

// FolderReport is what a change of a folder did.
type FolderReport struct {
	Folder NamedFolder  `json:"folder"`
	Index  *IndexReport `json:"index,omitempty"` // of what was indexed for it; nil where nothing was looked at
	Files  int          `json:"files"`           // that were erased
	Chunks int          `json:"chunks"`
	// Answers counts the past answers erased too: dowse does not know which files they were made of.
	Answers int `json:"answers,omitempty"`
	// Conversations hold passages of the folder, by name: erased, if that was asked for.
	Conversations []string `json:"conversations,omitempty"`
	// Later says that traces are still to be erased, because the file of the index could not be rewritten now.
	Later bool `json:"later,omitempty"`
	// Pack is what the pack holds that was added or removed; nil of a folder.
	Pack *PackReport `json:"pack,omitempty"`
}

// FolderKeeper keeps the indexed folders.
type FolderKeeper interface {
	// Folders lists the indexed folders by name.
	Folders(ctx context.Context) ([]Folder, error)
	// ChangeFolder changes one. emit receives progress and problems. What was begun of an erasure is ended by the next
	// process that owns the index, if this one ends before.
	ChangeFolder(ctx context.Context, change FolderChange, emit func(Event)) (*FolderReport, error)
}
