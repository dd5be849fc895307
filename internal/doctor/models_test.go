package doctor

import (
	"path/filepath"
	"strings"
	"testing"

	"dowse/internal/app"
	"dowse/internal/home"
	"dowse/internal/testanswer"
	"dowse/internal/testenv"
	"dowse/models"
)

// writer is the name of a small model that writes, trained that of a job on it.
const (
	writer  = testanswer.Writer
	trained = testanswer.Trained
)

// bareApp is an app with a home of its own, in which nothing is installed.
func bareApp(t testing.TB) *app.App {
	t.Helper()
	dir := t.TempDir()
	a := &app.App{}
	a.Home = home.Home{Data: filepath.Join(dir, "index"), Cache: filepath.Join(dir, "cache")}
	a.Config.Threads = 2
	return a
}

// installTrained is an app that answers by an adapter on the model writer.
func installTrained(t testing.TB) *app.App {
	t.Helper()
	a := bareApp(t)
	testanswer.Install(t, func(name, path, adapter string) error {
		return a.AddModel(t.Context(), name, path, adapter, "", nil)
	})
	a.Config.Answerer = trained
	return a
}

// TestDoctorNamesTheJob with what it stands on and how it is done.
func TestDoctorNamesTheJob(t *testing.T) {
	a := installTrained(t)
	if f := of(a).checkAnswerer(t.Context()); f.Level != Fine || !strings.Contains(f.Detail, "every block as written; on writer with an adapter, prompt passages, declines from 0.895") {
		t.Errorf("the doctor says %+v", f)
	}
}

// TestDoctorReadsTheReader: it finds damage, and what it advises mends that.
func TestDoctorReadsTheReader(t *testing.T) {
	a := bareApp(t)
	if f := of(a).checkReader(t.Context()); f.Level != Fine || !strings.Contains(f.Detail, "dowse-read-6, 25 MB, every block as written; on dowse-rerank-6 with an adapter, sure from ") {
		t.Fatalf("the doctor finds %+v", f)
	}
	folder := filepath.Dir(models.PackPath(a.Home.Cache, models.DefaultReader))
	adapter, base := filepath.Join(folder, "adapter", "adapter_model.safetensors"), models.PackPath(a.Home.Cache, models.DefaultReranker)
	for path, names := range map[string][]string{adapter: {models.DefaultReader}, base: {models.DefaultReader, models.DefaultReranker}} {
		if err := testenv.FlipByte(path); err != nil {
			t.Fatal(err)
		}
		if f := of(a).checkReader(t.Context()); f.Level != Warning || !strings.Contains(f.Detail, "remove dowse-re") {
			t.Errorf("the doctor finds %+v", f)
		}
		for _, name := range names {
			if err := a.RemoveModel(name); err != nil {
				t.Fatal(err)
			}
		}
		if f := of(a).checkReader(t.Context()); f.Level != Fine {
			t.Errorf("mended, the doctor finds %+v", f)
		}
	}
}
