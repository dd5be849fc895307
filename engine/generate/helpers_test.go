package generate_test

import (
	"errors"
	"path/filepath"
	"testing"

	"dowse/engine/generate"
	"dowse/engine/kernel"
	"dowse/engine/transformer"
	"dowse/models/modeltest"
	"dowse/models/pack"
)

// openModel opens a small decoder with random weights, and closes it with the
// test. A window of 0 is that of the model.
func openModel(t testing.TB, m modeltest.Decoder, window int) *transformer.Decoder {
	t.Helper()
	m.Positions = 1024
	files, err := m.Files()
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	if err := modeltest.Write(folder, files); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "model.pack")
	if err := pack.Import(t.Context(), folder, path, nil); err != nil {
		t.Fatal(err)
	}
	return openPack(t, path, transformer.DecoderOptions{Threads: 2, MaxTokens: window})
}

// openPack opens a decoder, and closes it with the test.
func openPack(t testing.TB, path string, o transformer.DecoderOptions) *transformer.Decoder {
	t.Helper()
	k, err := kernel.New(kernel.Options{})
	if err != nil {
		t.Fatal(err)
	}
	d, err := transformer.OpenDecoder(t.Context(), path, k, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := errors.Join(d.Close(), k.Close()); err != nil {
			t.Error(err)
		}
	})
	return d
}

// newSequence is one that is freed with the test.
func newSequence(t testing.TB, d *transformer.Decoder) *transformer.Sequence {
	t.Helper()
	c := d.NewSequence()
	t.Cleanup(func() {
		if err := c.Free(); err != nil {
			t.Error(err)
		}
	})
	return c
}

// newGenerator is one of a decoder, with other stop tokens if any are given.
func newGenerator(t testing.TB, d *transformer.Decoder, stop ...int32) *generate.Generator {
	t.Helper()
	g, err := generate.New(generate.Model{Vocabulary: d.Vocabulary(), Window: d.MaxTokens(), Stop: stop, Tokenizer: d.Tokenizer()})
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// nowhere takes text and drops it.
func nowhere(string) error { return nil }

// generated is what a run in a fresh context makes.
func generated(t testing.TB, d *transformer.Decoder, g *generate.Generator, prompt []int32, o generate.Options) generate.Result {
	t.Helper()
	c := d.NewSequence()
	result, err := g.Run(t.Context(), c, prompt, o, nowhere)
	if err := errors.Join(err, c.Free()); err != nil {
		t.Fatal(err)
	}
	return result
}
