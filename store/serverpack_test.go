package store_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/jackc/pgx/v5"

	"dowse/internal/testpostgres"
	"dowse/internal/testwait"
	"dowse/store"
	"dowse/store/kv"
	"dowse/store/postgres"
)

// recordsIn lists all records below an index.
func recordsIn(t *testing.T, db *store.DB) (all [][]byte) {
	t.Helper()
	must(t, store.RecordsOf(db).View(func(tx kv.Tx) error {
		for _, name := range []string{"dowse", "vectors", "segments", "postings", "texts", "marks"} {
			c := tx.Bucket([]byte(name)).Cursor()
			for key, value := c.First(); key != nil; key, value = c.Next() {
				all = append(all, bytes.Clone(append(append([]byte(name), key...), value...)))
			}
		}
		return nil
	}))
	return all
}

// TestPackContract: a pack has the same records in a file and on a server, is read by one who may only
// select, and a byte that differs is noticed in both.
func TestPackContract(t *testing.T) {
	programs := testpostgres.Folders(t)
	server := testpostgres.Start(t, programs[len(programs)-1])
	file, names := packed(t)
	index := filepath.Join(t.TempDir(), "copy.db")
	data, err := os.ReadFile(file)
	must(t, err)
	must(t, os.WriteFile(index, data[:len(data)-40], 0o600)) // without the seal
	sent, err := store.PublishPack(t.Context(), index, server.Address())
	must(t, err)
	if sent.Records == 0 || sent.Deleted != 0 {
		t.Errorf("%+v", sent)
	}
	if again, err := store.PublishPack(t.Context(), index, sent.Address); err != nil || again.Records != 0 || again.Deleted != 0 {
		t.Errorf("%+v, %v", again, err)
	}
	conn, err := pgx.Connect(t.Context(), server.Address()[len("postgres:"):])
	must(t, err)
	defer conn.Close(context.Background()) //nolint:errcheck // of a server that ends
	_, err = conn.Exec(t.Context(), `create role reader login; grant usage on schema dowse to reader; grant select on all tables in schema dowse to reader`)
	must(t, err)
	a, err := postgres.ParseAddress(sent.Address)
	must(t, err)
	a.Server += " user=reader"
	db, err := store.OpenPack(t.Context(), a.String(), "/shown/here")
	must(t, err)
	defer db.Close() //nolint:errcheck // checked by the other tests
	fromFile, err := store.OpenPack(t.Context(), file, "/shown/here")
	must(t, err)
	defer fromFile.Close() //nolint:errcheck // read only
	if got, want := recordsIn(t, db), recordsIn(t, fromFile); !slicesEqual(got, want) {
		t.Errorf("%d records on the server, %d in the file", len(got), len(want))
	}
	if sum, err := db.Check(t.Context(), func(p store.Problem) { t.Error(p) }); err != nil || sum.Files != len(names) {
		t.Errorf("%+v, %v", sum, err)
	}
	for _, job := range []error{db.Copy(t.Context(), index), db.Update(func(tx *store.Tx) error { return tx.PutMeta("x", nil) }), db.TakePlace(index)} {
		if job == nil {
			t.Error("a job of files is done on a server")
		}
	}
	if _, err := store.PublishPack(t.Context(), index, a.String()); err == nil {
		t.Error("one who may only select publishes")
	}

	_, err = conn.Exec(t.Context(), `update dowse.records set value = set_byte(value, 0, get_byte(value, 0) # 1) where bucket = 4 or bucket = 0 and get_byte(key, 0) = 2`)
	must(t, err)
	damaged, err := store.OpenPack(t.Context(), sent.Address, "/shown/here")
	must(t, err)
	defer damaged.Close() //nolint:errcheck // read only
	if err := damaged.View(func(tx *store.Tx) error { return tx.Files(func(store.File) error { return nil }) }); !errors.Is(err, store.ErrCorrupt) {
		t.Errorf("a damaged record: %v", err)
	}
	if sum, err := damaged.Check(t.Context(), func(store.Problem) {}); err != nil || sum.Problems == 0 {
		t.Errorf("%+v, %v", sum, err)
	}
}

func slicesEqual(a, b [][]byte) bool {
	return bytes.Equal(bytes.Join(a, []byte{0}), bytes.Join(b, []byte{0})) && len(a) == len(b)
}

// TestWriterIsFenced: a writer whose lock went to another one commits nothing more, without having
// been told.
func TestWriterIsFenced(t *testing.T) {
	programs := testpostgres.Folders(t)
	server := testpostgres.Start(t, programs[0])
	a, err := postgres.ParseAddress(server.Address() + "#fenced")
	must(t, err)
	conn, err := pgx.Connect(t.Context(), server.Address()[len("postgres:"):])
	must(t, err)
	defer conn.Close(context.Background()) //nolint:errcheck // of a server that ends
	first, err := postgres.Open(t.Context(), a, postgres.Options{Write: true, Wait: testwait.Patience})
	must(t, err)
	fill(t, first, 5, 1)
	second, err := postgres.Open(t.Context(), a, postgres.Options{Write: true})
	must(t, err)
	if err := second.Update(func(kv.Tx) error { return nil }); !errors.Is(err, postgres.ErrLocked) {
		t.Errorf("two writers: %v", err)
	}
	// A server without advisory locks lets the second one in: the epoch alone counts.
	_, err = conn.Exec(t.Context(), `update dowse.indexes set epoch = epoch + 1`)
	must(t, err)
	ran := 0
	must(t, first.Update(func(tx kv.Tx) error { ran++; return putAll(tx, 5, 2) })) // it takes the lock again
	if ran != 1 {
		t.Errorf("ran %d times", ran)
	}
	// A writer whose connection is lost takes the lock again, too.
	_, err = conn.Exec(t.Context(), `select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and application_name = 'dowse'`)
	must(t, err)
	must(t, first.Update(func(tx kv.Tx) error { return putAll(tx, 5, 3) }))
	// Killed within a transaction, it leaves nothing of that.
	err = store.Guard(func() error {
		return first.Update(func(tx kv.Tx) error {
			_, err := conn.Exec(t.Context(), `select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and application_name = 'dowse'`)
			must(t, err)
			return putAll(tx, 5, 4)
		})
	})
	if err == nil {
		t.Error("a transaction whose connection is lost commits")
	}
	must(t, first.Update(func(tx kv.Tx) error {
		n, err := numberOf(tx, 5)
		if n != 3 {
			t.Errorf("commit %d", n)
		}
		return err
	}))
	must(t, first.Close())
	testwait.Until(t, "the lock is free", func() bool {
		err := second.Update(func(tx kv.Tx) error { return putAll(tx, 5, 5) })
		if err != nil && !errors.Is(err, postgres.ErrLocked) {
			t.Fatal(err)
		}
		return err == nil
	})
	must(t, second.Close())
}
