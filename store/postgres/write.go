package postgres

import (
	"context"
	"errors"
	"maps"
	"slices"
	"time"
)

// writes are those of a transaction that are not sent yet, and the keys of all.
type writes struct {
	ctx     context.Context
	of      map[int16]map[string][]byte // values by bucket and key; nil deletes
	bytes   int
	changes []change // for the log; no more than mostChanges and one
	named   bool     // a bucket was created
}

const (
	// flushBytes is what a writer holds in memory before it sends it.
	flushBytes = 8 << 20
	// mostChanges is how many records the log names of a commit. After a larger one readers
	// forget all they know.
	mostChanges = 20_000
	// loggedCommits is how many commits the log goes back.
	loggedCommits = 64
)

func newWrites(ctx context.Context) *writes {
	return &writes{ctx: ctx, of: map[int16]map[string][]byte{}}
}

func (w *writes) add(s *state, bucket int16, key, value []byte) error {
	if w.of[bucket] == nil {
		w.of[bucket] = map[string][]byte{}
	}
	w.of[bucket][string(key)] = value
	w.bytes += len(key) + len(value) + recordBytes
	if len(w.changes) <= mostChanges {
		w.changes = append(w.changes, change{bucket, key})
	}
	if w.bytes >= flushBytes {
		return w.flush(s)
	}
	return nil
}

// flush sends what is noted; it stays within the transaction.
func (w *writes) flush(s *state) error {
	var puts, deletes columns
	for _, bucket := range slices.Sorted(maps.Keys(w.of)) {
		of := w.of[bucket]
		for _, key := range slices.Sorted(maps.Keys(of)) {
			if value := of[key]; value != nil {
				puts.add(bucket, []byte(key), value)
			} else {
				deletes.add(bucket, []byte(key), nil)
			}
		}
	}
	ctx, cancel := context.WithTimeout(w.ctx, writePatience)
	defer cancel()
	if len(deletes.keys) > 0 {
		_, err := s.conn.Exec(ctx, `delete from dowse.records r using unnest($2::smallint[], $3::bytea[]) as d (bucket, key)
			where r.index = $1 and r.bucket = d.bucket and r.key = d.key`, s.index, deletes.buckets, deletes.keys)
		if err != nil {
			return explain(err)
		}
	}
	if len(puts.keys) > 0 {
		_, err := s.conn.Exec(ctx, `insert into dowse.records (index, bucket, key, value)
			select $1, p.bucket, p.key, p.value from unnest($2::smallint[], $3::bytea[], $4::bytea[]) as p (bucket, key, value)
			on conflict (index, bucket, key) do update set value = excluded.value`, s.index, puts.buckets, puts.keys, puts.values)
		if err != nil {
			return explain(err)
		}
	}
	w.of, w.bytes = map[int16]map[string][]byte{}, 0
	return nil
}

// columns are rows as unnest takes them.
type columns struct {
	buckets []int16
	keys    [][]byte
	values  [][]byte
}

func (c *columns) add(bucket int16, key, value []byte) {
	c.buckets, c.keys, c.values = append(c.buckets, bucket), append(c.keys, key), append(c.values, value)
}

// writePatience is how long one statement of a writer may take.
const writePatience = 10 * time.Minute

// commit writes the rest, the number of the commit and its log, and tells readers.
func (w *writes) commit(s *state) error {
	if err := w.flush(s); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(w.ctx, writePatience)
	defer cancel()
	exec := func(sql string, args ...any) (err error) {
		_, err = s.conn.Exec(ctx, sql, args...)
		return err
	}
	number, logged := s.commit+1, len(w.changes) <= mostChanges
	from := max(1, number-loggedCommits+1)
	if !logged {
		from = number + 1
	}
	err := exec(`update dowse.indexes set commit = $2, buckets = $3, logged = greatest(logged, $4) where id = $1`, s.index, number, s.names, from)
	if err == nil {
		err = exec(`delete from dowse.changes where index = $1 and commit < $2`, s.index, from)
	}
	if err == nil && logged {
		var log columns
		for _, c := range w.changes {
			log.add(c.bucket, c.key, nil)
		}
		err = exec(`insert into dowse.changes (index, commit, bucket, key)
			select distinct $1::int, $2::bigint, c.bucket, c.key from unnest($3::smallint[], $4::bytea[]) as c (bucket, key)`, s.index, number, log.buckets, log.keys)
	}
	if err == nil {
		err = exec(`select pg_notify($1, $2)`, channel, payload(s.index, number))
	}
	if err == nil {
		err = exec(`commit`)
	}
	return explain(err)
}

// errUnchanged ends a transaction that wrote nothing.
var errUnchanged = errors.New("nothing was written")
