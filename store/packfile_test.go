package store_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"dowse/store"
)

// packed is a pack of files of /home/ann/notes called notes, made of an index with others too.
func packed(t *testing.T) (path string, names []string) {
	t.Helper()
	dir := t.TempDir()
	db := open(t, filepath.Join(dir, "index.db"), store.Options{Fingerprint: "f"})
	err := db.Update(func(tx *store.Tx) error {
		all := []string{"/home/ann/diary/secret.md", "/home/ann/notes.md"}
		for i := range 3000 {
			all = append(all, fmt.Sprintf("/home/ann/notes/%02d/deep/a.md", i))
		}
		all = append(all, "/home/ann/notes/top.md")
		for i, path := range all {
			f := store.File{Path: path, Root: "/home/ann", Size: 3, ModTime: int64(i), Kind: 1}
			if err := tx.PutFile(&f, []store.Chunk{{Start: 0, End: 3, Hash: uint32(i)}}); err != nil {
				return err
			}
			if err := tx.PutText(f.ID, []byte("text of "+path)); err != nil {
				return err
			}
		}
		return errors.Join(tx.PutRoots([]string{"/home/ann"}), tx.PutMeta("stays", []byte("a")), tx.PutMeta("goes", []byte("/home/ann/x")))
	})
	if err != nil {
		t.Fatal(err)
	}
	before := commitOf(t, db)
	if err := db.Copy(t.Context(), filepath.Join(dir, "copy.db")); err != nil {
		t.Fatal(err)
	}
	if commitOf(t, db) != before {
		t.Error("the copy changed the index")
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	out := open(t, filepath.Join(dir, "copy.db"), store.Options{})
	err = out.Update(func(tx *store.Tx) error {
		var gone []uint32
		err := tx.Files(func(f store.File) error {
			if !strings.HasPrefix(f.Path, "/home/ann/notes/") {
				gone = append(gone, f.ID)
				return nil
			}
			names = append(names, strings.TrimPrefix(f.Path, "/home/ann/notes/"))
			return nil
		})
		for _, id := range gone {
			err = errors.Join(err, tx.DeleteFile(id))
		}
		return errors.Join(err, tx.Rebase("/home/ann/notes", "notes"), tx.KeepMeta([]string{"stays"}))
	})
	if err == nil {
		_, _, err = out.Vacuum(t.Context(), nil)
	}
	if err = errors.Join(err, out.Close()); err != nil {
		t.Fatal(err)
	}
	path = filepath.Join(dir, "notes.dowse")
	file, err := os.Create(path)
	if err == nil {
		_, err = store.WritePack(t.Context(), filepath.Join(dir, "copy.db"), file)
		err = errors.Join(err, file.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
	return path, names
}

// TestPack: files are found by the paths that they are shown by, nothing tells of others or of where the folder lay, and
// every record is sound.
func TestPack(t *testing.T) {
	path, names := packed(t)
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, said := range []string{"/home/ann", "diary", "secret"} {
		// Texts of the sample name their files; those of others are gone.
		if bytes.Contains(bytes.ReplaceAll(data, []byte("text of /home/ann/notes/"), nil), []byte(said)) {
			t.Errorf("the pack tells of %q", said)
		}
	}
	db, err := store.OpenPack(t.Context(), path, "/mnt/x.dowse")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close() //nolint:errcheck // only read from
	checkClean(t, db)
	err = db.View(func(tx *store.Tx) error {
		at, is := tx.Mounted()
		roots, err := tx.Roots()
		if !is || at != "/mnt/x.dowse" || db.PackName() != "notes" || !slices.Equal(roots, []string{at}) {
			t.Errorf("%q %v %q %q", at, is, db.PackName(), roots)
		}
		for _, name := range names {
			f, wrong := tx.FileByPath(at + "/" + name)
			if wrong != nil || f.Path != at+"/"+name || f.Root != at {
				t.Errorf("%s: %+v, %v", name, f, wrong)
			}
			text, wrong := tx.Text(f.ID)
			if wrong != nil || string(text) != "text of /home/ann/notes/"+name {
				t.Errorf("%s: %q, %v", name, text, wrong)
			}
		}
		for _, other := range []string{"notes/top.md", "/home/ann/notes/top.md", at, at + "/", at + "x/top.md", "/mnt/x.dowse/../x.dowse/top.md"} {
			if f, wrong := tx.FileByPath(other); !errors.Is(wrong, store.ErrNotFound) {
				t.Errorf("%s: %+v, %v", other, f, wrong)
			}
		}
		n := 0
		err = errors.Join(err, tx.FilesUnder(at+"/07", func(f store.File) error { n++; return nil }))
		counts, wrong := tx.RootCounts()
		if n != 1 || counts[at].Files != len(names) || len(counts) != 1 {
			t.Errorf("%d below a folder, %+v", n, counts)
		}
		for key, want := range map[string]string{"stays": "a", "goes": ""} {
			if value, wrong := tx.Meta(key); wrong != nil || string(value) != want {
				t.Errorf("%s is %q, %v", key, value, wrong)
			}
		}
		return errors.Join(err, wrong)
	})
	if err != nil {
		t.Error(err)
	}
	if err := db.Update(func(tx *store.Tx) error { return tx.PutMeta("x", []byte("y")) }); !errors.Is(err, store.ErrReadOnly) {
		t.Errorf("written: %v", err)
	}
}

// TestDamagedPackIsRefused: every byte counts, wherever it stands.
func TestDamagedPackIsRefused(t *testing.T) {
	path, _ := packed(t)
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	refused := func(what string, data []byte, want ...error) {
		t.Helper()
		bad := filepath.Join(t.TempDir(), "bad.dowse")
		if err := os.WriteFile(bad, data, 0o600); err != nil {
			t.Fatal(err)
		}
		db, err := store.OpenPack(t.Context(), bad, "/mnt")
		if err == nil {
			_ = db.Close()
		}
		if !slices.ContainsFunc(want, func(w error) bool { return errors.Is(err, w) }) {
			t.Errorf("%s: %v", what, err)
		}
	}
	for at := 0; at < len(data); at += 1 + at%41*97 {
		bad := bytes.Clone(data)
		bad[at] ^= 1 << (at % 8)
		refused(fmt.Sprint("byte ", at), bad, store.ErrCorrupt, store.ErrNoPack)
	}
	for at := len(data) - 40; at < len(data); at++ {
		bad := bytes.Clone(data)
		bad[at] ^= 4
		refused(fmt.Sprint("byte ", at), bad, store.ErrCorrupt, store.ErrNoPack)
	}
	for _, n := range []int{0, 1, 39, 40, 41, 4096, len(data) / 2, len(data) - 1} {
		refused(fmt.Sprint(n, " bytes"), data[:n], store.ErrNoPack)
	}
	refused("with more behind it", append(bytes.Clone(data), 0), store.ErrNoPack)
	refused("twice", append(bytes.Clone(data), data...), store.ErrCorrupt)
	refused("without a pack in it", store.SealPack(nil, 1), store.ErrNoPack)
	refused("with text in it", store.SealPack([]byte("no index"), 1), store.ErrForeign)
	refused("of a later version", store.SealPack(data[:len(data)-40], 2), store.ErrVersion)
	if _, err := store.OpenPack(t.Context(), t.TempDir(), "/mnt"); err == nil {
		t.Error("opened a folder")
	}
	if _, err := store.OpenPack(t.Context(), path+"x", "/mnt"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := store.OpenPack(ctx, path, "/mnt"); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// TestPackLeadsNowhereElse: names that lead out of the folder are damage, also where the sum is right.
func TestPackLeadsNowhereElse(t *testing.T) {
	for what, f := range map[string]store.File{
		"a file above":      {Path: "notes/../../etc/passwd", Root: "notes"},
		"another folder":    {Path: "/etc/passwd", Root: "notes"},
		"a longer name":     {Path: "notesx/a", Root: "notes"},
		"another root":      {Path: "notes/a", Root: "/etc"},
		"a root with a dot": {Path: "../a", Root: ".."},
		"a deep root":       {Path: "a/b/c", Root: "a/b"},
	} {
		dir := t.TempDir()
		db := open(t, filepath.Join(dir, "index.db"), store.Options{})
		f.Kind = 1
		err := db.Update(func(tx *store.Tx) error {
			return errors.Join(tx.PutFile(&f, []store.Chunk{{End: 3}}), tx.PutRoots([]string{strings.Replace(f.Root, "/etc", "notes", 1)}))
		})
		if err = errors.Join(err, db.Close()); err != nil {
			t.Fatal(err)
		}
		data, err := os.ReadFile(filepath.Join(dir, "index.db"))
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, "x.dowse"), store.SealPack(data, 1), 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
		pack, err := store.OpenPack(t.Context(), filepath.Join(dir, "x.dowse"), "/mnt")
		if err == nil {
			err = pack.View(func(tx *store.Tx) error {
				return tx.Files(func(f store.File) error { t.Errorf("%s: shown as %s", what, f.Path); return nil })
			})
			_ = pack.Close()
		}
		if !errors.Is(err, store.ErrCorrupt) {
			t.Errorf("%s: %v", what, err)
		}
	}
}
