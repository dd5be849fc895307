package registry

import (
	"path/filepath"
	"strings"
	"testing"

	"dowse/internal/testenv"
	"dowse/models"
)

// TestReaderIsListed, before and after it was unpacked, and cannot be chosen.
func TestReaderIsListed(t *testing.T) {
	r := bare(t)
	listed := func() (found Model) {
		t.Helper()
		list, err := r.Models()
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
		if _, err := r.FindModel(models.DefaultReader); err != nil { // unpacks it
			t.Fatal(err)
		}
	}
	if role, err := r.UseModel(models.DefaultReader); role != models.Reader || err == nil || !strings.Contains(err.Error(), "there is nothing to set") {
		t.Errorf("chosen as %q, %v", role, err)
	}
	adapter := filepath.Join(filepath.Dir(models.PackPath(r.Home.Cache, models.DefaultReader)), "adapter", "adapter_model.safetensors")
	if err := testenv.FlipByte(adapter); err != nil {
		t.Fatal(err)
	}
	if m := listed(); m.Installed || m.InUse || m.Problem == nil || !strings.Contains(m.Problem.Error(), "its adapter is damaged") {
		t.Errorf("damaged, listed as %+v", m)
	}
}
