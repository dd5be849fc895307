package models

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// TestStaticProgramsLoadNothing: a program that cannot load the library neither finds nor pulls it.
func TestStaticProgramsLoadNothing(t *testing.T) {
	defer func(before string) { static = before }(static)
	static = "true"
	named := filepath.Join(t.TempDir(), "lib.so")
	if err := os.WriteFile(named, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv(RuntimeVariable, named)
	cache := t.TempDir()
	if got, err := FindRuntime(cache); !errors.Is(err, ErrNotInstalled) {
		t.Errorf("FindRuntime = %q, %v", got, err)
	}
	if got, err := EnsureRuntime(context.Background(), cache, PullOptions{}, nil); !errors.Is(err, ErrNotInstalled) {
		t.Errorf("EnsureRuntime = %q, %v", got, err)
	}
	if left, err := os.ReadDir(cache); err != nil || len(left) > 0 {
		t.Errorf("the cache holds %v, %v", left, err)
	}
	static = ""
	if got, err := FindRuntime(cache); err != nil || got != named {
		t.Errorf("FindRuntime = %q, %v, want what %s names", got, err, RuntimeVariable)
	}
}
