package store_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"go.etcd.io/bbolt"

	"dowse/store"
)

// TestMessagesLikeAMap puts, replaces and deletes files with messages.
func TestMessagesLikeAMap(t *testing.T) {
	db := open(t, filepath.Join(t.TempDir(), "index.db"), store.Options{})
	random := rand.New(rand.NewPCG(7, 1))
	all := map[uint32][]store.Message{}
	for range 30 {
		err := db.Update(func(tx *store.Tx) error {
			for range 20 {
				f := store.File{Path: fmt.Sprint("/f/", random.IntN(200)), Root: "/f"}
				if old, err := tx.FileByPath(f.Path); err == nil {
					delete(all, old.ID)
					if random.IntN(3) == 0 {
						if err := tx.DeleteFile(old.ID); err != nil {
							return err
						}
						continue
					}
				}
				var chunks []store.Chunk
				for i := range int64(1 + random.IntN(20)) {
					chunks = append(chunks, store.Chunk{Start: i, End: i + 1})
				}
				if err := tx.PutFile(&f, chunks); err != nil {
					return err
				}
				messages := someMessages(random, len(chunks))
				if err := tx.PutMessages(f.ID, messages); err != nil {
					return err
				}
				if len(messages) > 0 {
					all[f.ID] = messages
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	checkClean(t, db)
	got := map[uint32][]store.Message{}
	err := db.View(func(tx *store.Tx) error {
		return tx.EachMessages(func(file uint32, messages []store.Message) error {
			got[file] = messages
			return nil
		})
	})
	if err != nil || !reflect.DeepEqual(got, all) || len(all) < 20 {
		t.Errorf("of %d files %v, want of %d %v, error %v", len(got), got, len(all), all, err)
	}
	err = db.Update(func(tx *store.Tx) error { return tx.PutMessages(1<<30, []store.Message{{}}) })
	if err == nil {
		t.Error("messages of a file that is not there")
	}
}

// someMessages are messages of a file of so many chunks.
func someMessages(random *rand.Rand, chunks int) (messages []store.Message) {
	for at := 0; at < chunks; {
		s := store.Message{First: at, Last: min(at+random.IntN(3), chunks-1), Title: fmt.Sprint("re: ", random.IntN(3)), Date: random.Int64N(3) * 1e9}
		for range random.IntN(3) {
			s.Authors = append(s.Authors, fmt.Sprint("ann ", random.IntN(5)))
			s.Tags = append(s.Tags, fmt.Sprint("ann ", random.IntN(5)))
		}
		if random.IntN(2) == 0 {
			s.To = []string{"ben"}
		}
		messages = append(messages, s)
		at = s.Last + random.IntN(3)
		if s.Last == chunks-1 {
			break
		}
	}
	return messages
}

// TestMessagesAreCheckedAndRepaired plants messages that make no sense, and has them removed.
func TestMessagesAreCheckedAndRepaired(t *testing.T) {
	path := filepath.Join(t.TempDir(), "index.db")
	db := open(t, path, store.Options{})
	var files [2]store.File
	err := db.Update(func(tx *store.Tx) error {
		for i := range files {
			files[i] = store.File{Path: fmt.Sprint("/", i), Root: "/", ModTime: 5, Hash: [6]byte{1}}
			if err := tx.PutFile(&files[i], []store.Chunk{{End: 4}}); err != nil {
				return err
			}
			if err := tx.PutMessages(files[i].ID, []store.Message{{Title: "Roof"}}); err != nil {
				return err
			}
		}
		return nil
	})
	if err := errors.Join(err, db.Close()); err != nil {
		t.Fatal(err)
	}
	err = store.Raw(path, func(tx *bbolt.Tx) error {
		put := func(file uint32, value ...byte) error {
			key := store.MessagesKey(file)
			return tx.Bucket([]byte("dowse")).Put(key, store.Seal(key, value))
		}
		return errors.Join(
			put(files[1].ID, 1, 1, 'a', 7, 0, 0, 0, 0, 0, 0), // in chunk 7
			put(900, 1, 1, 'a', 0, 0, 0, 0, 0, 0, 0),         // of no file
		)
	})
	if err != nil {
		t.Fatal(err)
	}
	db = open(t, path, store.Options{})
	problems := 0
	if _, err := db.Check(t.Context(), func(store.Problem) { problems++ }); err != nil || problems != 2 {
		t.Errorf("%d problems, error %v", problems, err)
	}
	if err := db.Update(func(tx *store.Tx) error { return store.RepairAll(t.Context(), tx) }); err != nil {
		t.Fatal(err)
	}
	err = db.View(func(tx *store.Tx) error {
		n := 0
		err := tx.EachMessages(func(file uint32, _ []store.Message) error {
			if n++; file != files[0].ID {
				t.Errorf("file %d has messages", file)
			}
			return nil
		})
		for i, f := range files {
			got, lost := tx.File(f.ID)
			if err = errors.Join(err, lost); got.Doubted() != (i == 1) {
				t.Errorf("file %d is doubted: %v", i, got.Doubted())
			}
		}
		if n != 1 {
			t.Errorf("messages of %d files", n)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	checkClean(t, db)
}

// TestMessagesComeBackInSmallLetters, each text once.
func TestMessagesComeBackInSmallLetters(t *testing.T) {
	db := open(t, filepath.Join(t.TempDir(), "index.db"), store.Options{})
	err := db.Update(func(tx *store.Tx) error {
		f := store.File{Path: "/a", Root: "/"}
		if err := tx.PutFile(&f, []store.Chunk{{End: 4}}); err != nil {
			return err
		}
		name := "Ann Lee <Ann@Example.ORG>"
		return tx.PutMessages(f.ID, slices.Repeat([]store.Message{{Authors: []string{name}, To: []string{strings.ToUpper(name)}}}, 1000))
	})
	if err != nil {
		t.Fatal(err)
	}
	err = db.View(func(tx *store.Tx) error {
		sizes, err := tx.Sizes()
		if err != nil || sizes["chunks"] > 16<<10 {
			t.Errorf("a thousand messages of one person take %d bytes, error %v", sizes["chunks"], err)
		}
		return tx.EachMessages(func(_ uint32, messages []store.Message) error {
			want := []string{"ann lee <ann@example.org>"}
			if s := messages[len(messages)-1]; !reflect.DeepEqual(s.Authors, want) || !reflect.DeepEqual(s.To, want) {
				t.Errorf("%+v", s)
			}
			return nil
		})
	})
	if err != nil {
		t.Fatal(err)
	}
}
