package testanswer

import (
	"testing"

	"dowse/models/modeltest"
)

// Names of the models that Install adds: a small model that writes, and an adapter on it
// that was trained to answer.
const (
	Writer  = "writer"
	Trained = "trained"
)

// Install adds both models, of files in new folders.
func Install(t testing.TB, add func(name, path, adapter string) error) {
	t.Helper()
	files, err := modeltest.Adapter{Base: modeltest.Decoders()["llama"], Seed: 11}.Files()
	if err != nil {
		t.Fatal(err)
	}
	files["dowse.json"] = []byte(`{"role": "answerer", "prompt": "passages", "decline_from": 0.895, "short_first": true}`)
	base, adapter := t.TempDir(), t.TempDir()
	for folder, files := range map[string]map[string][]byte{base: WriterFiles(t), adapter: files} {
		if err := modeltest.Write(folder, files); err != nil {
			t.Fatal(err)
		}
	}
	if err := add(Writer, base, ""); err != nil {
		t.Fatal(err)
	}
	if err := add(Trained, Writer, adapter); err != nil {
		t.Fatal(err)
	}
}
