package safetensors

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// writeFolder writes files into a new folder.
func writeFolder(t *testing.T, files map[string][]byte) string {
	t.Helper()
	folder := t.TempDir()
	for name, data := range files {
		if err := os.WriteFile(filepath.Join(folder, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

// one returns a file with a tensor of one number, the bits of b.
func one(name string, b byte) []byte {
	return file(`{"`+name+`":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}}`, []byte{0, 0, 0, b})
}

func TestFolder(t *testing.T) {
	shards := map[string][]byte{
		"model-00002-of-00002.safetensors": one("b", 0x40),
		"model-00001-of-00002.safetensors": one("a", 0x3f),
		indexFile:                          []byte(`{"metadata":{"total_size":8},"weight_map":{"a":"model-00001-of-00002.safetensors","b":"model-00002-of-00002.safetensors"}}`),
	}
	both := map[string][]byte{singleFile: one("c", 1), indexFile: shards[indexFile]}
	for _, c := range []struct {
		files map[string][]byte
		name  string
		want  []string
		bytes string
	}{
		{map[string][]byte{singleFile: one("a", 1)}, singleFile, []string{"a"}, string(one("a", 1))},
		{shards, indexFile, []string{"a", "b"}, string(one("a", 0x3f)) + string(one("b", 0x40))},
		{both, singleFile, []string{"c"}, string(one("c", 1))},
	} {
		f, err := OpenFolder(writeFolder(t, c.files))
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, tensor := range f.Tensors() {
			names = append(names, tensor.Name)
		}
		data, err := io.ReadAll(f.Bytes())
		if err != nil || string(data) != c.bytes || f.Name() != c.name || !slices.Equal(names, c.want) {
			t.Errorf("%s: tensors %v, want %v; %d bytes, want %d; error %v", f.Name(), names, c.want, len(data), len(c.bytes), err)
		}
		if last, ok := f.Tensor(c.want[len(c.want)-1]); !ok {
			t.Errorf("%v: the last tensor is not found", c.want)
		} else if _, err := last.ReadAll(); err != nil {
			t.Error(err)
		}
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	}
}

func TestBadFoldersAreRefused(t *testing.T) {
	for _, c := range []struct {
		files map[string][]byte
		want  string
	}{
		{nil, singleFile},
		{map[string][]byte{indexFile: []byte(`{`)}, indexFile},
		{map[string][]byte{indexFile: []byte(`{"weight_map":{"a":"../x"}}`)}, `"../x" is not one of the folder`},
		{map[string][]byte{indexFile: []byte(`{"weight_map":{"a":"x"}}`)}, "x: no such file"},
		{map[string][]byte{indexFile: []byte(`{"weight_map":{"a":"x"}}`), "x": one("b", 1)}, `x has no tensor "a"`},
		{map[string][]byte{indexFile: []byte(`{"weight_map":{"a":"x"}}`), "x": one("b", 1)[:20]}, "x: not a valid safetensors file"},
		{map[string][]byte{singleFile: nil}, "too few"},
	} {
		f, err := OpenFolder(writeFolder(t, c.files))
		if err == nil {
			err = errors.Join(errors.New("no error"), f.Close())
		}
		if !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want one with %q", err, c.want)
		}
	}
}
