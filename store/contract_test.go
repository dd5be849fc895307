package store_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
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

// recordsVariable tells the test binary, run by a test as a child, to write to the buckets it names.
const recordsVariable = "DOWSE_TEST_RECORDS"

// A place has buckets: the path of a file, or an address of PostgreSQL.
type place string

// open opens the buckets for reading and writing. A file is open once at a time.
func (p place) open() (kv.DB, error) {
	if !postgres.IsAddress(string(p)) {
		return store.OpenBolt(string(p))
	}
	a, err := postgres.ParseAddress(string(p))
	if err != nil {
		return nil, err
	}
	w, err := postgres.Open(context.Background(), a, postgres.Options{Write: true, Wait: 10 * time.Second})
	if err != nil {
		return nil, err
	}
	r, err := postgres.Open(context.Background(), a, postgres.Options{Memory: 256 << 10})
	return both{w, r}, err
}

// both writes and reads as two processes do.
type both struct{ write, read *postgres.DB }

func (b both) View(fn func(kv.Tx) error) error   { return b.read.View(fn) }
func (b both) Update(fn func(kv.Tx) error) error { return b.write.Update(fn) }
func (b both) Close() error                      { return errors.Join(b.read.Close(), b.write.Close()) }

// TestContract has every backend pass the same tests: bbolt, and PostgreSQL in each version that there is,
// with one server for all tests and an index for each. Packs are in TestPackContract.
func TestContract(t *testing.T) {
	tests := []struct {
		name string
		test func(*testing.T, place)
	}{
		{"order", contractOrder}, {"snapshot", contractSnapshot}, {"readers and writer", contractReadersAndWriter},
		{"values", contractValues}, {"deletes while iterating", contractDeletes}, {"killed", contractKilled},
	}
	for _, c := range tests {
		t.Run("bbolt/"+c.name, func(t *testing.T) { c.test(t, place(filepath.Join(t.TempDir(), "records.db"))) })
	}
	t.Run("postgres", func(t *testing.T) {
		for _, programs := range testpostgres.Folders(t) {
			t.Run(testpostgres.Version(t, programs), func(t *testing.T) {
				s := testpostgres.Start(t, programs)
				for _, c := range tests {
					t.Run(c.name, func(t *testing.T) { c.test(t, place(s.Address()+"#"+c.name)) })
				}
				t.Run("soak", func(t *testing.T) { soak(t, s) })
			})
		}
	})
}

