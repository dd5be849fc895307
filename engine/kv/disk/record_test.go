package disk

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"dowse/engine/kv"
)

var tiny = Layout{ChunkTokens: 2, Groups: map[kv.Level][kv.Groups]int{kv.Level8: {1, 2, 3, 4}, kv.Level4: {1, 1, 1, 1}}}

// FuzzConversationLog reads any bytes as the log of a conversation. What is whole of them
// reads as the same again, also once it is written anew.
func FuzzConversationLog(f *testing.F) {
	key := ChunkID{1}
	c := content{key: key, name: "a", tokens: []int32{1, -1, 70000}, chunks: []Owned{{ID: key, Level: kv.Level4, Density: 0.5}}}
	whole := appendTokens(appendTruncate(c.encode(), 1), []int32{4, 5})
	f.Add(whole)
	f.Add(whole[:len(whole)-1])
	f.Add(appendTruncate(whole, 10))
	f.Add(appendOwned(whole, 0, []Owned{{Level: kv.Level8}, {Level: kv.Level8}}))
	f.Add(appendConversationHeader(whole, key, "b"))
	f.Add([]byte{})
	path := filepath.Join(f.TempDir(), "log")
	read := func(t *testing.T, data []byte) (content, int) {
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		c, n, err := readContent(path, int64(len(data)), &tiny)
		if err != nil || n > len(data) {
			t.Fatalf("%d bytes of %d, %v", n, len(data), err)
		}
		return c, n
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		c, n := read(t, data)
		again, m := read(t, data[:n])
		if m != n || !reflect.DeepEqual(again, c) {
			t.Fatalf("%d bytes, then %d: %+v, %+v", n, m, c, again)
		}
		if n := len(c.chunks); n > 0 && (n-1)*tiny.ChunkTokens >= len(c.tokens) {
			t.Fatalf("%d chunks of %d tokens", len(c.chunks), len(c.tokens))
		}
		if n == 0 {
			return
		}
		short := c.encode()
		if same, m := read(t, short); m != len(short) || !bytes.Equal(same.encode(), short) {
			t.Fatalf("%+v is written as %+v", c, same)
		}
	})
}

// FuzzIndex does the same with an index of slots.
func FuzzIndex(f *testing.F) {
	key, id := ChunkID{1}, ChunkID{2}
	whole := appendSlot(appendIndexHeader(nil, key), id, slot{extent: extent{3, 1}, level: kv.Level8, sums: [4]uint32{1, 2, 3, 4}})
	f.Add(whole)
	f.Add(appendFree(whole, id))
	f.Add(appendSlot(whole, key, slot{extent: extent{1, 1}, level: 7}))
	f.Fuzz(func(t *testing.T, data []byte) {
		slots, n := readIndex(data, key, &tiny)
		if n > len(data) || n == 0 && len(slots) > 0 {
			t.Fatalf("%d slots in %d of %d bytes", len(slots), n, len(data))
		}
		if again, m := readIndex(data[:n], key, &tiny); m != n || !reflect.DeepEqual(again, slots) {
			t.Fatalf("%d bytes, then %d", n, m)
		}
		if n == 0 {
			return
		}
		short := encodeIndex(key, slots)
		if same, m := readIndex(short, key, &tiny); m != len(short) || !reflect.DeepEqual(same, slots) {
			t.Fatalf("%v is written as %v", slots, same)
		}
	})
}

// Logs in which most is of the past are written anew, and say the same.
func TestLogsAreWrittenAnew(t *testing.T) {
	folder := t.TempDir()
	o := Options{Folder: folder, Model: "m", Layout: tiny}
	d, err := Open(o)
	if err == nil {
		err = d.Append("a", make([]int32, 4))
	}
	if err != nil {
		t.Fatal(err)
	}
	id := NextID(d.ModelID(), []int32{0, 0}, "")
	next := NextID(id, []int32{0, 0}, "")
	const times = 200
	for i := range times {
		chunks := []Chunk{{Position: 0, ID: id, Level: kv.Level8, Data: make([]byte, 10)}, {Position: 1, ID: next, Level: kv.Level4, Density: float32(i), Data: make([]byte, 4)}}
		if i%2 == 1 {
			chunks[1].Level, chunks[1].Data = kv.Level8, make([]byte, 10)
		}
		if err := d.Put("a", chunks); err != nil {
			t.Fatal(err)
		}
	}
	index, log := d.index.size, d.conversations["a"].log.size
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	if d, err = Open(o); err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	}()
	if d.index.size*wasted > index || d.conversations["a"].log.size*wasted > log {
		t.Errorf("%d bytes of %d, %d of %d", d.index.size, index, d.conversations["a"].log.size, log)
	}
	owned, want := d.Chunks("a"), []Owned{{ID: id, Level: kv.Level8}, {ID: next, Level: kv.Level8, Density: times - 1}}
	if !reflect.DeepEqual(owned, want) {
		t.Errorf("%v, want %v", owned, want)
	}
	if report, err := d.Check(t.Context()); err != nil || len(report.Problems) > 0 || report.Stored != 2 {
		t.Errorf("%+v, %v", report, err)
	}
	d.index.size = tidyFrom // as if it had grown while the Disk was open
	if d.tidy(); d.index.size >= tidyFrom {
		t.Errorf("%d bytes", d.index.size)
	}
}
