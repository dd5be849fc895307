package engine

import "context"

// PackRequest asks for an index pack: the index of a folder and its text, in a file that others add.
type PackRequest struct {
	Folder string `json:"folder"` // name of an indexed folder, or an absolute path in one
	File   string `json:"file"`   // absolute path to write; a pack that is there is replaced
	NoText bool   `json:"no_text,omitempty"`
}

// PackReport is what a pack holds, or, of one that is added, what was found in it.
type PackReport struct {
	Name      string `json:"name"` // of the folder
	File      string `json:"file"`
	Files     int    `json:"files"`
	Chunks    int    `json:"chunks"`
	TextBytes int64  `json:"text_bytes"`
	Bytes     int64  `json:"bytes"` // of the file
	Model     string `json:"model"` // that embedded it
	// Stale counts the files that are left out because they changed since they were indexed, or cannot be read.
	Stale int `json:"stale,omitempty"`
	// Secrets counts the files that are left out because they hold private keys, passwords or access tokens.
	Secrets int  `json:"secrets,omitempty"`
	NoText  bool `json:"no_text,omitempty"`
	// Why it is searched by words alone; "" where it is not.
	Why string `json:"why,omitempty"`
}

// Packer writes index packs.
type Packer interface {
	// Pack writes one. What has the name of the file stays as it is until the pack is whole. emit receives progress.
	Pack(ctx context.Context, req PackRequest, emit func(Event)) (*PackReport, error)
}
