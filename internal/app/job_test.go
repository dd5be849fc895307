package app

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"dowse/internal/home"
	"dowse/internal/testanswer"
	"dowse/models/modeltest"
)

// writer is the name of a small model that writes, trained that of a job on it.
const (
	writer  = "writer"
	trained = "trained"
)

// bareApp is an app with a home of its own, in which nothing is installed.
func bareApp(t testing.TB) *App {
	t.Helper()
	dir := t.TempDir()
	a := &App{}
	a.Home = home.Home{Data: filepath.Join(dir, "index"), Cache: filepath.Join(dir, "cache")}
	a.Config.Threads = 2
	return a
}

// installTrained is an app that answers by an adapter on the model writer.
func installTrained(t testing.TB) *App {
	t.Helper()
	a, base, adapter := bareApp(t), t.TempDir(), t.TempDir()
	files, err := modeltest.Adapter{Base: modeltest.Decoders()["llama"], Seed: 11}.Files()
	if err != nil {
		t.Fatal(err)
	}
	files["dowse.json"] = []byte(`{"role": "answerer", "prompt": "passages", "decline_from": 0.895, "short_first": true}`)
	if err = errors.Join(modeltest.Write(base, testanswer.WriterFiles(t)), modeltest.Write(adapter, files)); err != nil {
		t.Fatal(err)
	}
	for _, err := range []error{
		a.AddModel(t.Context(), writer, base, "", "", nil), a.AddModel(t.Context(), trained, writer, adapter, "", nil),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	a.Config.Answerer = trained
	return a
}

// TestDoctorNamesTheJob with what it stands on and how it is done.
func TestDoctorNamesTheJob(t *testing.T) {
	a := installTrained(t)
	if f := a.checkAnswerer(t.Context()); f.Level != Fine || !strings.Contains(f.Detail, "every block as written; on writer with an adapter, prompt passages, declines from 0.895") {
		t.Errorf("the doctor says %+v", f)
	}
}
