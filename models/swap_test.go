package models

import (
	"context"
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"dowse/models/modeltest"
	"dowse/models/pack"
)

// installDecoder adds a small decoder to a cache.
func installDecoder(t *testing.T, cache, name string) {
	t.Helper()
	if err := Add(t.Context(), []string{cache}, Addition{Name: name, Path: writeFolder(t, decoderFiles(t))}, nil); err != nil {
		t.Fatal(err)
	}
}

// A decoder is converted once, again with other options, and loses its pack when it
// is told to; its job goes on with what is left.
func TestSwap(t *testing.T) {
	user, cache := t.TempDir(), t.TempDir()
	caches := []string{cache, user}
	installDecoder(t, user, "base")
	var asked []string
	for _, job := range []Addition{
		{Name: "scores", Path: "base", Adapter: adapterOf(t, true), Check: fits(&asked)},
		{Name: "answers", Path: "base", Adapter: trainedFor(t, answering, false), Check: fits(&asked)},
	} {
		if err := Add(t.Context(), caches, job, nil); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := Swap(t.Context(), caches, "base", SwapOptions{Bits: 8, GroupLayers: 2, Replace: true}, nil); err == nil || !strings.Contains(err.Error(), "the reranker scores needs its ordinary form") {
		t.Errorf("under a reranker: %v", err)
	}
	if err := Remove(cache, "scores"); err != nil {
		t.Fatal(err)
	}
	for i, c := range []struct {
		o                           SwapOptions
		converted, removed, hasPack bool
	}{
		{SwapOptions{Bits: 8, GroupLayers: 2}, true, false, true},
		{SwapOptions{Bits: 8, GroupLayers: 2}, false, false, true},
		{SwapOptions{Bits: 4, GroupLayers: 2}, true, false, true},
		{SwapOptions{Bits: 4, GroupLayers: 1, Replace: true}, true, true, false},
		{SwapOptions{Bits: 4, GroupLayers: 1, Replace: true}, false, false, false},
	} {
		reported := Progress{}
		s, err := Swap(t.Context(), caches, "base", c.o, func(p Progress) { reported = p })
		if err != nil || s.Converted != c.converted || s.Removed != c.removed || s.Bits != c.o.Bits || s.GroupLayers != c.o.GroupLayers ||
			s.Bytes == 0 || (s.PackBytes > 0) != (c.hasPack || c.removed) {
			t.Fatalf("%d: %+v, %v", i, s, err)
		}
		if c.converted && (reported.Done != s.Bytes || reported.Total != s.Bytes || reported.Step != "convert base") {
			t.Errorf("%d: the last report is %+v of %d bytes", i, reported, s.Bytes)
		}
		for _, name := range []string{"base", "answers"} {
			found, err := Find(caches, name)
			path := PackPath(user, "base")
			if !c.hasPack {
				path = RowsPath(user, "base")
			}
			if err != nil || found.Path != path || found.Rows != RowsPath(user, "base") || !found.Config.Decoder || found.Files()[0] != path {
				t.Errorf("%d: %+v, %v", i, found, err)
			}
		}
		if path, err := WeightsPath(user, "base"); err != nil || (path == PackPath(user, "base")) != c.hasPack {
			t.Errorf("%d: the weights lie at %s (%v)", i, path, err)
		}
	}
	if _, err := Swap(t.Context(), caches, "base", SwapOptions{Bits: 8, GroupLayers: 1}, nil); err == nil || !strings.Contains(err.Error(), "only its row pack of 4 bits") {
		t.Errorf("without a pack: %v", err)
	}
	if err := Remove(user, "base"); err != nil || entries(t, user) != "" {
		t.Errorf("%q is left (%v)", entries(t, user), err)
	}
}

// A row pack of another pack is none, and is made again.
func TestRowsOfAnotherPack(t *testing.T) {
	cache := t.TempDir()
	installDecoder(t, cache, "base")
	o := SwapOptions{Bits: 8, GroupLayers: 1}
	if _, err := Swap(t.Context(), []string{cache}, "base", o, nil); err != nil {
		t.Fatal(err)
	}
	other, decoder := t.TempDir(), modeltest.Decoders()["llama-linear"]
	files, err := decoder.Files()
	if err == nil {
		err = Add(t.Context(), []string{other}, Addition{Name: "x", Path: writeFolder(t, files)}, nil)
	}
	if err == nil {
		_, err = Swap(t.Context(), []string{other}, "x", o, nil)
	}
	if err != nil {
		t.Fatal(err)
	}
	sound, err := os.ReadFile(RowsPath(cache, "base"))
	another, err2 := os.ReadFile(RowsPath(other, "x"))
	if err := errors.Join(err, err2); err != nil {
		t.Fatal(err)
	}
	damaged := slices.Clone(sound)
	damaged[len(damaged)-4096] ^= 1 // of the output's norm
	for what, data := range map[string][]byte{"another model's": another, "cut": sound[:8192], "no row pack": []byte("x"), "damaged": damaged} {
		if err := os.WriteFile(RowsPath(cache, "base"), data, 0o600); err != nil {
			t.Fatal(err)
		}
		if what == "damaged" { // which its header does not tell
			if _, err := VerifyWeights(t.Context(), RowsPath(cache, "base")); !errors.Is(err, pack.ErrCorrupt) {
				t.Errorf("damage is not found: %v", err)
			}
		} else if i, err := Find([]string{cache}, "base"); err != nil || i.Rows != "" || i.Path != PackPath(cache, "base") {
			t.Errorf("%s: %+v, %v", what, i, err)
		}
		if s, err := Swap(t.Context(), []string{cache}, "base", o, nil); err != nil || !s.Converted {
			t.Errorf("%s: %+v, %v", what, s, err)
		}
		if _, err := VerifyWeights(t.Context(), RowsPath(cache, "base")); err != nil {
			t.Errorf("%s: afterwards: %v", what, err)
		}
	}
}

// What is stopped leaves the model as it was.
func TestSwapIsCancelled(t *testing.T) {
	cache := t.TempDir()
	installDecoder(t, cache, "base")
	before := entries(t, cache)
	ctx, cancel := context.WithCancel(t.Context())
	_, err := Swap(ctx, []string{cache}, "base", SwapOptions{Bits: 4, GroupLayers: 2, Replace: true}, func(Progress) { cancel() })
	if !errors.Is(err, context.Canceled) || entries(t, cache) != before {
		t.Errorf("%v; the cache holds %s", err, entries(t, cache))
	}
	if _, err := Swap(t.Context(), []string{cache}, "absent", SwapOptions{Bits: 8, GroupLayers: 2}, nil); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("an absent model: %v", err)
	}
}

