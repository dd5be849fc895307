package safetensors

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"

	"dowse/models/internal/smallfile"
)

// The files of a model: one, or an index and the shards that it names.
const (
	singleFile = "model.safetensors"
	indexFile  = "model.safetensors.index.json"
)

// Folder is the tensors of a model's folder, in one file or in several.
type Folder struct {
	name    string // singleFile or indexFile
	files   []*os.File
	tensors map[string]*Tensor
}

// OpenFolder opens the files of a model: singleFile, or without one the shards
// of indexFile. Of a shard, only the tensors count that the index finds there.
func OpenFolder(folder string) (*Folder, error) {
	f := &Folder{name: singleFile, tensors: map[string]*Tensor{}}
	err := f.openSingle(folder)
	if errors.Is(err, os.ErrNotExist) {
		index, absent := smallfile.Read(filepath.Join(folder, indexFile), smallfile.Index)
		switch {
		case absent == nil:
			f.name = indexFile
			err = f.openShards(folder, index)
		case !errors.Is(absent, os.ErrNotExist):
			err = absent
		}
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

func (f *Folder) openSingle(folder string) error {
	r, err := f.open(folder, singleFile)
	if err != nil {
		return err
	}
	f.tensors = r.tensors
	return nil
}

// openShards opens the files that an index names.
func (f *Folder) openShards(folder string, text []byte) error {
	var index struct {
		Files map[string]string `json:"weight_map"` // of a tensor
	}
	if err := json.Unmarshal(text, &index); err != nil {
		return fmt.Errorf("%s: %w", indexFile, err)
	}
	shards := map[string]*Reader{}
	for _, name := range slices.Compact(slices.Sorted(maps.Values(index.Files))) {
		if filepath.Base(name) != name || !filepath.IsLocal(name) {
			return fmt.Errorf("%s: the file %q is not one of the folder", indexFile, name)
		}
		r, err := f.open(folder, name)
		if err != nil {
			return err
		}
		shards[name] = r
	}
	for tensor, name := range index.Files {
		t, ok := shards[name].Tensor(tensor)
		if !ok {
			return fmt.Errorf("%s: %s has no tensor %q", indexFile, name, tensor)
		}
		f.tensors[tensor] = t
	}
	return nil
}

// open opens one file.
func (f *Folder) open(folder, name string) (*Reader, error) {
	file, err := os.Open(filepath.Join(folder, name))
	if err != nil {
		return nil, err
	}
	f.files = append(f.files, file)
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	r, err := NewReader(file, info.Size())
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return r, nil
}

// Name returns that of the file that says what there is: singleFile or indexFile.
func (f *Folder) Name() string { return f.name }

// Tensor finds a tensor by name.
func (f *Folder) Tensor(name string) (*Tensor, bool) {
	t, ok := f.tensors[name]
	return t, ok
}

// Tensors lists the tensors by name.
func (f *Folder) Tensors() []*Tensor {
	return slices.SortedFunc(maps.Values(f.tensors), func(a, b *Tensor) int { return cmp.Compare(a.Name, b.Name) })
}

// Bytes reads all files whole, one after the other by name.
func (f *Folder) Bytes() io.Reader {
	readers := make([]io.Reader, len(f.files))
	for i, file := range f.files {
		readers[i] = io.NewSectionReader(file, 0, math.MaxInt64)
	}
	return io.MultiReader(readers...)
}

// Close closes the files.
func (f *Folder) Close() error {
	var err error
	for _, file := range f.files {
		err = errors.Join(err, file.Close())
	}
	f.files = nil
	return err
}
