package bench

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"dowse/indexer/chunk"
	"dowse/indexer/document"
	"dowse/indexer/extract"
	"dowse/indexer/skip"
	"dowse/indexer/walk"
	"dowse/internal/eval"
	"dowse/lab/collection"
)

// passage is a text that an index embeds.
type passage struct {
	Text string // what is embedded: the headings above it, and its body
	Body string // the bytes of the file that it stands for
}

// Corpus is the text below some folders.
type Corpus struct {
	Files      int
	Duplicates int       // passages that Distinct left out
	Passages   []passage // in the order of the files, and within a file of the text
	Questions  []string  // of the collections in BEIR layout
}

// CorpusOptions say how a corpus is read.
type CorpusOptions struct {
	MaxFile int64            // files above are left out; 0 means no limit
	Workers int              // files read at the same time
	Count   func(string) int // tokens of a text, as the embedding model counts them
	Room    int              // tokens of a passage that it reads, 0 for any number
}

// corpusFile makes a folder a judged collection; the grades lie in a folder of it.
const (
	corpusFile   = "corpus.jsonl"
	gradesFolder = "qrels"
)

// ReadCorpus walks the folders and cuts their text as indexing does. A folder with a
// corpus.jsonl is a judged collection, whose documents are a text each.
func ReadCorpus(ctx context.Context, folders []string, opts CorpusOptions, progress Progress) (*Corpus, error) {
	listing, err := listFiles(ctx, folders, walk.Options{Workers: opts.Workers})
	if err != nil {
		return nil, err
	}
	r := &corpusReader{opts: opts, collections: map[string]bool{}}
	for _, e := range listing.files {
		if filepath.Base(e.Path) == corpusFile {
			r.collections[filepath.Dir(e.Path)] = true
		}
	}
	// Files are read at the same time, and put together in their order.
	parts := make([]Corpus, len(listing.files))
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
			parts[i], err = r.read(e.Path)
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	all := &Corpus{}
	for _, part := range parts {
		countIf(&all.Files, len(part.Passages) > 0)
		all.Passages, all.Questions = append(all.Passages, part.Passages...), append(all.Questions, part.Questions...)
	}
	return all, nil
}

// corpusReader reads files. It is used by several goroutines.
type corpusReader struct {
	opts        CorpusOptions
	collections map[string]bool // folders with a corpus.jsonl
}

func (r *corpusReader) read(path string) (Corpus, error) {
	dir := filepath.Dir(path)
	switch {
	case filepath.Base(path) == corpusFile:
		return r.collection(dir)
	case r.collections[dir], filepath.Base(dir) == gradesFolder && r.collections[filepath.Dir(dir)]:
		return Corpus{}, nil // queries, grades and the like are no text to search
	}
	doc, err := extract.File(path, extract.Options{MaxBytes: r.opts.MaxFile})
	if _, left := skip.ReasonOf(err); left {
		return Corpus{}, nil
	}
	if err != nil {
		return Corpus{}, fmt.Errorf("read %s: %w", path, err)
	}
	return Corpus{Passages: r.cut(doc)}, nil
}

// collection reads a judged collection.
func (r *corpusReader) collection(dir string) (c Corpus, err error) {
	set, err := collection.Load(dir)
	if err != nil {
		return c, err
	}
	for _, d := range set.Documents {
		c.Passages = append(c.Passages, r.cut(document.FromText(strings.ToValidUTF8(d.Passage(), "\ufffd"), document.Text))...)
	}
	for _, q := range set.Queries {
		c.Questions = append(c.Questions, q.Text)
	}
	return c, nil
}

func (r *corpusReader) cut(doc *document.Document) []passage {
	var passages []passage
	for _, c := range chunk.Split(doc, chunk.Options{Count: r.opts.Count, MaxTokens: chunk.MaxTokens(r.opts.Room)}) {
		passages = append(passages, passage{Text: chunk.EmbedText(doc, c), Body: doc.Text[c.Start:c.End]})
	}
	return passages
}

// Texts returns what is embedded of each passage.
func (c *Corpus) Texts() []string {
	texts := make([]string, len(c.Passages))
	for i, p := range c.Passages {
		texts[i] = p.Text
	}
	return texts
}

// Distinct keeps the first of passages with the same text.
func (c *Corpus) Distinct() {
	seen := map[string]bool{}
	before := len(c.Passages)
	c.Passages = slices.DeleteFunc(c.Passages, func(p passage) bool {
		again := seen[p.Text]
		seen[p.Text] = true
		return again
	})
	c.Duplicates += before - len(c.Passages)
}

// Sample keeps n passages, or all if n is 0. The choice follows from the texts alone.
func (c *Corpus) Sample(n int) {
	if n == 0 || n >= len(c.Passages) {
		return
	}
	places := shuffle(c.Texts())[:n]
	slices.Sort(places)
	kept := make([]passage, n)
	for i, place := range places {
		kept[i] = c.Passages[place]
	}
	c.Passages = kept
}

// Spread keeps n passages at even distances, or all if n is 0.
func (c *Corpus) Spread(n int) { c.Passages = eval.Spread(c.Passages, n) }

// TextBytes returns the length of all bodies.
func (c *Corpus) TextBytes() (n int64) {
	for _, p := range c.Passages {
		n += int64(len(p.Body))
	}
	return n
}

// sampleSeed orders the passages that samples are drawn from.
const sampleSeed = 0

// shuffle returns the places of texts in a random order that follows from the texts
// alone: a prefix is a sample, the same one of any texts that hold it.
func shuffle(texts []string) []int {
	order := make([]int, len(texts))
	hashes := make([]hash, len(texts))
	for i, text := range texts {
		order[i], hashes[i] = i, hashText(sampleSeed, text)
	}
	slices.SortFunc(order, func(a, b int) int { return compareHash(hashes[a], hashes[b]) })
	return order
}
