package indexer_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"dowse/indexer"
	"dowse/indexer/document"
	"dowse/internal/testwait"
)

// TestOthersAreReadDuringASlowFile has a file end when many behind it were read.
func TestOthersAreReadDuringASlowFile(t *testing.T) {
	const others = 40
	var read atomic.Int64
	all := make(chan struct{})
	text := func(in *document.Input) *document.Document {
		b := in.Builder()
		b.Paragraph(string(in.Data))
		return b.Document("test", document.Meta{})
	}
	addFormat(t, document.Format{Name: "test", Extensions: []string{"quick"}, Read: func(_ context.Context, in *document.Input) (*document.Document, error) {
		if read.Add(1) == others {
			close(all)
		}
		return text(in), nil
	}})
	addFormat(t, document.Format{Name: "test", Extensions: []string{"slow"}, Read: func(_ context.Context, in *document.Input) (*document.Document, error) {
		select {
		case <-all:
		case <-time.After(testwait.Patience):
			t.Errorf("%d files were read behind a slow one, want %d", read.Load(), others)
		}
		return text(in), nil
	}})
	b := newBench(t)
	for i := range others {
		b.write(fmt.Sprintf("b%02d.quick", i), fmt.Sprintf("unicorn number%d", i))
	}
	b.write("a.slow", "unicorn of a slow file")
	newest := time.Now().Add(time.Hour) // what was written last is read first
	b.must(os.Chtimes(filepath.Join(b.root, "a.slow"), newest, newest))
	r, err := b.another(indexer.Options{Threads: 2}).Run(t.Context(), []string{b.root})
	b.must(err)
	if r.Files != 1+others {
		t.Errorf("report %+v", r)
	}
	b.sameAs(b.rebuilt())
}
