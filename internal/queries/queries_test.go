package queries

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"dowse/engine"
)

// TestKept: queries are kept once, the newest last, saved ones by name, for this user
// alone, and are gone when they are forgotten.
func TestKept(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	k := In(dir)
	if all, err := k.Load(); err != nil || len(all.Asked) != 0 {
		t.Fatalf("%+v, %v", all, err)
	}
	for _, err := range []error{k.Ask("dns", "bread"), k.Ask("dns"), k.Save("net", "dns ext:md"), k.Save("All", "x"), k.Save("NET", "dns"), k.Save("all", "")} {
		if err != nil {
			t.Fatal(err)
		}
	}
	all, err := In(dir).Load()
	if err != nil || !slices.Equal(all.Asked, []string{"bread", "dns"}) || !slices.Equal(all.Saved, []engine.SavedQuery{{Name: "NET", Query: "dns"}}) {
		t.Errorf("%+v, %v", all, err)
	}
	path := filepath.Join(dir, "queries.json")
	for _, name := range []string{dir, path} {
		if info, err := os.Stat(name); err != nil || runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s: %v, %v", name, info.Mode(), err)
		}
	}
	if n, err := k.Forget(); n != 3 || err != nil {
		t.Errorf("forgot %d, %v", n, err)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 1 || left[0].Name() != "queries.lock" {
		t.Errorf("%v is left, %v", left, err)
	}
	if n, err := k.Forget(); n != 0 || err != nil {
		t.Errorf("forgot %d, %v", n, err)
	}
}

// TestKeptIsBounded, and what cannot be read is not written over.
func TestKeptIsBounded(t *testing.T) {
	dir := t.TempDir()
	var many []string
	for i := range Most + 7 {
		many = append(many, fmt.Sprint(i))
	}
	k := In(dir)
	if err := k.Ask(many...); err != nil {
		t.Fatal(err)
	}
	if all, err := k.Load(); err != nil || len(all.Asked) != Most || all.Asked[0] != "7" {
		t.Errorf("%d, %v", len(all.Asked), err)
	}
	path := filepath.Join(dir, "queries.json")
	if err := os.WriteFile(path, []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := k.Ask("x"); err == nil || !strings.Contains(err.Error(), "forget-answers --contexts removes") {
		t.Error(err)
	}
	if data, err := os.ReadFile(path); string(data) != "{" || err != nil {
		t.Errorf("%q, %v", data, err)
	}
	if _, err := k.Forget(); err != nil {
		t.Error(err)
	}
}

// TestKeptByProcesses: what several keep at once is all kept.
func TestKeptByProcesses(t *testing.T) {
	const writers, each = 4, 20
	dir := t.TempDir()
	done := make(chan error)
	for w := range writers {
		k := In(dir) // as another process has it: nothing is shared but the folder
		go func() {
			for i := range each {
				if err := k.Ask(fmt.Sprintf("%d of %d", i, w)); err != nil {
					done <- err
					return
				}
			}
			done <- k.Save(fmt.Sprintf("s%d", w), "x")
		}()
	}
	for range writers {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	if all, err := In(dir).Load(); err != nil || len(all.Asked) != writers*each || len(all.Saved) != writers {
		t.Errorf("%d asked, %d saved, %v", len(all.Asked), len(all.Saved), err)
	}
}
