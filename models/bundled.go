package models

import (
	"bytes"
	"context"
	"embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"

	"dowse/models/pack"
)

// The packs that the program carries lie in bundled/NAME/model.pack, each with
// a card.md that says what it was made of.
//
//go:embed bundled
var bundled embed.FS

// errNotBundled says that this build does not carry a pack.
var errNotBundled = errors.New("this build of dowse does not carry the model")

// Bundled says whether a name is that of a model that the program carries.
func Bundled(name string) bool {
	entry, known := Lookup(name)
	return known && entry.Bundled
}

// carried opens the pack of a model that the program carries.
func carried(name string) (fs.File, error) {
	in, err := bundled.Open(path.Join("bundled", name, "model.pack"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, errNotBundled
	}
	return in, err
}

// headBytes is what carries compares of a pack: the beginning of its header,
// which holds a checksum of all the rest.
const headBytes = 4096

// carries says whether a file is the pack of that name that the program
// carries, and not that of another version of it.
func carries(name, file string) bool {
	in, err := carried(name)
	if err != nil {
		return false
	}
	defer func() { _ = in.Close() }() // in memory
	there, err := os.Open(file)
	if err != nil {
		return false
	}
	defer func() { _ = there.Close() }() // only read
	ours, err := in.Stat()
	theirs, err2 := there.Stat()
	if err != nil || err2 != nil || ours.Size() != theirs.Size() {
		return false
	}
	a, b := make([]byte, headBytes), make([]byte, headBytes)
	_, err = io.ReadFull(in, a)
	_, err2 = io.ReadFull(there, b)
	return err == nil && err2 == nil && bytes.Equal(a, b)
}

// Unpack makes sure that a model that the program carries is in a cache: in the
// first one, unless one that comes before all others of this name has it. Of
// other models it knows nothing, and does nothing.
func Unpack(ctx context.Context, caches []string, name string) error {
	if !Bundled(name) || len(caches) == 0 {
		return nil
	}
	for _, cache := range caches {
		if marker(cache, name) != "" {
			if carries(name, PackPath(cache, name)) {
				return nil
			}
			break
		}
	}
	_, err := Pull(ctx, caches[0], name, PullOptions{From: Bundle}, nil)
	return err
}

// unbundle writes a pack that the program carries to dst, at once or not at
// all.
func unbundle(name, dst string, progress func(Progress)) (err error) {
	in, err := carried(name)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, in.Close()) }()
	var size int64
	err = pack.WriteAtomically(dst, func(out *os.File) error {
		size, err = io.Copy(out, in)
		return err
	})
	if err != nil {
		return fmt.Errorf("write the pack of %s: %w", name, err)
	}
	progress(Progress{Step: "unpack " + name, Done: size, Total: size})
	return nil
}
