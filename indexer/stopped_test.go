package indexer_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"

	"dowse/engine"
	"dowse/indexer/document"
	"dowse/indexer/extract"
	"dowse/internal/testwait"
)

// TestAFileIsStoppedInTheMiddle: a run ends at once while a file is read that takes long, and
// the next run reads that file again, whatever the Format said of its context.
func TestAFileIsStoppedInTheMiddle(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	var reads atomic.Int32
	addFormat(t, document.Format{
		Name: "scan", Extensions: []string{"scan"}, Paced: true,
		Read: func(ctx context.Context, in *document.Input) (*document.Document, error) {
			if reads.Add(1) == 1 {
				document.Report(ctx, document.Part{Unit: document.Page, Number: 1}, 2)
				cancel()
				<-ctx.Done()
				return nil, document.ErrNoText
			}
			b := in.Builder()
			b.Paragraph("what the pixels say")
			return b.Document("scan", document.Meta{}), nil
		},
	})
	b := newBench(t)
	b.write("a.scan", "pixels")
	if _, err := b.index.Run(ctx, []string{b.root}); !errors.Is(err, context.Canceled) {
		t.Fatalf("a run that was stopped: %v", err)
	}
	// The second run reads it for its words, and again for its vectors.
	if done := b.run(b.root); reads.Load() != 3 || done.Files != 1 || len(done.Skipped) != 0 {
		t.Errorf("read %d times, %+v", reads.Load(), done)
	}
}

// TestALongFileSaysHowFarItIs in the progress of the run.
func TestALongFileSaysHowFarItIs(t *testing.T) {
	var told atomic.Bool
	addFormat(t, document.Format{
		Name: "scan", Extensions: []string{"scan"},
		Read: func(ctx context.Context, in *document.Input) (*document.Document, error) {
			if !document.Programs(ctx) {
				return nil, document.ErrNoText
			}
			if !testwait.For(testwait.Patience, func() bool {
				document.Report(ctx, document.Part{Unit: document.Page, Number: 12}, 600)
				return told.Load()
			}) {
				return nil, errors.New("nobody hears of it")
			}
			b := in.Builder()
			b.Paragraph("what the pixels say")
			return b.Document("scan", document.Meta{}), nil
		},
	})
	b := newBench(t)
	b.write("a.scan", "pixels")
	b.onEvent = func(e engine.Event) {
		if p := e.Progress; p != nil && p.Current == b.path("a.scan") && p.Part == "page 12 of 600" {
			told.Store(true)
		}
	}
	if done := b.run(b.root); done.Files != 1 {
		t.Errorf("%+v", done)
	}
	// Somebody who waits for the text starts no programs.
	if _, err := extract.File(b.path("a.scan"), extract.Options{}); err == nil {
		t.Error("a program was run while somebody waits")
	}
}