func opened(t *testing.T, p place) kv.DB {
	t.Helper()
	db, err := p.open()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	return db
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// until waits until a condition holds in a View: a reader hears of a commit a moment later.
func until(t *testing.T, db kv.DB, what string, holds func(kv.Tx) bool) {
	t.Helper()
	testwait.Until(t, what, func() (is bool) {
		must(t, db.View(func(tx kv.Tx) error { is = holds(tx); return nil }))
		return is
	})
}

var (
	bucketA, bucketB = []byte("a"), []byte("b")
	randomKeys       = func(r *rand.Rand) []byte {
		key := make([]byte, 1+r.IntN(3))
		for i := range key {
			key[i] = []byte{0, 1, 'a', 'b', 0x7f, 0x80, 0xff}[r.IntN(7)]
		}
		return key
	}
)

// A bucket agrees with a sorted map, in any order of writes, deletes and moves of a cursor, in the
// transaction that writes and in later ones.
func contractOrder(t *testing.T, p place) {
	t.Helper()
	db, r, model := opened(t, p), rand.New(rand.NewPCG(1, 2)), map[string]string{}
	must(t, db.Update(func(tx kv.Tx) error {
		if !tx.Empty() || tx.Bucket(bucketA) != nil {
			t.Error("new buckets hold something")
		}
		_, err := tx.CreateBucket(bucketA)
		if err == nil {
			var b kv.Bucket
			b, err = tx.CreateBucket(bucketB)
			err = errors.Join(err, b.Put([]byte("z"), []byte("of another bucket")), b.Put([]byte{0}, nil))
		}
		return err
	}))
	for round := range 30 {
		must(t, db.Update(func(tx kv.Tx) error {
			b := tx.Bucket(bucketA)
			for range r.IntN(40) {
				key := randomKeys(r)
				if r.IntN(3) == 0 {
					delete(model, string(key))
					must(t, b.Delete(key))
				} else {
					value := string(bytes.Repeat([]byte{byte(round)}, r.IntN(9)*r.IntN(700)))
					model[string(key)] = value
					must(t, b.Put(key, []byte(value)))
				}
				if r.IntN(4) == 0 {
					sameAs(t, b, model, r)
				}
			}
			sameAs(t, b, model, r)
			return b.Put([]byte("round"), []byte{byte(round)})
		}))
		model["round"] = string([]byte{byte(round)})
		until(t, db, "the commit is seen", func(tx kv.Tx) bool {
			b := tx.Bucket(bucketA)
			if b == nil || !bytes.Equal(b.Get([]byte("round")), []byte{byte(round)}) {
				return false
			}
			sameAs(t, b, model, r)
			return true
		})
	}
}

// sameAs compares a bucket with a map: gets, a walk up, a walk down, and a cursor that wanders.
func sameAs(t *testing.T, b kv.Bucket, model map[string]string, r *rand.Rand) {
	t.Helper()
	var keys []string
	for key := range model {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	is := func(n int, key, value []byte) {
		t.Helper()
		switch {
		case n < 0 || n >= len(keys):
			if key != nil {
				t.Fatalf("%q stands beyond the end", key)
			}
		case key == nil || string(key) != keys[n] || value == nil || string(value) != model[keys[n]]:
			t.Fatalf("key %q with %d bytes, not %q with %d", key, len(value), keys[n], len(model[keys[n]]))
		}
	}
	for range 5 {
		key := randomKeys(r)
		value, there := model[string(key)]
		if got := b.Get(key); (got != nil) != there || string(got) != value {
			t.Fatalf("get %q: %d bytes, not %d (%v)", key, len(got), len(value), there)
		}
	}
	c, n := b.Cursor(), 0
	for key, value := c.First(); key != nil; key, value = c.Next() {
		is(n, key, value)
		n++
	}
	if n != len(keys) {
		t.Fatalf("%d records, not %d", n, len(keys))
	}
	c = b.Cursor()
	n = len(keys) - 1
	for key, value := c.Last(); n >= 0; key, value = c.Prev() {
		is(n, key, value)
		n--
	}
	for range 5 {
		from := randomKeys(r)
		at, _ := slices.BinarySearch(keys, string(from))
		key, value := c.Seek(from)
		is(at, key, value)
		for key != nil && r.IntN(4) > 0 {
			if r.IntN(2) == 0 && at > 0 {
				at--
				key, value = c.Prev()
			} else {
				at++
				key, value = c.Next()
			}
			is(at, key, value)
		}
	}
}

// fill makes bucket a with n records that hold a number.
func fill(t *testing.T, db kv.DB, n, number int) {
	t.Helper()
	must(t, db.Update(func(tx kv.Tx) error { return putAll(tx, n, number) }))
}

func putAll(tx kv.Tx, n, number int) error {
	b := tx.Bucket(bucketA)
	if b == nil {
		var err error
		if b, err = tx.CreateBucket(bucketA); err != nil {
			return err
		}
	}
	for i := range n {
		if err := b.Put(fmt.Appendf(nil, "%04d", i), fmt.Appendf(nil, "%d %s", number, bytes.Repeat([]byte("x"), 100))); err != nil {
			return err
		}
	}
	return nil
}

// numberOf reads the number that all records hold; it fails where they differ.
func numberOf(tx kv.Tx, n int) (number int, err error) {
	b := tx.Bucket(bucketA)
	if b == nil {
		return 0, nil
	}
	count, c := 0, b.Cursor()
	for key, value := c.First(); key != nil; key, value = c.Next() {
		text, _, _ := bytes.Cut(value, []byte(" "))
		one, err := strconv.Atoi(string(text))
		if err != nil || count > 0 && one != number {
			return 0, fmt.Errorf("record %s is of commit %d, others of %d (%v)", key, one, number, err)
		}
		number = one
		count++
	}
	if count != n {
		return 0, fmt.Errorf("%d records, not %d", count, n)
	}
	return number, nil
}

// A View sees one commit while others commit, and a failed Update leaves nothing.
func contractSnapshot(t *testing.T, p place) {
	t.Helper()
	db := opened(t, p)
	fill(t, db, 300, 1)
	until(t, db, "the first commit is seen", func(tx kv.Tx) bool { return tx.Bucket(bucketA) != nil })
	must(t, db.View(func(tx kv.Tx) error {
		if n, err := numberOf(tx, 300); n != 1 || err != nil {
			t.Error(n, err)
		}
		before := tx.Bucket(bucketA).Get([]byte("0299"))
		fill(t, db, 300, 2)
		n, err := numberOf(tx, 300)
		if n != 1 || !bytes.Equal(before, tx.Bucket(bucketA).Get([]byte("0299"))) {
			t.Error("a View sees what was committed after it began")
		}
		return err
	}))
	refused := errors.New("refused")
	if err := db.Update(func(tx kv.Tx) error { return errors.Join(putAll(tx, 300, 3), refused) }); !errors.Is(err, refused) {
		t.Error(err)
	}
	until(t, db, "the second commit is seen", func(tx kv.Tx) bool {
		n, err := numberOf(tx, 300)
		must(t, err)
		return n == 2
	})
	must(t, db.View(func(tx kv.Tx) error {
		if tx.Writable() || tx.Bucket(bucketA).Put([]byte("x"), nil) == nil || tx.Bucket(bucketA).Delete([]byte("0001")) == nil {
			t.Error("a View writes")
		}
		return nil
	}))
}

// Two readers see whole commits, later and later ones, while a writer commits.
func contractReadersAndWriter(t *testing.T, p place) {
	t.Helper()
	db := opened(t, p)
	fill(t, db, 50, 1)
	const commits = 40
	var last atomic.Int64
	var readers sync.WaitGroup
	for range 2 {
		readers.Go(func() {
			for seen := 0; seen < commits; {
				err := store.Guard(func() error {
					return db.View(func(tx kv.Tx) error {
						n, err := numberOf(tx, 50)
						if n < seen || n > int(last.Load())+2 {
							t.Errorf("commit %d after %d", n, seen)
						}
						seen = n
						return err
					})
				})
				if err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	for n := 2; n <= commits; n++ {
		fill(t, db, 50, n)
		last.Store(int64(n))
	}
	readers.Wait()
}

// Values may be large or empty, and a prefix may be the last of a bucket.
func contractValues(t *testing.T, p place) {
	t.Helper()
	db := opened(t, p)
	large := make([]byte, 3<<20)
	_, _ = rand.NewChaCha8([32]byte{1}).Read(large)
	key := bytes.Repeat([]byte{0xff}, 300)
	must(t, db.Update(func(tx kv.Tx) error {
		b, err := tx.CreateBucket(bucketA)
		more, wrong := tx.CreateBucket(bucketB)
		must(t, errors.Join(err, wrong))
		if b.Put(nil, []byte("x")) == nil {
			t.Error("an empty key is taken")
		}
		if _, err := tx.CreateBucket(bucketA); err == nil {
			t.Error("a bucket is created twice")
		}
		return errors.Join(b.Put([]byte("nil"), nil), b.Put([]byte("empty"), []byte{}), b.Put([]byte("large"), large),
			b.Put(key, []byte("last")), more.Put([]byte{0}, []byte("first of the next")), b.Delete([]byte("none")))
	}))
	until(t, db, "the commit is seen", func(tx kv.Tx) bool { return tx.Bucket(bucketB) != nil })
	must(t, db.View(func(tx kv.Tx) error {
		b := tx.Bucket(bucketA)
		for _, key := range []string{"nil", "empty"} {
			if v := b.Get([]byte(key)); v == nil || len(v) != 0 {
				t.Errorf("%s: %v", key, v)
			}
		}
		if !bytes.Equal(b.Get([]byte("large")), large) {
			t.Error("a large value is another one")
		}
		c := b.Cursor()
		if k, v := c.Seek([]byte{0xff}); !bytes.Equal(k, key) || string(v) != "last" {
			t.Errorf("the last prefix: %q", k)
		}
		if k, _ := c.Next(); k != nil {
			t.Errorf("%q beyond the last prefix", k)
		}
		if k, _ := b.Cursor().Seek(append(bytes.Clone(key), 0)); k != nil {
			t.Errorf("%q beyond the last key", k)
		}
		return nil
	}))
}

// Records may be deleted between the steps of a walk that seeks on.
func contractDeletes(t *testing.T, p place) {
	t.Helper()
	db := opened(t, p)
	fill(t, db, 1000, 1)
	must(t, db.Update(func(tx kv.Tx) error {
		b, n := tx.Bucket(bucketA), 0
		c := b.Cursor()
		for key, _ := c.First(); key != nil; key, _ = c.Seek(fmt.Appendf(nil, "%04d", n)) {
			if n++; string(key) != fmt.Sprintf("%04d", n-1) {
				t.Fatalf("%s after %d", key, n-1)
			}
			if n%3 != 0 {
				must(t, b.Delete(key))
			}
		}
		return nil
	}))
	until(t, db, "what is left is seen", func(tx kv.Tx) bool {
		n, err := numberOf(tx, 333)
		return n == 1 && err == nil
	})
}

// writeRecords commits numbers until it is killed.
func writeRecords(p place) error {
	db, err := p.open()
	if err != nil {
		return err
	}
	for {
		err := store.Guard(func() error {
			return db.Update(func(tx kv.Tx) error {
				n := 0
				if b := tx.Bucket(bucketA); b != nil {
					if n, err = numberOf(tx, 200); err != nil {
						return err
					}
				}
				return putAll(tx, 200, n+1)
			})
		})
		if err != nil {
			return err
		}
	}
}

// A writer that is killed leaves its last commit.
func contractKilled(t *testing.T, p place) {
	t.Helper()
	last := 0
	for range 4 {
		child := exec.Command(os.Args[0])
		child.Env = append(os.Environ(), recordsVariable+"="+string(p))
		var said bytes.Buffer
		child.Stdout, child.Stderr = &said, &said
		must(t, child.Start())
		testwait.Moment(time.Duration(100+rand.IntN(400)) * time.Millisecond)
		_ = child.Process.Kill()
		_ = child.Wait() // killed
		if said.Len() > 0 {
			t.Fatal(said.String())
		}
		db, err := p.open()
		must(t, err)
		must(t, store.Guard(func() error {
			return db.Update(func(tx kv.Tx) error {
				if tx.Empty() {
					return nil
				}
				n, err := numberOf(tx, 200)
				if n < last {
					t.Errorf("commit %d after %d", n, last)
				}
				last = n
				return err
			})
		}))
		must(t, db.Close())
	}
}

// soakVariable says for how long two writers and ten readers run while they and the server are killed.
const soakVariable = "DOWSE_TEST_SOAK"

// soak: no commit that a View saw is lost, and every View sees one whole commit.
func soak(t *testing.T, s *testpostgres.Server) {
	t.Helper()
	long, err := time.ParseDuration(os.Getenv(soakVariable))
	if err != nil {
		t.Skip("give a time by " + soakVariable)
	}
	p := place(s.Address() + "#soak")
	db, err := p.open()
	must(t, err)
	fill(t, db, 200, 1)
	must(t, db.Close())
	ctx, stop := context.WithTimeout(t.Context(), long)
	defer stop()
	var all sync.WaitGroup
	var views, away, kills, highest atomic.Int64
	for range 10 {
		all.Go(func() {
			a, _ := postgres.ParseAddress(string(p))
			var reader *postgres.DB
			for seen := 0; ctx.Err() == nil; {
				var err error
				if reader == nil {
					if reader, err = postgres.Open(ctx, a, postgres.Options{Memory: 64 << 10}); err != nil {
						reader = nil
						away.Add(1)
						time.Sleep(50 * time.Millisecond)
						continue
					}
				}
				err = store.Guard(func() error {
					return reader.View(func(tx kv.Tx) error {
						n, err := numberOf(tx, 200)
						if err != nil || n < seen {
							t.Errorf("commit %d after %d: %v", n, seen, err)
						}
						seen = n
						highest.Store(max(highest.Load(), int64(n)))
						return nil
					})
				})
				views.Add(1)
				if err != nil {
					away.Add(1)
					time.Sleep(50 * time.Millisecond)
				}
				if rand.IntN(200) == 0 {
					must(t, reader.Close())
					reader = nil
				}
			}
			if reader != nil {
				_ = reader.Close() // the server may be away
			}
		})
	}
	for range 2 {
		all.Go(func() {
			for ctx.Err() == nil {
				limited, cancel := context.WithTimeout(ctx, time.Duration(500+rand.IntN(3000))*time.Millisecond)
				child := exec.CommandContext(limited, os.Args[0])
				child.Env = append(os.Environ(), recordsVariable+"="+string(p))
				out, _ := child.Output() // it is killed, or has lost the server
				if bytes.Contains(out, []byte("record")) {
					t.Error(string(out))
				}
				cancel()
				kills.Add(1)
			}
		})
	}
	for ctx.Err() == nil {
		select {
		case <-ctx.Done():
		case <-time.After(time.Duration(3+rand.IntN(5)) * time.Second):
			s.Kill()
			kills.Add(1)
			s.Restart()
		}
	}
	all.Wait()
	s.Restart()
	db = opened(t, p)
	until(t, db, "the last commit is whole", func(tx kv.Tx) bool {
		n, err := numberOf(tx, 200)
		must(t, err)
		if int64(n) < highest.Load() {
			t.Errorf("commit %d was seen, and %d is there", highest.Load(), n)
		}
		t.Logf("%d commits, %d Views, %d without the server, %d kills", n, views.Load(), away.Load(), kills.Load())
		return true
	})
}
