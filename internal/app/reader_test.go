package app

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dowse/internal/registry"
	"dowse/models"
)

// readerFiles are where the weights of the reader, and those below it, lie.
func readerFiles(a *App) (adapter, base string) {
	folder := filepath.Dir(models.PackPath(a.Home.Cache, models.DefaultReader))
	return filepath.Join(folder, "adapter", "adapter_model.safetensors"), models.PackPath(a.Home.Cache, models.DefaultReranker)
}

// flipByte changes a byte in the middle of a file, which is another file after that:
// what is under a mapping stays.
func flipByte(path string) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	data[len(data)/2] ^= 0x10
	return errors.Join(os.WriteFile(path+".new", data, 0o600), os.Rename(path+".new", path))
}

// TestReaderIsListed, before and after it was unpacked, and cannot be chosen.
func TestReaderIsListed(t *testing.T) {
	app := bareApp(t)
	listed := func() (found registry.Model) {
		t.Helper()
		list, err := app.Models()
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range list {
			if m.Name == models.DefaultReader {
				found = m
			}
		}
		return found
	}
	const source = "part of dowse, on dowse-rerank-6"
	for range 2 {
		if m := listed(); m.Role != "reader" || !m.Installed || !m.InUse || m.Problem != nil || m.Bytes < 1<<20 || !strings.HasPrefix(m.Source, source) {
			t.Errorf("listed as %+v", m)
		}
		f := app.checkReader(t.Context()) // unpacks it
		if f.Level != Fine || !strings.Contains(f.Detail, "dowse-read-6, 25 MB, every block as written; on dowse-rerank-6 with an adapter, sure from ") {
			t.Errorf("the doctor finds %+v", f)
		}
	}
	if role, err := app.UseModel(models.DefaultReader); role != models.Reader || err == nil || !strings.Contains(err.Error(), "there is nothing to set") {
		t.Errorf("chosen as %q, %v", role, err)
	}
	adapter, _ := readerFiles(app)
	if err := flipByte(adapter); err != nil {
		t.Fatal(err)
	}
	if m := listed(); m.Installed || m.InUse || m.Problem == nil || !strings.Contains(m.Problem.Error(), "its adapter is damaged") {
		t.Errorf("damaged, listed as %+v", m)
	}
}

// TestDoctorReadsTheReader: it finds damage, and what it advises mends that.
func TestDoctorReadsTheReader(t *testing.T) {
	app := bareApp(t)
	if f := app.checkReader(t.Context()); f.Level != Fine {
		t.Fatalf("the doctor finds %+v", f)
	}
	adapter, base := readerFiles(app)
	for path, names := range map[string][]string{adapter: {models.DefaultReader}, base: {models.DefaultReader, models.DefaultReranker}} {
		if err := flipByte(path); err != nil {
			t.Fatal(err)
		}
		if f := app.checkReader(t.Context()); f.Level != Warning || !strings.Contains(f.Detail, "remove dowse-re") {
			t.Errorf("the doctor finds %+v", f)
		}
		for _, name := range names {
			if err := app.RemoveModel(name); err != nil {
				t.Fatal(err)
			}
		}
		if f := app.checkReader(t.Context()); f.Level != Fine {
			t.Errorf("mended, the doctor finds %+v", f)
		}
	}
}
