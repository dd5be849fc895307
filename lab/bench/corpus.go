package bench

import (
	"context"
	"fmt"

	"golang.org/x/sync/errgroup"

	"dowse/indexer/chunk"
	"dowse/indexer/extract"
	"dowse/indexer/skip"
	"dowse/indexer/walk"
	"dowse/internal/eval"
)

// passage is a text that an index embeds.
type passage struct {
	Text string // what is embedded: the headings above it, and its body
	Body string // the bytes of the file that it stands for
}

// Corpus is the text below some folders, in the order of the files.
type Corpus struct {
	Files    int // that hold a passage
	Passages []passage
}

// CorpusOptions say how a corpus is read.
type CorpusOptions struct {
	MaxFile int64            // files above are left out; 0 means no limit
	Workers int              // files read at the same time
	Count   func(string) int // tokens of a text, as the model counts them
	Room    int              // tokens of a passage that it reads, 0 for any number
}

// ReadCorpus walks the folders and cuts their text as indexing does.
func ReadCorpus(ctx context.Context, folders []string, opts CorpusOptions, progress Progress) (*Corpus, error) {
	listing, err := listFiles(ctx, folders, walk.Options{Workers: opts.Workers})
	if err != nil {
		return nil, err
	}
	parts := make([][]passage, len(listing.files))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(max(opts.Workers, 1))
	for i, e := range listing.files {
		if i%64 == 0 {
			progress("reading files", i, len(listing.files))
		}
		group.Go(func() (err error) {
			if err := ctx.Err(); err != nil {
				return err
			}
			parts[i], err = opts.cut(e.Path)
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	all := &Corpus{}
	for _, part := range parts {
		countIf(&all.Files, len(part) > 0)
		all.Passages = append(all.Passages, part...)
	}
	return all, nil
}

// cut reads a file; one that indexing would leave out has no passages.
func (o *CorpusOptions) cut(path string) (passages []passage, err error) {
	doc, err := extract.File(path, extract.Options{MaxBytes: o.MaxFile})
	if _, left := skip.ReasonOf(err); left {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", path, err)
	}
	for _, c := range chunk.Split(doc, chunk.Options{Count: o.Count, MaxTokens: chunk.MaxTokens(o.Room)}) {
		passages = append(passages, passage{Text: chunk.EmbedText(doc, c), Body: doc.Text[c.Start:c.End]})
	}
	return passages, nil
}

// Texts returns the text to embed of at most n passages, spread evenly; of all if n is 0.
func (c *Corpus) Texts(n int) []string {
	picked := eval.Spread(c.Passages, n)
	texts := make([]string, len(picked))
	for i, p := range picked {
		texts[i] = p.Text
	}
	return texts
}
