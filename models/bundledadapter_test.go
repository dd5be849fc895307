package models

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"dowse/internal/packed"
)

// small is an entry of an adapter that a program carries.
var small = Entry{Name: "small", Role: Answerer, Bundled: true, Base: "base"}

// smallBundle carries it, with a seed of weights of its own.
func smallBundle(t *testing.T, version int) bundle {
	t.Helper()
	folder, files := adapterOf(t, false), fstest.MapFS{}
	add := func(name string, data []byte) { files["bundled/small/"+name] = &fstest.MapFile{Data: data} }
	for _, name := range []string{adapterConfig, adapterWeights} {
		data, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil {
			t.Fatal(err)
		}
		if name == adapterWeights {
			data[len(data)-1] += byte(version) // of the last number
			sum := sha256.Sum256(data)
			add(purposeFile, fmt.Appendf(nil, `{"role": "answerer", "prompt": "passages", "decline_from": 0.5, "adapter_sha256": %q}`, hex.EncodeToString(sum[:])))
		}
		add(name, data)
	}
	return bundle{files}
}

// packedBundle carries the same files, weights as a release has them.
func packedBundle(t *testing.T, version int) bundle {
	t.Helper()
	b := smallBundle(t, version)
	weights := b.FS.(fstest.MapFS)["bundled/small/"+adapterWeights]
	var small bytes.Buffer
	if err := packed.Write(&small, weights.Data, 2); err != nil {
		t.Fatal(err)
	}
	weights.Data = small.Bytes()
	return b
}

// An adapter of the program is unpacked beside its base or before that is there,
// and works as soon as it is; so is that of a release, to the same bytes.
func TestBundledAdapter(t *testing.T) {
	plain := adapterUnbundled(t, smallBundle)
	if small := adapterUnbundled(t, packedBundle); len(plain) < 1000 || !bytes.Equal(plain, small) {
		t.Errorf("%d bytes of weights are not the %d of a release", len(plain), len(small))
	}
}

// adapterUnbundled returns the weights in the cache.
func adapterUnbundled(t *testing.T, carry func(*testing.T, int) bundle) []byte {
	t.Helper()
	cache, other := t.TempDir(), t.TempDir()
	b := carry(t, 0)
	if b.isIn(cache, small) {
		t.Error("it is there before it is")
	}
	reported := 0
	if err := b.unbundle(small, cache, func(p Progress) { reported++ }); err != nil || reported != 1 {
		t.Fatal(reported, err)
	}
	caches := []string{cache, other}
	_, err := Find(caches, "small")
	if !errors.Is(err, ErrNoBase) || !strings.Contains(err.Error(), "it stands on the model base, which is not installed; run dowse models add base") {
		t.Errorf("without its base: %v", err)
	}
	if err := Add(t.Context(), caches[1:], Addition{Name: "base", Path: writeFolder(t, decoderFiles(t))}, nil); err != nil {
		t.Fatal(err)
	}
	i, err := Find(caches, "small")
	if err != nil || i.Role() != Answerer || i.Path != PackPath(other, "base") || i.Job.DeclineFrom != 0.5 || !exists(filepath.Join(i.Adapter, adapterWeights)) {
		t.Errorf("%+v, %v", i, err)
	}
	if got, want := entries(t, cache), "models/small/adapter/adapter_config.json models/small/adapter/adapter_model.safetensors models/small/job.json"; got != want {
		t.Errorf("the cache holds %s, want %s", got, want)
	}
	if !b.isIn(cache, small) || carry(t, 1).isIn(cache, small) {
		t.Error("versions are not told apart")
	}
	weights, err := os.ReadFile(filepath.Join(i.Adapter, adapterWeights))
	if err != nil {
		t.Fatal(err)
	}
	return weights
}

// What is not as the program has it is replaced as a whole.
func TestBundledAdapterReplacesOthers(t *testing.T) {
	b, base := smallBundle(t, 2), writeFolder(t, decoderFiles(t))
	for what, spoil := range map[string]func(cache string) error{
		"another version": func(cache string) error { return smallBundle(t, 1).unbundle(small, cache, func(Progress) {}) },
		"a cut adapter": func(cache string) error {
			return errors.Join(b.unbundle(small, cache, func(Progress) {}), os.Truncate(filepath.Join(modelFolder(cache, "small"), adapterFolder, adapterWeights), 400))
		},
		"no config": func(cache string) error {
			return errors.Join(b.unbundle(small, cache, func(Progress) {}), os.Remove(filepath.Join(modelFolder(cache, "small"), adapterFolder, adapterConfig)))
		},
		"another threshold": func(cache string) error {
			err := b.unbundle(small, cache, func(Progress) {})
			j, err2 := readJob(modelFolder(cache, "small"))
			if err := errors.Join(err, err2); err != nil {
				return err
			}
			j.DeclineFrom = 0.9
			return j.write(modelFolder(cache, "small"))
		},
		"a model of one's own": func(cache string) error {
			return Add(t.Context(), []string{cache}, Addition{Name: "small", Path: base}, nil)
		},
	} {
		cache := t.TempDir()
		if err := errors.Join(Add(t.Context(), []string{cache}, Addition{Name: "base", Path: base}, nil), spoil(cache)); err != nil {
			t.Fatal(err)
		}
		if b.isIn(cache, small) {
			t.Errorf("%s passes for the program's", what)
		}
		if err := b.unbundle(small, cache, func(Progress) {}); err != nil {
			t.Fatal(err)
		}
		if i, err := Find([]string{cache}, "small"); err != nil || i.Job.DeclineFrom != 0.5 || !b.isIn(cache, small) || exists(PackPath(cache, "small")) {
			t.Errorf("%s: %+v, %v", what, i, err)
		}
	}
}

