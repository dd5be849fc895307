package store

import (
	"context"
	"errors"
	"path/filepath"
	"time"

	"dowse/store/kv"
	"dowse/store/postgres"
)

// A pack may lie in a PostgreSQL database instead of a file: its records as rows, in the same buckets,
// without a seal. Publishing it again sends the records alone that differ. A DB shows the commit that
// it was opened at: what a process remembers by ids of one publication holds for no other one.

// OnServer reports whether a pack is named by the address of a database and not by a path.
func OnServer(pack string) bool { return postgres.IsAddress(pack) }

// ServerPack completes the address of a pack that is to be read: where the address has no name, the
// database must have one pack.
func ServerPack(ctx context.Context, address string) (complete, name string, err error) {
	a, err := postgres.ParseAddress(address)
	if err != nil || a.Name != "" {
		return a.String(), a.Name, err
	}
	names, err := postgres.Names(ctx, a)
	switch {
	case err != nil:
		return "", "", err
	case len(names) == 0:
		return "", "", errors.New("the database has no packs; dowse pack NAME -o ADDRESS publishes one")
	case len(names) > 1:
		return "", "", &ManyPacks{a.Server, names}
	}
	a.Name = names[0]
	return a.String(), a.Name, nil
}

// ManyPacks says that a database has several packs and the address names none.
type ManyPacks struct {
	Address string
	Names   []string
}

func (e *ManyPacks) Error() string {
	text := "the database has several packs; add one of these:"
	for _, name := range e.Names {
		text += "\n" + postgres.Address{Server: e.Address, Name: name}.String()
	}
	return text
}

// openServer opens a pack on a server.
func openServer(ctx context.Context, address, mount string) (*DB, error) {
	a, err := postgres.ParseAddress(address)
	if err != nil {
		return nil, err
	}
	records, err := postgres.Open(ctx, a, postgres.Options{})
	if err != nil {
		return nil, err
	}
	db, err := openRecords(records, address, mount)
	if err != nil {
		return nil, errors.Join(err, records.Close())
	}
	return db, nil
}

func openRecords(records kv.DB, address, mount string) (*DB, error) {
	db := &DB{current: &handle{kv: records}, server: true}
	db.path.Store(&address)
	err := guard(func() error {
		return records.View(func(tx kv.Tx) (err error) {
			if tx.Empty() {
				return postgres.ErrNotFound
			}
			db.version = tx.(kv.Versioned).Commit()
			db.header, err = headerOf(tx)
			return err
		})
	})
	if err != nil {
		return nil, err
	}
	return db, db.readMount(mount)
}

// Reopen opens a pack on a server that was published again. What was read of it and is the same stays in
// memory. The DB itself reads no more, and is still to be closed.
func (db *DB) Reopen(mount string) (*DB, error) {
	next, err := openRecords(db.current.kv, db.Path(), mount)
	if err == nil {
		db.writer.Lock()
		db.lent = true
		db.writer.Unlock()
	}
	return next, err
}

// serverGone asks what the last commit is; while commits are heard of, without asking the server.
func (db *DB) serverGone() bool {
	gone := false
	err := db.current.kv.View(func(tx kv.Tx) error {
		gone = tx.(kv.Versioned).Commit() != db.version
		return nil
	})
	return gone || err != nil
}

// Published says what was sent to a server.
type Published struct {
	Address          string // complete
	Records, Deleted int
	Bytes            int64
}

// writerPatience is how long to wait for another process that publishes the same pack.
const writerPatience = 10 * time.Second

// PublishPack writes the index at a path as a pack into a database, by the name of its folder where the
// address has none. ErrLocked says that another process does just that.
func PublishPack(ctx context.Context, index, address string) (p Published, err error) {
	a, err := postgres.ParseAddress(address)
	if err != nil {
		return p, err
	}
	from, err := Open(index, Options{ReadOnly: true})
	if err != nil {
		return p, err
	}
	defer func() { err = errors.Join(err, from.Close()) }()
	if a.Name == "" {
		if err := from.View(func(tx *Tx) error { a.Name, err = onlyRoot(tx); return err }); err != nil {
			return p, err
		}
	}
	into, err := postgres.Open(ctx, a, postgres.Options{Write: true, Wait: writerPatience})
	if err != nil {
		return p, translate(err)
	}
	defer func() { err = errors.Join(err, into.Close()) }()
	var sent postgres.Replaced
	err = from.View(func(tx *Tx) (err error) {
		sent, err = into.Replace(ctx, tx.kv, allBuckets)
		return err
	})
	return Published{a.String(), sent.Records, sent.Deleted, sent.Bytes}, translate(err)
}

// onlyRoot is the name of the folder of a pack.
func onlyRoot(tx *Tx) (string, error) {
	roots, err := tx.Roots()
	if err == nil && len(roots) != 1 {
		err = corrupt("a pack has one folder, not %d", len(roots))
	}
	if err != nil {
		return "", err
	}
	return filepath.Base(roots[0]), nil
}
