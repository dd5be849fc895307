package store_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"testing"
	"time"

	"dowse/internal/testenv"
	"dowse/internal/testwait"
	"dowse/store"
)

// childVariable tells the test binary, run by a test as a child, to write to
// the index it names instead of testing.
const childVariable = "DOWSE_TEST_WRITE"

// vacuumVariable tells such a child to vacuum the index in between.
const vacuumVariable = "DOWSE_TEST_VACUUM"

// killsVariable sets how often TestKilled kills, for runs longer than usual.
const killsVariable = "DOWSE_TEST_KILLS"

func TestMain(m *testing.M) {
	if path := os.Getenv(childVariable); path != "" {
		fmt.Println(writeForever(path))
		os.Exit(3) // it only comes here when a transaction failed
	}
	if p := place(os.Getenv(recordsVariable)); p != "" {
		fmt.Println(writeRecords(p))
		os.Exit(3)
	}
	os.Exit(testenv.Of(m).Run())
}

// kept is how many files the writer keeps; older ones it deletes.
const kept = 5

// writeForever commits numbered transactions until it is killed. What the
// index holds after number n follows from n alone.
func writeForever(path string) error {
	db, err := store.Open(path, store.Options{Timeout: 10 * time.Second})
	if err != nil {
		return err
	}
	for n := 1; ; n++ {
		if err := db.Update(writeNext); err != nil {
			return err
		}
		if n%2 != 0 || os.Getenv(vacuumVariable) == "" {
			continue
		}
		if _, _, err := db.Vacuum(context.Background(), nil); err != nil {
			return err
		}
	}
}

func writeNext(tx *store.Tx) error {
	n := tx.Commit() + 1
	f, chunks := fileOf(n)
	if err := tx.PutFile(&f, chunks); err != nil {
		return err
	}
	if err := tx.PutVectors(f, 0, 384, make([]float32, len(chunks)*384)); err != nil {
		return err
	}
	if err := tx.PutText(f.ID, textOf(n)); err != nil {
		return err
	}
	if n > 1 {
		if err := turn(tx, n-1); err != nil {
			return err
		}
	}
	if n <= kept {
		return nil
	}
	old, err := tx.FileByPath(fmt.Sprint("/f/", n-kept))
	if err != nil {
		return err
	}
	if err := tx.DeleteFile(old.ID); err != nil {
		return err
	}
	return tx.FreeChunks(func(id uint32) bool { return uint64(id)%3 == n%3 })
}

// turn stores a file again, with the ids of its chunks in another order.
func turn(tx *store.Tx, n uint64) error {
	f, chunks := fileOf(n)
	old, err := tx.FileByPath(f.Path)
	if err != nil {
		return err
	}
	kept := store.Kept{IDs: map[int]uint32{}}
	for place, id := range old.IDs.All() {
		kept.IDs[len(chunks)-1-place] = id
	}
	if err := tx.PutFileKeeping(&f, chunks, kept); err != nil || n%2 != 0 {
		return err
	}
	return tx.PutText(f.ID, textOf(n))
}

// textOf is what is kept of a file: less than a page, or several.
func textOf(n uint64) []byte { return bytes.Repeat([]byte(fmt.Sprint(n)), 1+int(n%9)*700) }

func fileOf(n uint64) (store.File, []store.Chunk) {
	chunks := make([]store.Chunk, 1+n%20)
	for i := range chunks {
		chunks[i] = store.Chunk{Start: int64(i) * 100, End: int64(i)*100 + 100, Hash: uint32(n)}
	}
	return store.File{Path: fmt.Sprint("/f/", n), Root: "/f", Size: int64(n)}, chunks
}

// TestKilled kills a writing process again and again, at any moment, and
// holds that a whole number of transactions is there each time.
func TestKilled(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no SIGKILL on Windows")
	}
	t.Run("update", func(t *testing.T) { killAgain(t, 12) })
	t.Run("vacuum", func(t *testing.T) { killAgain(t, 40, vacuumVariable+"=1") })
}

