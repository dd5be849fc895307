package store_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"dowse/internal/testpostgres"
	"dowse/internal/testwait"
	"dowse/store"
	"dowse/store/kv"
)

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
