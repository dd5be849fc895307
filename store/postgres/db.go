package postgres

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"

	"dowse/store/kv"
)

// Errors to tell apart.
var (
	// ErrAway says that the server cannot be reached.
	ErrAway = errors.New("PostgreSQL cannot be reached")
	// ErrNotFound says that the database has no such index, any more or yet.
	ErrNotFound = errors.New("the database has no index of that name")
	// ErrLocked says that another process writes the index.
	ErrLocked = errors.New("another process writes this index")
	// ErrFormat says that another version of dowse made the tables.
	ErrFormat = errors.New("the tables are of another version of dowse")
	// ErrReadOnly answers a write in a View.
	ErrReadOnly = errors.New("the index is opened for reading")
)

// Options say how to open an index.
type Options struct {
	Write  bool          // creates it where there is none, and holds the lock of its writer from the first Update on
	Memory int           // bytes of records that are kept; 0 means DefaultMemory
	Wait   time.Duration // for another writer
}

// DefaultMemory is how many bytes of records a reader keeps.
const DefaultMemory = 64 << 20

// DB is an open index.
type DB struct {
	address Address
	opts    Options
	index   atomic.Int32 // its id

	mu      sync.Mutex
	now     *state // the snapshot of new Views; nil before the first one
	begun   time.Time
	heard   bool // whether commits are heard of; without, every View begins a snapshot
	closed  bool
	idle    *time.Timer
	spare   *pgx.Conn // of the last snapshot, which has ended
	views   sync.WaitGroup
	last    *extents // of the last snapshot, and its commit
	lastAt  int64
	stop    context.CancelFunc // of the listener
	stopped chan struct{}

	writing sync.Mutex
	writer  *pgx.Conn // with the lock; nil without
	epoch   int64
	trips   atomic.Int64 // round trips of Views
}

// Open finds or creates an index.
func Open(ctx context.Context, a Address, opts Options) (*DB, error) {
	if a.Name == "" {
		return nil, fmt.Errorf("name the index in %s#NAME", a.Server)
	}
	if opts.Memory == 0 {
		opts.Memory = DefaultMemory
	}
	db := &DB{address: a, opts: opts}
	conn, err := connect(ctx, a)
	if err != nil {
		return nil, err
	}
	if err = explain(db.find(ctx, conn)); err != nil {
		return nil, errors.Join(err, conn.Close(ctx))
	}
	if opts.Write {
		return db, conn.Close(ctx)
	}
	db.listen(conn)
	return db, nil
}

// find finds the index, or creates it.
func (db *DB) find(ctx context.Context, conn *pgx.Conn) error {
	if db.opts.Write {
		if err := createTables(ctx, conn); err != nil {
			return err
		}
		if _, err := conn.Exec(ctx, `insert into dowse.indexes (name, format) values ($1, $2) on conflict do nothing`, db.address.Name, format); err != nil {
			return err
		}
	} else if there, err := hasTables(ctx, conn); err != nil || !there {
		return errors.Join(err, ErrNotFound)
	}
	var id int32
	var of int16
	err := conn.QueryRow(ctx, `select id, format from dowse.indexes where name = $1`, db.address.Name).Scan(&id, &of)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return ErrNotFound
	case err == nil && of != format:
		return fmt.Errorf("%w: they have format %d, this program reads format %d", ErrFormat, of, format)
	}
	db.index.Store(id)
	return err
}

// View implements kv.DB.
func (db *DB) View(fn func(kv.Tx) error) error {
	s, err := db.enter()
	if err != nil {
		return err
	}
	defer db.leave(s)
	return fn(&tx{s})
}

// Times after which a snapshot is not used any more: since it began, and since its last View.
const (
	oldest  = time.Minute
	longest = 5 * time.Second
)

// enter returns the snapshot for a View.
func (db *DB) enter() (*state, error) {
	db.mu.Lock()
	defer db.mu.Unlock()
	if db.closed {
		return nil, errors.New("the index is closed")
	}
	if db.now == nil || !db.heard || time.Since(db.begun) > oldest || db.now.broken.Load() {
		if err := db.renew(); err != nil {
			return nil, err
		}
	}
	if db.idle != nil {
		db.idle.Stop()
	}
	db.now.users++
	db.views.Add(1)
	return db.now, nil
}

// leave ends a View. The last one of an earlier snapshot ends it.
func (db *DB) leave(s *state) {
	db.mu.Lock()
	defer db.mu.Unlock()
	defer db.views.Done()
	if s.users--; s.users > 0 {
		return
	}
	if s != db.now {
		s.end()
		return
	}
	if db.idle == nil {
		db.idle = time.AfterFunc(longest, db.rest)
	} else {
		db.idle.Reset(longest)
	}
}

