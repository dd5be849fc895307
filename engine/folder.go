package engine

import (
	"fmt"

	"github.com/dustin/go-humanize"
)

// FolderModel is the embedder that a folder has, or will have, in the place of the default one.
type FolderModel struct {
	Folder string `json:"folder"`
	Model  string `json:"model"` // that searches of it use; "" where they go by words alone
	Files  int    `json:"files"`
	Chunks int    `json:"chunks"`
	// To is the embedder that it moves to; "" where it does not. Searches use Model until all
	// its passages are there.
	To   string `json:"to,omitempty"`
	Done int    `json:"done,omitempty"` // passages that are there
	// Problem is why it cannot move now, or why it is searched by words alone.
	Problem string `json:"problem,omitempty"`
}

// String is what the model of a folder is, in words that follow its path.
func (f *FolderModel) String() string {
	how := f.Model
	if how == "" {
		how = "by words alone"
	}
	if f.To != "" {
		how += fmt.Sprintf(", moving to %s: %s of %s passages", f.To, humanize.Comma(int64(f.Done)), humanize.Comma(int64(max(f.Chunks, f.Done))))
	}
	if f.Problem != "" {
		how += "; " + f.Problem
	}
	return how
}