// soundThresholds are for a model of two layers.
func soundThresholds(sum [32]byte) *Thresholds {
	layers := [][]float32{{0.5, 0, 1e-30, 2}, {1, 2, 3, 3.4e38}}
	return &Thresholds{
		Model: hex.EncodeToString(sum[:]), Text: "notes", Tokens: 100, Perplexity: 17, Distilled: 0.6,
		Levels: []SparsityLevel{
			{Sparsity: 0.3, Measured: 0.31, Perplexity: 17.5, Thresholds: layers},
			{Sparsity: 0.5, Measured: 0.49, Perplexity: 20, Thresholds: layers},
		},
	}
}

func TestThresholds(t *testing.T) {
	sum, c := [32]byte{7}, pack.Config{Layers: 2}
	path := Installation{Path: PackPath(t.TempDir(), "x")}.ThresholdsPath()
	if _, err := ReadThresholds(path, sum, c); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("absent ones: %v", err)
	}
	want := soundThresholds(sum)
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), want.Write(path)); err != nil {
		t.Fatal(err)
	}
	got, err := ReadThresholds(path, sum, c)
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, %v", got, err)
	}
	for sparsity, want := range map[float64]float64{0: 0, 0.29: 0, 0.3: 0.3, 0.45: 0.3, 0.5: 0.5, 0.9: 0.5} {
		got := got.Level(sparsity)
		if (got == nil) != (want == 0) || got != nil && got.Sparsity != want {
			t.Errorf("for a sparsity of %g: %+v", sparsity, got)
		}
	}
	if _, err := ReadThresholds(path, [32]byte{8}, c); !errors.Is(err, ErrOtherWeights) {
		t.Errorf("for other weights: %v", err)
	}
	if _, err := ReadThresholds(path, sum, pack.Config{Layers: 3}); err == nil {
		t.Error("for more layers they are read")
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ from, to, says string }{
		{`"tokens":100`, `"tokens":0`, "0 tokens"},
		{`"text":"notes"`, `"text":""`, "of \"\""},
		{`"perplexity":17,`, `"perplexity":0.5,`, "perplexity of 0.5"},
		{`"distilled":0.6`, `"distilled":1`, "distilled for a sparsity of 1"},
		{`"distilled"`, `"distil"`, "unknown field"},
		{`"sparsity":0.5`, `"sparsity":0.3`, "sparsity 0.3 after 0.3"},
		{`"sparsity":0.5`, `"sparsity":1`, "less than 1"},
		{`"measured":0.49`, `"measured":1.5`, "1.5 were measured"},
		{`[0.5,0,`, `[0.5,-1,`, "layer 0, output, is -1"},
		{`[0.5,0,`, `[0.5,`, "3 thresholds of layer 0"},
		{`,3.4e+38]`, `,3.4e+39]`, "cannot unmarshal"},
		{`"levels":[`, `"levels":[],"x":[`, "unknown field"},
		{string(data), `{"model":"` + want.Model + `","text":"n","tokens":1,"perplexity":2,"levels":[]}`, "no level"},
		{string(data), `{`, "unexpected EOF"},
	} {
		changed := strings.Replace(string(data), c.from, c.to, 1)
		if err := os.WriteFile(path, []byte(changed), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := ReadThresholds(path, sum, pack.Config{Layers: 2}); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v", c.to, err)
		}
	}
}