func killAgain(t *testing.T, kills int, environment ...string) {
	if n, err := strconv.Atoi(os.Getenv(killsVariable)); err == nil {
		kills = n
	}
	path := filepath.Join(t.TempDir(), "index.db")
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	last, cut := uint64(0), 0
	unit := time.Millisecond // of the time that a writer has; a busy machine needs a longer one
	// Whether a kill hits a Vacuum is chance: more are tried until one does.
	n := 0
	for ; n < kills || environment != nil && cut == 0 && n < 20*kills; n++ {
		killWriter(t, path, time.Duration(15+random.IntN(60))*unit, environment)
		if _, err := os.Stat(path + ".compact"); err == nil {
			cut++
		}
		db := open(t, path, store.Options{Timeout: 5 * time.Second})
		checkClean(t, db)
		err := db.View(func(tx *store.Tx) error {
			if tx.Commit() < last {
				return fmt.Errorf("commit %d after commit %d", tx.Commit(), last)
			}
			if tx.Commit() == last {
				unit = min(2*unit, 64*time.Millisecond)
			}
			last = tx.Commit()
			return holds(tx, last)
		})
		if err := errors.Join(err, db.Close()); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("%d transactions survived %d kills, of which %d cut a Vacuum short", last, n, cut)
	if last == 0 || environment != nil && cut == 0 {
		t.Error("the writer never came to commit, or no kill hit a Vacuum")
	}
}

// killWriter runs a writer for a while.
func killWriter(t *testing.T, path string, after time.Duration, environment []string) {
	t.Helper()
	child := exec.Command(os.Args[0], "-test.run=^$")
	child.Env = append(append(os.Environ(), childVariable+"="+path), environment...)
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	testwait.Moment(after)
	if err := child.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	var status *exec.ExitError
	if err := child.Wait(); !errors.As(err, &status) || status.Exited() {
		t.Fatalf("the writer ended by itself: %v", err)
	}
}

// holds compares the index with what transaction n leaves.
func holds(tx *store.Tx, n uint64) error {
	counts, err := tx.Counts()
	if err != nil || counts.Files != int(min(n, kept)) || counts.Vectors != counts.Chunks {
		return errors.Join(err, fmt.Errorf("%+v after commit %d", counts, n))
	}
	if most := uint32(4 * (kept + 1) * 20); tx.NextChunk() > most {
		return fmt.Errorf("%d ids for %d chunks after commit %d", tx.NextChunk(), counts.Chunks, n)
	}
	for i := n; i > 0 && i+kept > n; i-- {
		want, chunks := fileOf(i)
		f, err := tx.FileByPath(want.Path)
		if err != nil {
			return fmt.Errorf("file %d after commit %d: %w", i, n, err)
		}
		got, err := tx.Chunks(f)
		if err != nil || len(got) != len(chunks) || got[0] != chunks[0] {
			return errors.Join(err, fmt.Errorf("chunks of file %d: %v", i, got))
		}
		text, err := tx.Text(f.ID)
		if i < n && i%2 != 0 && errors.Is(err, store.ErrNotFound) { // stored again without
			continue
		}
		if err != nil || !bytes.Equal(text, textOf(i)) {
			return errors.Join(err, fmt.Errorf("%d bytes of text of file %d after commit %d", len(text), i, n))
		}
	}
	return nil
}

// TestNoSpace fills a small file system.
func TestNoSpace(t *testing.T) {
	folder := testenv.SmallDisk(t, "2m")
	path := filepath.Join(folder, "index.db")
	db := open(t, path, store.Options{})
	var err error
	commits := uint64(0)
	for ; err == nil && commits < 1000; commits++ {
		err = db.Update(writeBig)
	}
	if !errors.Is(err, store.ErrNoSpace) {
		t.Fatalf("after %d commits: %v", commits, err)
	}
	checkClean(t, db)
	if err := db.Update(func(tx *store.Tx) error { return tx.DeleteFile(0) }); err != nil && !errors.Is(err, store.ErrNoSpace) {
		t.Errorf("deleting on a full disk: %v", err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	db = open(t, path, store.Options{})
	checkClean(t, db)
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
}

func writeBig(tx *store.Tx) error {
	chunks := make([]store.Chunk, 50)
	for i := range chunks {
		chunks[i] = store.Chunk{Start: int64(i), End: int64(i + 1)}
	}
	f := store.File{Path: fmt.Sprint("/f/", tx.Commit()), Root: "/f"}
	if err := tx.PutFile(&f, chunks); err != nil {
		return err
	}
	return tx.PutVectors(f, 0, 384, make([]float32, 50*384))
}
