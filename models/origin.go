package models

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"dowse/internal/atomicfile"
	"dowse/models/internal/smallfile"
)

const originFile = "origin.json"

// Origin is a pulled model's source.
type Origin struct {
	Repository string `json:"repository,omitempty"`
	Revision   string `json:"revision,omitempty"` // requested commit, tag or branch
	Commit     string `json:"commit,omitempty"`   // if the hub tells it
	Wheel      string `json:"wheel,omitempty"`    // NAME==VERSION of the package instead of a repository

	Files       []OriginFile `json:"files"`
	Fingerprint string       `json:"fingerprint"` // of the resulting pack, hex
}

// OriginFile is a published file.
type OriginFile struct {
	Name   string `json:"name"`
	SHA256 string `json:"sha256"` // hex
	Size   int64  `json:"size"`   // bytes
}

// String names the source briefly.
func (o *Origin) String() string {
	const digits = 7 // usual for commits
	switch from := o.Commit; {
	case o.Wheel != "":
		return o.Wheel
	case len(from) > digits:
		return o.Repository + "@" + from[:digits]
	case from == "" && len(o.Revision) > 4*digits:
		return o.Repository + "@" + o.Revision[:digits]
	}
	return o.Repository + "@" + o.Revision
}

// readOrigin reads a folder's origin; nil if it has none.
func readOrigin(folder string) (*Origin, error) {
	data, err := smallfile.Read(filepath.Join(folder, originFile), smallfile.Job)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	o := &Origin{}
	if err == nil {
		err = json.Unmarshal(data, o)
	}
	if err != nil {
		return nil, fmt.Errorf("%s is damaged: %w: pull the model again", originFile, err)
	}
	return o, nil
}

func (o *Origin) write(folder string) error {
	data, err := json.Marshal(o)
	if err != nil {
		return err
	}
	return atomicfile.WriteFile(filepath.Join(folder, originFile), data, 0o644)
}

// checkOrigin compares a folder's origin with its name and weights. Only pulled
// models have an origin, and repositories' names need one.
func checkOrigin(o *Origin, name string, sum [32]byte) error {
	repository, revision := splitName(name)
	switch {
	case repository == "" && o == nil:
		return nil
	case o == nil || repository != "" && (o.Repository != repository || revision != "" && o.Revision != revision):
		return fmt.Errorf("nothing says that it is %s: pull it again", name)
	case o.Fingerprint != hex.EncodeToString(sum[:]):
		return fmt.Errorf("it is not what was pulled from %s: pull it again", o)
	}
	return nil
}

// sizeAt returns a file's bytes; 0 if unknown.
func sizeAt(path string) int64 {
	info, err := os.Stat(path)
	if err != nil {
		return 0
	}
	return info.Size()
}
