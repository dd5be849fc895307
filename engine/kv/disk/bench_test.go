package disk_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"dowse/engine/kv"
	"dowse/engine/kv/disk"
)

// shape is that of SmolLM2-135M, whose chunks of 16 tokens take 190 KB at 8 bits.
var shape = kv.Shape{Layers: 30, Heads: 3, HeadDim: 64, ChunkTokens: 16}

// answer is how many chunks a benchmark puts and reads at a time: 1,600 tokens.
const answer = 100

// conversation makes one of tokens, and its chunks without bytes.
func conversation(b *testing.B, d *disk.Disk, name string, seed int32) []disk.Chunk {
	b.Helper()
	tokens := text(seed, answer*shape.ChunkTokens)
	must(b, d.Append(name, tokens))
	chunks, last := make([]disk.Chunk, answer), d.ModelID()
	for i := range chunks {
		last = disk.NextID(last, tokens[i*shape.ChunkTokens:(i+1)*shape.ChunkTokens], "")
		chunks[i] = disk.Chunk{Position: i, ID: last, Level: kv.Level8}
	}
	return chunks
}

// plainly does something with a plain file of the same size each time that the benchmark
// ran, and reports how many times as long the benchmark took.
func plainly(b *testing.B, took time.Duration, do func(file *os.File, data []byte) error) {
	b.Helper()
	file, err := os.Create(filepath.Join(b.TempDir(), "plain"))
	must(b, err)
	data := make([]byte, answer*shape.ChunkBytes(kv.Level8))
	_, err = file.WriteAt(data, 0)
	must(b, err)
	began := time.Now()
	for range b.N {
		must(b, do(file, data))
	}
	b.ReportMetric(float64(took)/float64(time.Since(began)), "x-plain")
	must(b, file.Close())
}

func benchDisk(b *testing.B) *disk.Disk {
	b.Helper()
	b.SetBytes(int64(answer * shape.ChunkBytes(kv.Level8)))
	return open(b, b.TempDir(), func(o *disk.Options) { o.Layout = disk.LayoutOf(shape, kv.Level8) })
}

// BenchmarkPut puts a conversation, again and again after it was deleted.
func BenchmarkPut(b *testing.B) {
	d := benchDisk(b)
	data, took := make([]byte, shape.ChunkBytes(kv.Level8)), time.Duration(0)
	b.ResetTimer()
	for n := range b.N {
		b.StopTimer()
		chunks := conversation(b, d, "a", int32(n))
		for i := range chunks {
			chunks[i].Data = data
		}
		b.StartTimer()
		began := time.Now()
		must(b, d.Put("a", chunks))
		took += time.Since(began)
		b.StopTimer()
		must(b, d.Delete("a"))
		b.StartTimer()
	}
	b.StopTimer()
	plainly(b, took, func(file *os.File, data []byte) error {
		if err := file.Truncate(0); err != nil {
			return err
		}
		_, err := file.WriteAt(data, 0)
		return err
	})
}

// BenchmarkRead reads a conversation whose bytes the system has in memory, group by group as a
// pipeline does.
func BenchmarkRead(b *testing.B) {
	d := benchDisk(b)
	chunks := conversation(b, d, "a", 1)
	ids, dsts := make([]disk.ChunkID, answer), make([][]byte, answer)
	for i := range chunks {
		ids[i], dsts[i] = chunks[i].ID, make([]byte, shape.ChunkBytes(kv.Level8))
		chunks[i].Data = dsts[i]
	}
	must(b, d.Put("a", chunks))
	sizes := disk.LayoutOf(shape, kv.Level8).Groups[kv.Level8]
	ctx := context.Background()
	b.ResetTimer()
	began := time.Now()
	for b.Loop() {
		at := 0
		for g, size := range sizes {
			for i := range ids {
				must(b, d.Read(ctx, ids[i], g, dsts[i][at:at+size]))
			}
			at += size
		}
	}
	plainly(b, time.Since(began), func(file *os.File, data []byte) error {
		_, err := file.ReadAt(data, 0)
		return err
	})
}
