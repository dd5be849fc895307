package postgres

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"

	"dowse/store/kv"
)

// state is an index as a transaction of the server sees it, with what was read of it so far.
type state struct {
	mu     sync.Mutex // held by each read; a connection has one query at a time
	db     *DB
	conn   *pgx.Conn // within a transaction
	index  int32
	commit int64
	names  []string // of buckets, by number
	known  *extents
	writes *writes // nil of a View

	users  int         // Views; guarded by DB.mu
	broken atomic.Bool // a View lost the connection for good
}

// tx is a transaction for one View or Update.
type tx struct{ *state }

// Commit implements kv.Versioned.
func (t *tx) Commit() uint64 { return uint64(t.commit) }

func (t *tx) Writable() bool { return t.writes != nil }

func (t *tx) Empty() bool { return len(t.names) == 0 }

func (t *tx) Bucket(name []byte) kv.Bucket {
	if n := slices.Index(t.names, string(name)); n >= 0 {
		return &bucket{t, int16(n)}
	}
	return nil
}

func (t *tx) CreateBucket(name []byte) (kv.Bucket, error) {
	if t.writes == nil {
		return nil, ErrReadOnly
	}
	if slices.Contains(t.names, string(name)) {
		return nil, errors.New("there is a bucket of that name")
	}
	t.names = append(slices.Clone(t.names), string(name))
	t.writes.named = true
	return t.Bucket(name), nil
}

type bucket struct {
	*tx
	number int16
}

func (b *bucket) Get(key []byte) []byte {
	b.mu.Lock()
	defer b.mu.Unlock()
	e := b.extent(b.number, key, getBudget)
	if at, is := e.find(key); is {
		return e.records[at].value
	}
	return nil
}

func (b *bucket) Put(key, value []byte) error {
	switch {
	case b.writes == nil:
		return ErrReadOnly
	case len(key) == 0 || len(key) > maxKey:
		return errKey
	case value == nil:
		value = []byte{}
	}
	return b.write(bytes.Clone(key), value)
}

// Keys are bounded by the server: an entry of an index takes a third of a page at most.
const maxKey = 2600

var errKey = errors.New("a key is empty or too long")

func (b *bucket) Delete(key []byte) error {
	if b.writes == nil {
		return ErrReadOnly
	}
	return b.write(bytes.Clone(key), nil)
}

// write notes a record for the end of the transaction; a nil value deletes it.
func (b *bucket) write(key, value []byte) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if e, _, _ := b.known.at(b.number, key); e != nil {
		e.put(key, value)
	}
	return b.writes.add(b.state, b.number, key, value)
}

func (b *bucket) Cursor() kv.Cursor { return &cursor{bucket: b} }

// cursor stands at a record of an extent, or nowhere.
type cursor struct {
	bucket *bucket
	key    []byte
	in     *extent
	at     int
}

func (c *cursor) First() (key, value []byte) { return c.Seek(nil) }

func (c *cursor) Seek(key []byte) (found, value []byte) {
	b := c.bucket
	b.mu.Lock()
	defer b.mu.Unlock()
	for {
		e := b.extent(b.number, key, seekBudget)
		if at, _ := e.find(key); at < len(e.records) {
			return c.stand(e, at)
		}
		if e.to == nil {
			return c.stand(nil, 0)
		}
		key = e.to
	}
}

func (c *cursor) Last() (key, value []byte) {
	b := c.bucket
	b.mu.Lock()
	defer b.mu.Unlock()
	list := b.known.of[b.number]
	e := (*extent)(nil)
	if len(list) > 0 && list[len(list)-1].to == nil {
		e = list[len(list)-1]
	} else {
		e = b.fetchBelow(b.number, nil)
	}
	return c.back(e, len(e.records))
}

func (c *cursor) Next() (key, value []byte) {
	switch {
	case c.in == nil:
		return nil, nil
	case !c.bucket.Writable() && c.at+1 < len(c.in.records):
		return c.stand(c.in, c.at+1)
	}
	return c.Seek(after(c.key))
}

func (c *cursor) Prev() (key, value []byte) {
	switch {
	case c.in == nil:
		return nil, nil
	case !c.bucket.Writable() && c.at > 0:
		return c.stand(c.in, c.at-1)
	}
	b := c.bucket
	b.mu.Lock()
	defer b.mu.Unlock()
	e := b.extentBelow(b.number, c.key)
	at, _ := e.find(c.key)
	return c.back(e, at)
}

// back stands at the last record of an extent before a place, or of those before it.
func (c *cursor) back(e *extent, at int) (key, value []byte) {
	for at == 0 {
		if len(e.from) == 0 {
			return c.stand(nil, 0)
		}
		below := e.from
		e = c.bucket.extentBelow(c.bucket.number, below)
		at, _ = e.find(below)
	}
	return c.stand(e, at-1)
}

func (c *cursor) stand(e *extent, at int) (key, value []byte) {
	if c.in, c.at, c.key = e, at, nil; e == nil {
		return nil, nil
	}
	r := e.records[at]
	c.key = r.key
	return r.key, r.value
}

// after is the first key that is above another one.
func after(key []byte) []byte { return append(slices.Clip(key), 0) }

// Bytes that one query asks for. What stands beside a record is likely asked for next, and a round
// trip costs as much as some of it.
const (
	getBudget  = 16 << 10
	seekBudget = 32 << 10
	mostBudget = 1 << 20
	leastBytes = 128 // records of a budget are no more than it holds of these
)

