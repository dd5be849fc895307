package disk_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"dowse/engine/kv"
	"dowse/engine/kv/disk"
)

// small is a layout whose groups are of different lengths, and whose slots end in the
// middle of pages.
var small = disk.Layout{ChunkTokens: 4, Groups: map[kv.Level][kv.Groups]int{
	kv.Level8: {3000, 2500, 3000, 2500}, kv.Level4: {1600, 1300, 1600, 1300}, kv.Level2: {700, 600, 700, 600},
}}

// bytesOf returns the keys and values of a chunk, which follow from its id and level.
func bytesOf(id disk.ChunkID, level kv.Level) []byte {
	data := make([]byte, small.Bytes(level))
	_, _ = rand.NewChaCha8(disk.NextID(id, []int32{int32(level)}, "")).Read(data) // it never fails
	return data
}

// open opens a folder for the model "m", until the test ends.
func open(t testing.TB, folder string, change ...func(*disk.Options)) *disk.Disk {
	t.Helper()
	o := disk.Options{Folder: folder, Model: "m", Layout: small}
	for _, f := range change {
		f(&o)
	}
	d, err := disk.Open(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = d.Close() }) // the test may have closed it
	return d
}

// quota limits a disk to chunks at 8 bits.
func quota(chunks int) func(*disk.Options) {
	return func(o *disk.Options) { o.Quota = int64(chunks) * 3 * 4096 }
}

// reopen closes a disk and opens it again.
func reopen(t testing.TB, d *disk.Disk, folder string, change ...func(*disk.Options)) *disk.Disk {
	t.Helper()
	must(t, d.Close())
	return open(t, folder, change...)
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// ids returns the ids of the complete chunks of tokens.
func ids(d *disk.Disk, tokens []int32, salt string) (all []disk.ChunkID) {
	last := d.ModelID()
	for chunk := range slices.Chunk(tokens, small.ChunkTokens) {
		if len(chunk) == small.ChunkTokens {
			last = disk.NextID(last, chunk, salt)
			all = append(all, last)
		}
	}
	return all
}

// text returns n tokens of a seed.
func text(seed int32, n int) []int32 {
	tokens := make([]int32, n)
	for i := range tokens {
		tokens[i] = seed*1000 + int32(i)
	}
	return tokens
}

// put puts the chunks of ids, from a position on, at a level.
func put(d *disk.Disk, name string, from int, level kv.Level, of ...disk.ChunkID) error {
	chunks := make([]disk.Chunk, len(of))
	for i, id := range of {
		chunks[i] = disk.Chunk{Position: from + i, ID: id, Level: level, Density: float32(i), Data: bytesOf(id, level)}
	}
	return d.Put(name, chunks)
}

// keep makes a conversation of tokens whose chunks are all on the disk.
func keep(t testing.TB, d *disk.Disk, name string, tokens []int32, level kv.Level) []disk.ChunkID {
	t.Helper()
	of := ids(d, tokens, "")
	must(t, d.Append(name, tokens))
	must(t, put(d, name, 0, level, of...))
	return of
}

// read reads all groups of a chunk.
func read(d *disk.Disk, id disk.ChunkID, level kv.Level) (data []byte, err error) {
	for g, size := range small.Groups[level] {
		part := make([]byte, size)
		if err := d.Read(context.Background(), id, g, part); err != nil {
			return nil, err
		}
		data = append(data, part...)
	}
	return data, nil
}

// lost reports whether an error of read says that the chunk has to be computed.
func lost(err error) bool { return errors.Is(err, disk.ErrMissing) || errors.Is(err, disk.ErrDamaged) }

// requireChunks reads chunks.
func requireChunks(t testing.TB, d *disk.Disk, level kv.Level, of ...disk.ChunkID) {
	t.Helper()
	for i, id := range of {
		if entry, there := d.Find(id); !there || entry.Level != level {
			t.Fatalf("chunk %d: %+v, %v; want %d bits", i, entry, there, level)
		}
		if dst, err := read(d, id, level); err != nil || !bytes.Equal(dst, bytesOf(id, level)) {
			t.Fatalf("chunk %d has other bytes (%v)", i, err)
		}
	}
}

func requireMissing(t testing.TB, d *disk.Disk, of ...disk.ChunkID) {
	t.Helper()
	for i, id := range of {
		if entry, there := d.Find(id); there {
			t.Errorf("chunk %d is there: %+v", i, entry)
		}
		if err := d.Read(context.Background(), id, 0, make([]byte, 3000)); !lost(err) {
			t.Errorf("chunk %d is read: %v", i, err)
		}
	}
}

func requireTokens(t testing.TB, d *disk.Disk, name string, want []int32) {
	t.Helper()
	if got, err := d.Tokens(name); err != nil || !slices.Equal(got, want) {
		t.Fatalf("tokens of %s: %v (%v), want %v", name, got, err, want)
	}
}

// requireSound checks a disk.
func requireSound(t testing.TB, d *disk.Disk) *disk.Report {
	t.Helper()
	report, err := d.Check(context.Background())
	if err != nil || len(report.Problems) > 0 || report.Damaged > 0 {
		t.Fatalf("%+v, %v", report, err)
	}
	return report
}

// requireNowhere looks for bytes of chunks in all files of a folder.
func requireNowhere(t testing.TB, folder string, level kv.Level, of ...disk.ChunkID) {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(folder, "*"))
	must(t, err)
	for _, path := range paths {
		data, err := os.ReadFile(path)
		must(t, err)
		for i, id := range of {
			b := bytesOf(id, level)
			for at := 0; at+16 <= len(b); at += 512 {
				if bytes.Contains(data, b[at:at+16]) {
					t.Fatalf("bytes %d of chunk %d are in %s", at, i, path)
				}
			}
		}
	}
}

// requireNoTokens looks for the tokens of a text in all files of a folder.
func requireNoTokens(t testing.TB, folder string, tokens []int32) {
	t.Helper()
	var b []byte
	for _, token := range tokens[:3] {
		b = binary.AppendUvarint(b, uint64(token))
	}
	requireNo(t, folder, b)
}

// requireNoIDs looks for ids in all files of a folder.
func requireNoIDs(t testing.TB, folder string, of ...disk.ChunkID) {
	t.Helper()
	for _, id := range of {
		requireNo(t, folder, id[:])
	}
}

func requireNo(t testing.TB, folder string, b []byte) {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(folder, "*"))
	must(t, err)
	for _, path := range paths {
		if data, err := os.ReadFile(path); err != nil || bytes.Contains(data, b) {
			t.Fatalf("%x is in %s (%v)", b, path, err)
		}
	}
}
