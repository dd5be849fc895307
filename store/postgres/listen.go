package postgres

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
)

// channel is quoted wherever it is listened to: names without quotes are folded.
const channel = "dowse"

// payload names a commit. Payloads have 8,000 bytes at most, and equal ones of a transaction come once.
func payload(index int32, commit int64) string { return fmt.Sprintf("%d %d", index, commit) }

// listenAgain is how long to wait after a connection was lost, twice as long each time, up to a minute.
const (
	listenAgain = time.Second
	listenMost  = time.Minute
)

// listen hears of commits, first on the given connection, until the DB is closed. It stands outside of
// transactions, within which nothing is heard.
func (db *DB) listen(conn *pgx.Conn) {
	ctx, stop := context.WithCancel(context.Background())
	db.stop, db.stopped = stop, make(chan struct{})
	go func() {
		defer close(db.stopped)
		for wait := listenAgain; ctx.Err() == nil; wait = min(2*wait, listenMost) {
			if conn != nil && db.hear(ctx, conn) {
				wait = listenAgain
			}
			db.hears(false)
			if conn != nil {
				_ = conn.Close(context.WithoutCancel(ctx)) // it is lost, or not needed
			}
			select {
			case <-ctx.Done():
				return
			case <-time.After(wait):
			}
			conn, _ = connect(ctx, db.address) // or the next time
		}
	}()
}

// hear waits for commits until the connection is lost; it reports whether it could listen at all.
func (db *DB) hear(ctx context.Context, conn *pgx.Conn) bool {
	if _, err := conn.Exec(ctx, `listen `+channel); err != nil {
		return false
	}
	db.hears(true)
	for {
		note, err := conn.WaitForNotification(ctx)
		if err != nil {
			return true
		}
		var index int32
		var commit int64
		if _, err := fmt.Sscanf(note.Payload, "%d %d", &index, &commit); err == nil && index == db.index.Load() {
			db.committed(commit)
		}
	}
}

// hears notes whether commits are heard of. What was committed before is not known then.
func (db *DB) hears(is bool) {
	db.mu.Lock()
	defer db.mu.Unlock()
	db.heard = is
	db.drop()
}

// committed has new Views see a commit.
func (db *DB) committed(commit int64) {
	db.mu.Lock()
	defer db.mu.Unlock()
	if db.now != nil && db.now.commit < commit {
		db.drop()
	}
}