// rest ends a snapshot that has no View.
func (db *DB) rest() {
	db.mu.Lock()
	defer db.mu.Unlock()
	s := db.now
	if s == nil || s.users > 0 {
		return
	}
	s.users++ // drop leaves the connection open
	db.drop()
	ctx, cancel := context.WithTimeout(context.Background(), connectPatience)
	defer cancel()
	if _, err := s.conn.Exec(ctx, `rollback`); err == nil {
		db.spare = s.conn
	}
}

// drop has the next View begin a snapshot. The caller holds mu.
func (db *DB) drop() {
	s := db.now
	if s == nil {
		return
	}
	db.now = nil
	s.mu.Lock()
	db.last, db.lastAt = s.known.without(nil), s.commit // a copy: its Views read on
	s.mu.Unlock()
	if s.users == 0 {
		s.end()
	}
}

// end gives the connection back to the server. Nobody waits for that.
func (s *state) end() {
	conn := s.conn
	go func() {
		ctx, cancel := context.WithTimeout(context.Background(), connectPatience)
		defer cancel()
		_ = conn.Close(ctx) // the server ends what it hears no more of
	}()
}

// renew begins a snapshot. The caller holds mu.
func (db *DB) renew() error {
	ctx, cancel := context.WithTimeout(context.Background(), readPatience)
	defer cancel()
	conn := db.spare
	db.spare = nil
	if s := db.now; s != nil && s.users == 0 && !s.conn.IsClosed() {
		conn = s.conn // the next one goes on with it
		s.users++     // drop leaves it open
	}
	db.drop()
	s, err := db.begin(ctx, conn)
	if err != nil && conn != nil && !errors.Is(err, ErrNotFound) { // the server may have gone and come back
		s, err = db.begin(ctx, nil)
	}
	if err != nil {
		return explain(err)
	}
	db.now, db.begun = s, time.Now()
	return nil
}

// begin begins a snapshot on a connection, or on a new one, with what is known from the one before.
func (db *DB) begin(ctx context.Context, conn *pgx.Conn) (*state, error) {
	var batch pgx.Batch
	if conn == nil {
		var err error
		if conn, err = connect(ctx, db.address); err != nil {
			return nil, err
		}
	} else {
		batch.Queue(`rollback`)
	}
	batch.Queue(`begin isolation level repeatable read, read only`)
	s := &state{db: db, conn: conn, index: db.index.Load()}
	var logged int64
	batch.Queue(`select commit, buckets, logged from dowse.indexes where id = $1`, s.index).QueryRow(func(row pgx.Row) error {
		return row.Scan(&s.commit, &s.names, &logged)
	})
	var changes []change
	batch.Queue(`select bucket, key from dowse.changes where index = $1 and commit > $2`, s.index, db.lastAt).Query(func(rows pgx.Rows) (err error) {
		changes, err = pgx.CollectRows(rows, func(row pgx.CollectableRow) (c change, err error) {
			err = row.Scan(&c.bucket, &c.key)
			return c, err
		})
		return err
	})
	db.trips.Add(1)
	err := conn.SendBatch(ctx, &batch).Close()
	if errors.Is(err, pgx.ErrNoRows) {
		err = ErrNotFound
	}
	if err != nil {
		return nil, errors.Join(lost(conn, err), conn.Close(ctx))
	}
	if db.last != nil && logged <= db.lastAt+1 && db.lastAt <= s.commit {
		s.known = db.last.without(changes)
	} else {
		s.known = newExtents(db.opts.Memory)
	}
	return s, nil
}

// resume has a View whose connection is lost go on with another one, if that sees the same commit.
func (s *state) resume(ctx context.Context) bool {
	if s.writes != nil {
		return false // so is what it wrote
	}
	conn, err := connect(ctx, s.db.address)
	if err != nil {
		return false
	}
	var commit int64
	if _, err = conn.Exec(ctx, `begin isolation level repeatable read, read only`); err == nil {
		err = conn.QueryRow(ctx, `select commit from dowse.indexes where id = $1`, s.index).Scan(&commit)
	}
	if err != nil || commit != s.commit {
		_ = conn.Close(ctx) // what was read goes to nobody
		return false
	}
	s.conn = conn
	return true
}

// Close implements kv.DB.
func (db *DB) Close() error {
	db.mu.Lock()
	if db.closed {
		db.mu.Unlock()
		return nil
	}
	db.closed = true
	db.mu.Unlock()
	db.views.Wait()
	if db.stop != nil {
		db.stop()
		<-db.stopped
	}
	db.mu.Lock()
	if db.idle != nil {
		db.idle.Stop()
	}
	db.drop()
	if db.spare != nil {
		(&state{conn: db.spare}).end()
	}
	db.mu.Unlock()
	db.writing.Lock()
	defer db.writing.Unlock()
	return db.release()
}
