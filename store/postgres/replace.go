package postgres

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"

	"github.com/jackc/pgx/v5"

	"dowse/store/kv"
)

// Replaced says what a Replace sent.
type Replaced struct {
	Records, Deleted int
	Bytes            int64 // of keys and values
}

// Replace gives the index the records of another one in one commit, and sends those alone that differ.
// It is tried again where the server asks for that.
func (db *DB) Replace(ctx context.Context, from kv.Tx, names [][]byte) (sent Replaced, err error) {
	const tries = 3
	for range tries {
		sent = Replaced{}
		err = db.update(ctx, func(t *tx) error {
			for _, name := range names {
				if err := t.replace(ctx, from.Bucket(name), name, &sent); err != nil {
					return err
				}
			}
			return nil
		})
		if !isRetried(err) {
			break
		}
	}
	return sent, err
}

// replace compares a bucket record by record, by their sums on this side of the line.
func (t *tx) replace(ctx context.Context, from kv.Bucket, name []byte, sent *Replaced) error {
	into := t.Bucket(name)
	if into == nil {
		var err error
		if into, err = t.CreateBucket(name); err != nil {
			return err
		}
	}
	old := &sums{tx: t, ctx: ctx, number: into.(*bucket).number}
	if err := old.next(); err != nil {
		return err
	}
	cursor := from.Cursor()
	key, value := cursor.First()
	for key != nil || old.key != nil {
		order := bytes.Compare(key, old.key)
		switch {
		case key == nil || old.key != nil && order > 0:
			sent.Deleted++
			if err := errors.Join(into.Delete(old.key), old.next()); err != nil {
				return err
			}
			continue
		case old.key == nil || order < 0 || sha256.Sum256(value) != old.sum:
			sent.Records++
			sent.Bytes += int64(len(key) + len(value))
			if err := into.Put(key, bytes.Clone(value)); err != nil {
				return err
			}
		}
		if old.key != nil && order == 0 {
			if err := old.next(); err != nil {
				return err
			}
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		key, value = cursor.Next()
	}
	return nil
}

// sums goes through the sums of a bucket's values on the server.
type sums struct {
	tx     *tx
	ctx    context.Context
	number int16
	page   []summed
	at     int
	last   bool
	summed
}

type summed struct {
	key []byte
	sum [sha256.Size]byte
}

// sumsPage is how many come at once.
const sumsPage = 4096

// next goes to the next record; its key is nil at the end.
func (s *sums) next() error {
	if s.at == len(s.page) && !s.last {
		from := []byte{}
		if s.key != nil {
			from = after(s.key)
		}
		rows, err := s.tx.conn.Query(s.ctx, `select key, sha256(value) from dowse.records
			where index = $1 and bucket = $2 and key >= $3 order by key limit $4`, s.tx.index, s.number, from, sumsPage)
		if err != nil {
			return explain(err)
		}
		s.page, err = pgx.CollectRows(rows, func(row pgx.CollectableRow) (one summed, err error) {
			var sum []byte
			err = row.Scan(&one.key, &sum)
			copy(one.sum[:], sum)
			return one, err
		})
		if err != nil {
			return explain(err)
		}
		s.at, s.last = 0, len(s.page) < sumsPage
	}
	if s.at == len(s.page) {
		s.summed = summed{}
		return nil
	}
	s.summed = s.page[s.at]
	s.at++
	return nil
}
