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
	"path/filepath"

	"dowse/internal/packed"
	"dowse/models/pack"
)

// bundled/NAME holds a model.pack, or an adapter's files, and a card.md of its
// origin.
//
//go:embed bundled
var bundled embed.FS

// bundle has a folder for each model that the program carries.
type bundle struct{ fs.FS }

// carried returns this program's bundle.
func carried() bundle { return bundle{bundled} }

var errNotBundled = errors.New("this build of dowse does not carry the model")

// Bundled reports whether the program carries a model, perhaps without its
// base.
func Bundled(name string) bool {
	entry, known := Lookup(name)
	return known && entry.Bundled
}

// BundledPurpose returns a carried model's purpose; nil if its pack tells it.
func BundledPurpose(name string) (*Purpose, error) {
	entry, known := Lookup(name)
	if !known || !entry.Bundled || entry.Base == "" {
		return nil, nil
	}
	j, err := carried().job(entry)
	if err != nil {
		return nil, fmt.Errorf("the model %s: %w", name, err)
	}
	return &j.Purpose, nil
}

// StaticTable returns what reads the table of static vectors that the program carries beside an embedder; nil where it
// carries none.
func StaticTable(name string) func() ([]byte, error) {
	if !Bundled(name) {
		return nil
	}
	if _, err := fs.Stat(bundled, path.Join("bundled", name, staticFile)); err != nil {
		return nil
	}
	return func() ([]byte, error) {
		in, err := carried().open(name, staticFile)
		if err != nil {
			return nil, err
		}
		data := make([]byte, in.Size())
		_, err = io.ReadFull(in, data)
		return data, errors.Join(err, in.Close())
	}
}

// Unpack makes sure that a carried model is in the first cache, unless an
// earlier one in order has it. A carried base is unpacked first; other bases
// are not looked for. Other names are ignored.
func Unpack(ctx context.Context, caches []string, name string) error {
	if !Bundled(name) || len(caches) == 0 {
		return nil
	}
	entry, _ := Lookup(name)
	if err := Unpack(ctx, caches, entry.Base); err != nil {
		return err
	}
	for _, cache := range caches {
		if marker(cache, name) != "" {
			if carried().isIn(cache, entry) {
				return nil
			}
			break
		}
	}
	err := Pull(ctx, caches[0], name, PullOptions{From: Bundle}, nil)
	return err
}

func (b bundle) open(name, file string) (*packed.File, error) {
	in, err := b.Open(path.Join("bundled", name, file))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, errNotBundled
	}
	if err != nil {
		return nil, err
	}
	return packed.Open(in)
}

// isIn reports whether a cache has the carried version of a model.
func (b bundle) isIn(cache string, e Entry) bool {
	if e.Base != "" {
		return b.hasAdapter(modelFolder(cache, e.Name), e)
	}
	return b.begins(e.Name, packFile, PackPath(cache, e.Name))
}

// begins reports whether a file has the length and beginning of a carried one:
// a pack's header, with the checksums of the rest.
func (b bundle) begins(name, file, path string) bool {
	in, err := b.open(name, file)
	if err != nil {
		return false
	}
	defer func() { _ = in.Close() }() // in memory
	there, err := os.Open(path)
	if err != nil {
		return false
	}
	defer func() { _ = there.Close() }() // read only
	theirs, err := there.Stat()
	if err != nil || in.Size() != theirs.Size() {
		return false
	}
	n := min(packed.HeadBytes, in.Size())
	x, y := make([]byte, n), make([]byte, n)
	_, err = io.ReadFull(in, x)
	_, err2 := io.ReadFull(there, y)
	return err == nil && err2 == nil && bytes.Equal(x, y)
}

// job returns an adapter's job: its dowse.json on its base's pack, whatever
// that pack's source.
func (b bundle) job(e Entry) (*Job, error) {
	in, err := b.open(e.Name, purposeFile)
	if err != nil {
		return nil, err
	}
	data, err := io.ReadAll(in)
	if err := errors.Join(err, in.Close()); err != nil {
		return nil, err
	}
	p, err := parsePurpose(data)
	if err != nil {
		return nil, err
	}
	if p.AdapterSum == "" {
		return nil, fmt.Errorf("%s lacks the adapter_sha256 by which versions are told apart", purposeFile)
	}
	return &Job{Purpose: *p, Base: e.Base}, nil
}

// hasAdapter reports whether a model's folder has the carried adapter. Users of
// the weights verify these.
func (b bundle) hasAdapter(folder string, e Entry) bool {
	want, err := b.job(e)
	if err != nil {
		return false
	}
	there, err := readJob(folder)
	if err != nil || there == nil || *there != *want || exists(filepath.Join(folder, packFile)) {
		return false
	}
	for _, file := range []string{adapterConfig, adapterWeights} {
		if !b.begins(e.Name, file, filepath.Join(there.adapter(folder), file)) {
			return false
		}
	}
	return true
}

// unbundle writes a carried model into a cache atomically.
func (b bundle) unbundle(e Entry, cache string, progress func(Progress)) error {
	var size int64
	var err error
	if e.Base != "" {
		size, err = b.unbundleAdapter(e, cache)
	} else {
		size, err = b.unbundlePack(e, PackPath(cache, e.Name))
	}
	if err != nil {
		return fmt.Errorf("unpack %s: %w", e.Name, err)
	}
	progress(Progress{Step: "unpack " + e.Name, Done: size, Total: size})
	return nil
}

func (b bundle) unbundlePack(e Entry, to string) (size int64, err error) {
	in, err := b.open(e.Name, packFile)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, in.Close()) }()
	err = pack.Write(to, func(out *os.File) (err error) {
		size, err = io.Copy(out, in)
		return err
	})
	return size, err
}

func (b bundle) unbundleAdapter(e Entry, cache string) (size int64, err error) {
	job, err := b.job(e)
	if err != nil {
		return 0, err
	}
	staging, err := newStaging(cache, e.Name)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(staging)) }()
	if err := os.Mkdir(job.adapter(staging), 0o755); err != nil {
		return 0, err
	}
	sum := ""
	for _, file := range []string{adapterConfig, adapterWeights} {
		in, err := b.open(e.Name, file)
		if err != nil {
			return 0, err
		}
		var n int64
		sum, n, err = copySummed(in, filepath.Join(job.adapter(staging), file))
		if err := errors.Join(err, in.Close()); err != nil {
			return 0, err
		}
		size += n
	}
	if sum != job.AdapterSum { // the weights come last
		return 0, fmt.Errorf("%s has the sum %s, %s says %s", adapterWeights, sum, purposeFile, job.AdapterSum)
	}
	return size, job.install(modelFolder(cache, e.Name), staging)
}
