package store_test

import (
	"bytes"
	"context"
	"math/rand/v2"
	"os"
	"os/exec"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"dowse/internal/testpostgres"
	"dowse/internal/testwait"
	"dowse/store"
	"dowse/store/kv"
	"dowse/store/postgres"
)

// soakVariable says for how long two writers and ten readers run while they and the server are killed.
const soakVariable = "DOWSE_TEST_SOAK"

// soaked is what readers and writers of one server saw.
type soaked struct {
	t                           *testing.T
	at                          place
	views, away, kills, highest atomic.Int64
}

// soak: no commit that a View saw is lost, and every View sees one whole commit.
func soak(t *testing.T, s *testpostgres.Server) {
	t.Helper()
	long, err := time.ParseDuration(os.Getenv(soakVariable))
	if err != nil {
		t.Skip("give a time by " + soakVariable)
	}
	saw := &soaked{t: t, at: place(s.Address() + "#soak")}
	db, err := saw.at.open()
	must(t, err)
	fill(t, db, 200, 1)
	must(t, db.Close())
	ctx, stop := context.WithTimeout(t.Context(), long)
	defer stop()
	var all sync.WaitGroup
	for range 10 {
		all.Go(func() { saw.read(ctx) })
	}
	for range 2 {
		all.Go(func() { saw.write(ctx) })
	}
	for ctx.Err() == nil {
		select {
		case <-ctx.Done():
		case <-time.After(time.Duration(3+rand.IntN(5)) * time.Second):
			s.Kill()
			saw.kills.Add(1)
			s.Restart()
		}
	}
	all.Wait()
	s.Restart()
	db = opened(t, saw.at)
	until(t, db, "the last commit is whole", func(tx kv.Tx) bool {
		n, err := numberOf(tx, 200)
		must(t, err)
		if int64(n) < saw.highest.Load() {
			t.Errorf("commit %d was seen, and %d is there", saw.highest.Load(), n)
		}
		t.Logf("%d commits, %d Views, %d without the server, %d kills", n, saw.views.Load(), saw.away.Load(), saw.kills.Load())
		return true
	})
}

// read reads as one reader does, which comes anew now and then.
func (s *soaked) read(ctx context.Context) {
	a, _ := postgres.ParseAddress(string(s.at))
	var reader *postgres.DB
	for seen := 0; ctx.Err() == nil; {
		var err error
		if reader == nil {
			if reader, err = postgres.Open(ctx, a, postgres.Options{Memory: 64 << 10}); err != nil {
				reader = nil
				s.away.Add(1)
				testwait.Moment(50 * time.Millisecond)
				continue
			}
		}
		s.views.Add(1)
		if err := store.Guard(func() error { return reader.View(func(tx kv.Tx) error { return s.look(tx, &seen) }) }); err != nil {
			s.away.Add(1)
			testwait.Moment(50 * time.Millisecond)
		}
		if rand.IntN(200) == 0 {
			_ = reader.Close() // the server may be away
			reader = nil
		}
	}
	if reader != nil {
		_ = reader.Close()
	}
}

// look compares the commit that a View sees with the last one that its reader saw.
func (s *soaked) look(tx kv.Tx, seen *int) error {
	n, err := numberOf(tx, 200)
	if err != nil || n < *seen {
		s.t.Errorf("commit %d after %d: %v", n, *seen, err)
	}
	*seen = n
	for last := s.highest.Load(); int64(n) > last && !s.highest.CompareAndSwap(last, int64(n)); last = s.highest.Load() {
	}
	return nil
}

// write has programs write that are killed after a moment.
func (s *soaked) write(ctx context.Context) {
	for ctx.Err() == nil {
		limited, cancel := context.WithTimeout(ctx, time.Duration(500+rand.IntN(3000))*time.Millisecond)
		child := exec.CommandContext(limited, os.Args[0])
		child.Env = append(os.Environ(), recordsVariable+"="+string(s.at))
		out, _ := child.Output() // it is killed, or has lost the server
		if bytes.Contains(out, []byte("record")) {
			s.t.Error(string(out))
		}
		cancel()
		s.kills.Add(1)
	}
}
