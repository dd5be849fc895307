package postgres

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"dowse/store/kv"
)

// lockAgain is how long a writer waits before it asks for the lock again.
const lockAgain = 20 * time.Millisecond

// Update implements kv.DB.
func (db *DB) Update(fn func(kv.Tx) error) error {
	return db.update(context.Background(), func(t *tx) error { return fn(t) })
}

func (db *DB) update(ctx context.Context, fn func(*tx) error) error {
	if !db.opts.Write {
		return ErrReadOnly
	}
	db.writing.Lock()
	defer db.writing.Unlock()
	s, err := db.beginUpdate(ctx)
	if err != nil {
		return explain(err)
	}
	ended := false
	defer func() { // after a panic too
		if !ended {
			_ = db.release() // with the transaction
		}
	}()
	t := &tx{s}
	err = fn(t)
	if err == nil && len(s.writes.changes) == 0 && !s.writes.named {
		err = errUnchanged
	}
	if err == nil {
		err = s.writes.commit(s)
	}
	if err == nil {
		ended = true
		db.committed(s.commit + 1)
		return nil
	}
	if !s.conn.IsClosed() {
		if _, undone := s.conn.Exec(ctx, `rollback`); undone == nil {
			ended = true
		}
	}
	if errors.Is(err, errUnchanged) {
		return nil
	}
	return err
}

// beginUpdate begins a transaction that has locked the row of the index in the writer's own epoch.
func (db *DB) beginUpdate(ctx context.Context) (*state, error) {
	const tries = 5
	for try := 1; ; try++ {
		s, err := db.tryUpdate(ctx)
		if err == nil {
			return s, nil
		}
		lost := db.writer != nil && db.writer.IsClosed()
		if wrong := db.release(); wrong != nil && !lost {
			return nil, errors.Join(err, wrong)
		}
		if try == tries || !lost && !isRetried(err) && !errors.Is(err, errFenced) {
			return nil, err
		}
	}
}

// errFenced says that another process has become the writer.
var errFenced = errors.New("this process has lost the lock of the index")

func (db *DB) tryUpdate(ctx context.Context) (*state, error) {
	if db.writer == nil {
		if err := db.lock(ctx); err != nil {
			return nil, err
		}
	}
	s := &state{db: db, conn: db.writer, index: db.index.Load(), known: newExtents(0), writes: newWrites(ctx)}
	if _, err := s.conn.Exec(ctx, `begin`); err != nil {
		return nil, err
	}
	var epoch int64
	err := s.conn.QueryRow(ctx, `select commit, buckets, epoch from dowse.indexes where id = $1 for update`, s.index).Scan(&s.commit, &s.names, &epoch)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return nil, ErrNotFound
	case err == nil && epoch != db.epoch:
		return nil, errFenced
	}
	return s, err
}

// lock becomes the writer: it takes the lock and counts the epoch on.
func (db *DB) lock(ctx context.Context) (err error) {
	conn, err := connect(ctx, db.address)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, conn.Close(ctx))
		}
	}()
	if err := db.find(ctx, conn); err != nil {
		return err
	}
	for deadline := time.Now().Add(db.opts.Wait); ; time.Sleep(lockAgain) {
		var is bool
		if err := conn.QueryRow(ctx, `select pg_try_advisory_lock($1::int, $2::int)`, lockClass, db.index.Load()).Scan(&is); err != nil {
			return err
		}
		if is {
			break
		}
		if time.Now().After(deadline) {
			return ErrLocked
		}
	}
	err = conn.QueryRow(ctx, `update dowse.indexes set epoch = epoch + 1 where id = $1 returning epoch`, db.index.Load()).Scan(&db.epoch)
	if err == nil {
		db.writer = conn
	}
	return err
}

// release gives the lock back, with whatever was not committed.
func (db *DB) release() error {
	conn := db.writer
	if db.writer = nil; conn == nil || conn.IsClosed() {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), connectPatience)
	defer cancel()
	return conn.Close(ctx)
}