// extent returns the one that knows of a key.
func (s *state) extent(bucket int16, key []byte, budget int) *extent {
	e, before, behind := s.known.at(bucket, key)
	if e != nil {
		return e
	}
	var from, to []byte
	if behind != nil {
		to = behind.from
	}
	if before != nil && bytes.Equal(before.to, key) {
		budget = min(2*before.budget, mostBudget)
	}
	// The record before the key is fetched too: most cursors step back to it.
	rows, previous := s.rows(bucket, key, to, budget)
	switch {
	case previous == nil && before == nil: // from the start on
	case previous == nil || before != nil && bytes.Compare(previous.key, before.to) < 0:
		from = before.to
	default:
		from, rows.records = previous.key, slices.Insert(rows.records, 0, *previous)
	}
	if rows.more {
		to = after(rows.records[len(rows.records)-1].key)
	}
	return s.learn(bucket, newExtent(from, to, rows.records, budget))
}

// learn adds an extent that was read, as this transaction has changed it.
func (s *state) learn(bucket int16, e *extent) *extent {
	if s.writes != nil {
		for key, value := range s.writes.of[bucket] {
			if e.has([]byte(key)) {
				e.put([]byte(key), value)
			}
		}
	}
	return s.known.add(bucket, e)
}

// extentBelow returns the one that knows what is next below a key.
func (s *state) extentBelow(bucket int16, key []byte) *extent {
	if e, _ := s.known.below(bucket, key); e != nil {
		return e
	}
	return s.fetchBelow(bucket, key)
}

// fetchBelow reads what stands below a key, or at the end of the bucket.
func (s *state) fetchBelow(bucket int16, key []byte) *extent {
	var start []byte
	if list := s.known.of[bucket]; key == nil && len(list) > 0 {
		start = list[len(list)-1].to
	} else if key != nil {
		_, start = s.known.below(bucket, key)
	}
	rows := s.rowsBelow(bucket, start, key, seekBudget)
	slices.Reverse(rows.records)
	from := start
	if rows.more {
		from = rows.records[0].key
	}
	return s.learn(bucket, newExtent(from, key, rows.records, seekBudget))
}

// found are records of a range; more says that there may be others in it.
type found struct {
	records []record
	more    bool
}

// The sum ends a range after its budget, at the first record at least.
const (
	upwards = `select key, value from (
		select key, value, sum(octet_length(value)) over (order by key) - octet_length(value) as before from (
			select key, value from dowse.records
			where index = $1 and bucket = $2 and key >= $3 and ($4::bytea is null or key < $4) order by key limit $5) r
		) r where before < $6 order by key`
	downwards = `select key, value from (
		select key, value, sum(octet_length(value)) over (order by key desc) - octet_length(value) as before from (
			select key, value from dowse.records
			where index = $1 and bucket = $2 and key >= $3 and ($4::bytea is null or key < $4) order by key desc limit $5) r
		) r where before < $6 order by key desc`
	previous = `select key, value from dowse.records where index = $1 and bucket = $2 and key < $3 order by key desc limit 1`
)

// rows reads a range from a key on, and the record before it.
func (s *state) rows(bucket int16, from, to []byte, budget int) (f found, before *record) {
	if from == nil {
		from = []byte{}
	}
	var batch pgx.Batch
	batch.Queue(upwards, s.index, bucket, from, to, budget/leastBytes, budget)
	if len(from) > 0 {
		batch.Queue(previous, s.index, bucket, from)
	}
	s.ask(func(ctx context.Context) error {
		f, before = found{}, nil
		results := s.conn.SendBatch(ctx, &batch)
		err := f.take(results, budget)
		if err == nil && len(from) > 0 {
			var one found
			if err = one.take(results, budget); len(one.records) > 0 {
				before = &one.records[0]
			}
		}
		return errors.Join(err, results.Close())
	})
	return f, before
}

func (s *state) rowsBelow(bucket int16, from, to []byte, budget int) (f found) {
	if from == nil {
		from = []byte{}
	}
	s.ask(func(ctx context.Context) error {
		f = found{}
		var batch pgx.Batch
		batch.Queue(downwards, s.index, bucket, from, to, budget/leastBytes, budget)
		results := s.conn.SendBatch(ctx, &batch)
		return errors.Join(f.take(results, budget), results.Close())
	})
	return f
}

// take reads the next result of a batch.
func (f *found) take(results pgx.BatchResults, budget int) error {
	rows, err := results.Query()
	if err != nil {
		return err
	}
	f.records, err = pgx.CollectRows(rows, func(row pgx.CollectableRow) (r record, err error) {
		err = row.Scan(&r.key, &r.value)
		return r, err
	})
	sum := 0
	for _, r := range f.records {
		sum += len(r.value)
	}
	f.more = len(f.records) > 0 && (sum >= budget || len(f.records) >= budget/leastBytes)
	return err
}

// ask runs a query. A View whose connection is lost goes on with another one that sees the same commit;
// where there is none, what was to be read is thrown as a kv.Failure.
func (s *state) ask(query func(context.Context) error) {
	ctx, cancel := context.WithTimeout(context.Background(), readPatience)
	defer cancel()
	s.db.trips.Add(1)
	err := query(ctx)
	if err != nil && s.conn.IsClosed() && s.resume(ctx) {
		err = query(ctx)
	}
	if err != nil {
		s.broken.Store(s.conn.IsClosed())
		panic(kv.Failure{Err: lost(s.conn, err)})
	}
}

// readPatience is how long one read of records may take.
const readPatience = 30 * time.Second
