package indexer_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"dowse/engine/lexical"
	"dowse/engine/memory"
	"dowse/indexer"
)

// TestPreparedFilesAreBoundedByBytes indexes many files of which few find room
// at a time, small ones and some that need all of it. None waits for ever.
func TestPreparedFilesAreBoundedByBytes(t *testing.T) {
	const limit = 2 << 20
	b, ledger := newBench(t), &memory.Ledger{}
	sizes := 0
	for i := range 60 {
		text := strings.Repeat(fmt.Sprintf("unicorn number%d. ", i), 40*(1+i%7*i%5*20))
		b.write(fmt.Sprintf("f%02d.txt", i), text)
		sizes += len(text)
	}
	ix := b.another(indexer.Options{Threads: 4, Prepared: limit, Ledger: ledger})
	r, err := ix.Run(t.Context(), []string{b.root})
	b.must(err)
	if r.Files != 60 || len(b.files()) != 60 {
		t.Errorf("report %+v", r)
	}
	pool := ledger.Snapshot()
	if len(pool) != 1 || pool[0].Name != "indexer.prepared" || pool[0].Bytes != 0 || pool[0].Peak > limit || pool[0].Peak < limit/2 {
		t.Errorf("pools %+v, the limit is %d", pool, limit)
	}
	if 5*sizes < 2*limit {
		t.Errorf("all files, %d bytes, find room at the same time", sizes)
	}
	b.sameAs(b.rebuilt())
}

// TestRoomHoldsWhatAFileTakes compares the room that is taken for a file before
// it is read with what it holds then, for several kinds of text.
func TestRoomHoldsWhatAFileTakes(t *testing.T) {
	b := newBench(t)
	for name, text := range map[string]string{
		"english": "The heron stood in the reeds of the lake and waited for a fish. ",
		"code":    "func (ix *Indexer) readFileAgain(pathOfTheFile string) (err error) { return ix.openStore(pathOfTheFile) }\n",
		"chinese": "苍鹭站在湖边的芦苇丛中等待着一条鱼游过来。",
		"german":  "Donaudampfschifffahrtsgesellschaftskapitänsmützen sind selten geworden. ",
	} {
		path := filepath.Join(b.root, name+".txt")
		b.write(name+".txt", strings.Repeat(text, 4000))
		taken, holds := b.index.RoomOf(path)
		t.Logf("%s: %d bytes taken, %d held", name, taken, holds)
		if holds > taken {
			t.Errorf("%s: a file holds %d bytes, and %d are taken for it", name, holds, taken)
		}
	}
}

// another returns an indexer of the same index with other options.
func (b *bench) another(o indexer.Options) *indexer.Indexer {
	o.Store, o.Analyzer, o.Embedder, o.Dot, o.Budget = b.db, lexical.NewAnalyzer(), b.embed, plainDot{}, 0.05
	o.MaxFile, o.Emit = 1<<20, b.note
	return indexer.New(o)
}
