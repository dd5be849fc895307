package models

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestFindPDFium(t *testing.T) {
	t.Setenv(PDFiumVariable, "")
	cache := t.TempDir()
	if _, err := FindPDFium(cache); !errors.Is(err, ErrNoPDFium) || !strings.Contains(err.Error(), "dowse models pull pdfium") {
		t.Errorf("an empty cache: %v", err)
	}
	file := filepath.Join(t.TempDir(), "a.wasm")
	t.Setenv(PDFiumVariable, file)
	if _, err := FindPDFium(cache); !errors.Is(err, ErrNoPDFium) || !strings.Contains(err.Error(), PDFiumVariable) {
		t.Errorf("a named file that is not there: %v", err)
	}
	if err := os.WriteFile(file, []byte("wasm"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got, err := FindPDFium(cache); err != nil || got != file {
		t.Errorf("a named file: %q, %v", got, err)
	}
}

func TestEnsurePDFiumChecksWhatItInstalls(t *testing.T) {
	t.Setenv(PDFiumVariable, "")
	folder, cache := t.TempDir(), t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, pdfiumFile), []byte("something else"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := EnsurePDFium(context.Background(), cache, PullOptions{From: Folder, Folder: folder}, nil)
	if err == nil || !strings.Contains(err.Error(), "sha256") {
		t.Errorf("another file than the pinned one: %v", err)
	}
	if _, err := os.Stat(pdfiumFolder(cache)); !os.IsNotExist(err) {
		t.Errorf("it was installed: %v", err)
	}
	if left, err := os.ReadDir(filepath.Join(cache, "staging")); err != nil || len(left) > 0 {
		t.Errorf("staging holds %v, %v", left, err)
	}
}
