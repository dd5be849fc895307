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

// originFile says where a model came from, in its folder.
const originFile = "origin.json"

// Origin is where a model was pulled from, and what it was made of.
type Origin struct {
	Repository string `json:"repository,omitempty"`
	Revision   string `json:"revision,omitempty"` // commit, tag or branch that was asked for
	Commit     string `json:"commit,omitempty"`   // that it was, where the hub says
	Wheel      string `json:"wheel,omitempty"`    // NAME==VERSION of the package, in the place of a repository

	Files       []OriginFile `json:"files"`
	Fingerprint string       `json:"fingerprint"` // of the pack that was made of the files, in hex
}

// OriginFile is a file that was published.
type OriginFile struct {
	Name   string `json:"name"`
	SHA256 string `json:"sha256"` // hex
	Size   int64  `json:"size"`   // bytes
}

// String says where from, in short.
func (o *Origin) String() string {
	const digits = 7 // that people write of a commit
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

// readOrigin reads the origin of the model in a folder; nil where it has none.
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

// write writes the origin into the folder of a model.
func (o *Origin) write(folder string) error {
	data, err := json.Marshal(o)
	if err != nil {
		return err
	}
	return atomicfile.WriteFile(filepath.Join(folder, originFile), data, 0o644)
}

// checkOrigin compares what a model's folder says of its origin with its name and its
// weights. What was not pulled has none, unless its name is that of a repository.
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

// sizeAt returns the bytes of a file, 0 where they cannot be told.
func sizeAt(path string) int64 {
	info, err := os.Stat(path)
	if err != nil {
		return 0
	}
	return info.Size()
}