// A folder that was put together wrongly is told of, and leaves nothing behind.
func TestBrokenBundles(t *testing.T) {
	for want, spoil := range map[string]func(files fstest.MapFS){
		"does not carry the model":     func(files fstest.MapFS) { delete(files, "bundled/small/"+purposeFile) },
		"this build of dowse does not": func(files fstest.MapFS) { delete(files, "bundled/small/"+adapterWeights) },
		"lacks the adapter_sha256":     func(files fstest.MapFS) { files["bundled/small/"+purposeFile].Data = []byte(answering) },
		"decline_from is 7": func(files fstest.MapFS) {
			files["bundled/small/"+purposeFile].Data = []byte(strings.Replace(answering, "0.75", "7", 1))
		},
		"adapter_model.safetensors has": func(files fstest.MapFS) { files["bundled/small/"+adapterWeights].Data = []byte("other") },
	} {
		b, cache := smallBundle(t, 0), t.TempDir()
		spoil(b.FS.(fstest.MapFS))
		if err := b.unbundle(small, cache, func(Progress) {}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
		if got := entries(t, cache); got != "" || b.isIn(cache, small) {
			t.Errorf("%s: left %s", want, got)
		}
	}
}

// What the program carries on top of another model that it carries comes with that,
// from whichever cache, and is usable at once.
func TestUnpackWithItsBase(t *testing.T) {
	first, second := t.TempDir(), t.TempDir()
	caches := []string{first, second}
	usable := func(what, base string) {
		t.Helper()
		if err := Unpack(t.Context(), caches, DefaultReader); err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		i, err := Find(caches, DefaultReader)
		if err != nil || i.Role() != Reader || i.Config.Decoder || i.Path != PackPath(base, DefaultReranker) || i.Job.Base != DefaultReranker {
			t.Errorf("%s: %+v, %v", what, i, err)
		}
		for _, file := range i.Files() {
			if !exists(file) {
				t.Errorf("%s: there is no %s", what, file)
			}
		}
	}
	base, added := PackPath(second, DefaultReranker), filepath.Join(modelFolder(first, DefaultReader), adapterFolder, adapterWeights)
	if err := Unpack(t.Context(), caches[1:], DefaultReranker); err != nil {
		t.Fatal(err)
	}
	usable("with the base in the second cache", second)
	if exists(PackPath(first, DefaultReranker)) || !exists(added) {
		t.Errorf("the caches hold %s and %s", entries(t, first), entries(t, second))
	}
	if err := Remove(second, DefaultReranker); err != nil {
		t.Fatal(err)
	}
	if _, err := Find(caches, DefaultReader); !errors.Is(err, ErrNoBase) {
		t.Errorf("without its base: %v", err)
	}
	usable("without its base", first)
	if err := os.Truncate(PackPath(first, DefaultReranker), 5000); err != nil {
		t.Fatal(err)
	}
	usable("with a base that was cut", first)
	if err := os.Truncate(added, 5000); err != nil {
		t.Fatal(err)
	}
	usable("with an adapter that was cut", first)
	if exists(base) {
		t.Error("it was put into the second cache")
	}
	data, err := os.ReadFile(added)
	if err != nil {
		t.Fatal(err)
	}
	data[len(data)/2] ^= 1
	if err := os.WriteFile(added, data, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := Unpack(t.Context(), caches, DefaultReader); err != nil {
		t.Fatal(err)
	}
	if _, err := Find(caches, DefaultReader); err == nil || !strings.Contains(err.Error(), "its adapter is damaged") {
		t.Errorf("a damaged adapter: %v", err)
	}
	if err := Remove(first, DefaultReader); err != nil {
		t.Fatal(err)
	}
	usable("after it was removed", first)
}

// What cannot be written is an error, and leaves nothing that passes for a model.
func TestUnpackIntoAFile(t *testing.T) {
	cache := filepath.Join(t.TempDir(), "cache")
	if err := os.WriteFile(cache, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := Unpack(t.Context(), []string{cache}, DefaultReader); err == nil {
		t.Error("unpacked into a file")
	}
	if _, err := Find([]string{cache}, DefaultReader); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("found: %v", err)
	}
}
