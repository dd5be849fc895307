package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"dowse/engine"
	"dowse/internal/config"
	"dowse/internal/testcache"
	"dowse/internal/testwait"
)

// twoFolders are a folder that stays and one of a name that goes, each with so many notes.
func twoFolders(t *testing.T, rng *rand.Rand, name string, files int) (stays, goes string) {
	t.Helper()
	top := realDir(t)
	stays, goes = filepath.Join(top, "stays"), filepath.Join(top, name)
	for i, dir := range []string{stays, goes} {
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		writeNotes(t, rng, dir, i*files, (i+1)*files)
	}
	return stays, goes
}

// TestKillWhileRemovingAFolder ends dowse folders remove by SIGKILL at random moments: each time the index is sound,
// the folder is there as a whole or not at all, and once it is not, the next run leaves no byte of its name.
func TestKillWhileRemovingAFolder(t *testing.T) {
	if testing.Short() {
		t.Skip("kills processes: the plain run does it")
	}
	const seed, files, name = 47, 400, "\u0165\u0164\u0159\u0164\u0165" // stored byte for byte
	kills := killCount(t, 4)
	t.Logf("seed %d, %d kills", seed, kills)
	rng := rand.New(rand.NewPCG(seed, 0))
	home, cache := t.TempDir(), testcache.Dir(t)
	stays, goes := twoFolders(t, rng, name, files)
	span, before, middle, after := 200*time.Millisecond, 0, 0, 0
	for n := 0; n < kills || middle == 0 && n < 40; n++ {
		index(t, home, cache, stays)
		index(t, home, cache, goes)
		cmd, written := dowse(home, cache, "folders", "remove", goes), writtenAt(t, home)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		if n%2 == 1 { // soon after the first transaction
			testwait.Until(t, "something is written", func() bool { return !writtenAt(t, home).Equal(written) })
			testwait.Moment(time.Duration(rng.Int64N(int64(20 * time.Millisecond))))
		} else {
			testwait.Moment(20*time.Millisecond + time.Duration(rng.Int64N(int64(span))))
		}
		_ = cmd.Process.Kill() // it may have ended
		ended := cmd.Wait() == nil
		check(t, home, cache)
		var list struct{ Folders []engine.Folder }
		out, err := dowse(home, cache, "folders", "--json").Output()
		if err == nil {
			err = json.Unmarshal(out, &list)
		}
		if err != nil || len(list.Folders) == 0 {
			t.Fatalf("%s, %v", out, err)
		}
		found := map[string]int{}
		for _, f := range list.Folders {
			found[f.Name] = f.Files
		}
		switch said := fmt.Sprint(found); {
		case said == fmt.Sprintf("map[stays:%d %s:%d]", files, name, files):
			before++
			span += span / 2 * time.Duration(1-n%2)
			continue
		case said != fmt.Sprintf("map[stays:%d]", files):
			t.Fatalf("after a kill: %s", said)
		case ended:
			after++
			span = max(100*time.Millisecond, span*2/3)
		case holds(t, home, name):
			middle++
		}
		if !ended {
			index(t, home, cache, stays)
		}
		if holds(t, filepath.Join(home, "index"), name) {
			t.Fatalf("ended %v: the data folder still tells of it", ended)
		}
	}
	t.Logf("%d kills came before the removal, %d in its middle, %d after it", before, middle, after)
	if middle == 0 {
		t.Error("no kill fell between the removal and the erasure: the test shows little")
	}
}

// writtenAt is when the index was written last.
func writtenAt(t *testing.T, home string) time.Time {
	t.Helper()
	info, err := os.Stat(filepath.Join(home, "index", "index.db"))
	if err != nil {
		t.Fatal(err)
	}
	return info.ModTime()
}

// TestKillWhileRemovingAFolderDuringAChange ends dowse folders remove by SIGKILL at random moments while the index has
// been changed to another embedder in part: the folder is there as a whole or not at all, and when the change is over,
// no byte tells of one that is not.
func TestKillWhileRemovingAFolderDuringAChange(t *testing.T) {
	if testing.Short() {
		t.Skip("kills processes: the plain run does it")
	}
	const seed, files, name = 53, 300, "\u0165\u0164\u0159\u0164\u0165" // stored byte for byte
	kills := killCount(t, 4)
	t.Logf("seed %d, %d kills", seed, kills)
	rng := rand.New(rand.NewPCG(seed, 0))
	home, cache := t.TempDir(), t.TempDir()
	stays, goes := twoFolders(t, rng, name, files)
	model, next := "old", "new"
	addEmbedder(t, home, cache, model, "")
	addEmbedder(t, home, cache, next, `{"prompts": {"query": "q: ", "document": "p: "}}`)
	settings := filepath.Join(home, "config.toml")
	if err := errors.Join(config.UseModel(settings, model), config.UseReranker(settings, config.NoReranker)); err != nil {
		t.Fatal(err)
	}
	span, inChange, gone := 150*time.Millisecond, 0, 0
	for n := 0; n < kills || inChange == 0 && n < 40; n++ {
		index(t, home, cache, stays)
		index(t, home, cache, goes)
		if err := config.UseModel(settings, next); err != nil {
			t.Fatal(err)
		}
		changed := killInChange(t, home, cache, next)
		cmd := dowse(home, cache, "folders", "remove", goes)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		if n > 0 { // the first one ends
			testwait.Moment(20*time.Millisecond + time.Duration(rng.Int64N(int64(span))))
			_ = cmd.Process.Kill()
		}
		ended := cmd.Wait() == nil
		check(t, home, cache)
		if changed {
			inChange++
		}
		if ended && holds(t, filepath.Join(home, "index"), name) {
			t.Fatal("it has ended, and the data folder still tells of it")
		}
		index(t, home, cache, stays) // goes on with the change
		st := status(t, home, cache)
		if st.Model != next || st.Change != nil {
			t.Fatalf("the change is not over: %+v", st)
		}
		switch held := holds(t, filepath.Join(home, "index"), name); {
		case st.Files == files && held:
			t.Fatalf("ended %v: the data folder tells of a folder that is gone", ended)
		case st.Files == files:
			gone++
		case st.Files != 2*files || ended:
			t.Fatalf("ended %v: %d files", ended, st.Files)
		default:
			span += span / 2
		}
		model, next = next, model
	}
	t.Logf("%d removals came in the middle of a change; after %d the folder was gone", inChange, gone)
	if inChange == 0 || gone == 0 {
		t.Error("the test shows nothing")
	}
}

// killInChange kills dowse index in the middle of a change to another embedder, and reports whether it was one.
func killInChange(t *testing.T, home, cache, to string) bool {
	t.Helper()
	cmd := dowse(home, cache, "index")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	testwait.Until(t, "the change does not go on", func() bool {
		st := status(t, home, cache)
		return st.Model == to || st.Change != nil && st.Change.Done > 0
	})
	_ = cmd.Process.Kill() // it may have ended
	_ = cmd.Wait()
	st := status(t, home, cache)
	return st.Model != to && st.Change != nil && st.Change.Done > 0
}

// holds reports whether a file in a folder, or below it, holds a word.
func holds(t *testing.T, dir, word string) (held bool) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		switch {
		case e.IsDir():
			held = held || e.Name() != "cache" && holds(t, path, word)
		case e.Type().IsRegular():
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			held = held || bytes.Contains(data, []byte(word))
		}
	}
	return held
}
