package bench

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"dowse/engine"
	"dowse/indexer"
)

// IndexReport is what Index measured.
type IndexReport struct {
	Folders  []string `json:"folders"`
	Files    int      `json:"files"`
	Passages int      `json:"passages"` // that were embedded
	Seconds  float64  `json:"seconds"`  // of indexing
	Alone    float64  `json:"embedding_alone_seconds"`
	Ratio    float64  `json:"ratio"` // of indexing to embedding alone

	Extract  float64 `json:"extract_thread_seconds"` // over all threads
	Cut      float64 `json:"cut_thread_seconds"`     // likewise
	Embed    float64 `json:"embed_seconds"`          // within indexing, beside the others
	Commit   float64 `json:"commit_seconds"`
	Compress float64 `json:"compress_seconds"`

	Text  int64 `json:"text_bytes"`  // of the passages
	Bytes int64 `json:"index_bytes"` // the file; the caller fills it in
	Peak  int64 `json:"peak"`        // bytes that this process held in memory; 0 where the system does not say
}

// recorder is an embedder that keeps the texts that it is given.
type recorder struct {
	indexer.Embedder
	batches [][]string
}

// EmbedDocuments implements indexer.Embedder.
func (r *recorder) EmbedDocuments(ctx context.Context, texts []string) ([]float32, error) {
	r.batches = append(r.batches, slices.Clone(texts))
	return r.Embedder.EmbedDocuments(ctx, texts)
}

// Index indexes folders into an empty store, and embeds the same passages in the same
// batches alone. opts are those of an Indexer; the store has nothing in it.
func Index(ctx context.Context, folders []string, opts indexer.Options, progress Progress) (*IndexReport, error) {
	kept := &recorder{Embedder: opts.Embedder}
	clock := &indexer.Clock{}
	opts.Embedder, opts.Clock = kept, clock
	opts.Emit = func(e engine.Event) {
		if p := e.Progress; p != nil {
			progress("indexing: "+string(p.Phase), p.FilesDone, p.FilesTotal)
		}
	}
	// Loading for the first text counts in neither.
	if _, err := kept.Embedder.EmbedDocuments(ctx, []string{"warm"}); err != nil {
		return nil, err
	}
	start := time.Now()
	done, err := indexer.New(opts).Run(ctx, folders)
	if err != nil {
		return nil, err
	}
	r := &IndexReport{Folders: folders, Files: done.Files, Passages: done.Embedded, Seconds: time.Since(start).Seconds()}
	if len(kept.batches) == 0 {
		return nil, errors.New("the folders hold no text that would be indexed")
	}
	for _, texts := range kept.batches {
		for _, text := range texts {
			r.Text += int64(len(text))
		}
	}
	r.Peak = peakMemory()
	times := clock.Times()
	r.Extract, r.Cut, r.Embed = times.Extract.Seconds(), times.Cut.Seconds(), times.Embed.Seconds()
	r.Commit, r.Compress = times.Commit.Seconds(), times.Compress.Seconds()
	start = time.Now()
	for i, texts := range kept.batches {
		progress("embedding alone", i, len(kept.batches))
		if _, err := kept.Embedder.EmbedDocuments(ctx, texts); err != nil {
			return nil, err
		}
	}
	r.Alone = time.Since(start).Seconds()
	r.Ratio = ratio(r.Seconds, r.Alone)
	return r, nil
}

// Write implements Report.
func (r *IndexReport) Write(w io.Writer) error {
	fmt.Fprintf(w, "%d files, %d passages: indexed in %.1f s, embedded alone in %.1f s, ratio %.2f\n", r.Files, r.Passages, r.Seconds, r.Alone, r.Ratio)
	fmt.Fprintf(w, "%.2f MB of text in an index of %.2f MB; at most %.0f MiB in memory\n", megabytes(r.Text), megabytes(r.Bytes), mebibytes(r.Peak))
	t := newTable(w, "of indexing\tseconds\tshare")
	for _, part := range []struct {
		name    string
		seconds float64
	}{{"embedding", r.Embed}, {"committing", r.Commit}, {"codes, merges, free pages", r.Compress}, {"extraction, all threads", r.Extract}, {"chunks and terms, all threads", r.Cut}} {
		t.row("%s\t%.2f\t%s", part.name, part.seconds, percent(ratio(part.seconds, r.Seconds)))
	}
	return t.flush()
}
