package indexbench

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"dowse/indexer/chunk"
	"dowse/indexer/extract"
	"dowse/indexer/skip"
	"dowse/indexer/walk"
)

// Passage is a text that an index embeds.
type Passage struct {
	Text string // what is embedded: the headings above it, and its body
	Body string // the bytes of the file that it stands for
	Hash Hash   // of Text
}

// Corpus is the text below some folders, each passage once.
type Corpus struct {
	Files      int
	Duplicates int       // passages left out because the same text came before
	Passages   []Passage // in the order of the files, and within a file of the text
	Questions  []string  // of the collections in BEIR layout
}

// CorpusOptions say how a corpus is read.
type CorpusOptions struct {
	MaxFile int64            // files above are left out; 0 means no limit
	Workers int              // files read at the same time
	Count   func(string) int // tokens of a text, as the embedding model counts them
}

// ReadCorpus walks the folders and cuts their text as indexing does. A folder
// with a corpus.jsonl is a collection: each of its documents is a text of its
// own, and queries.jsonl holds questions.
func ReadCorpus(ctx context.Context, folders []string, opts CorpusOptions, progress func(done, total int)) (*Corpus, error) {
	listing, err := walk.List(ctx, folders, walk.Options{})
	if err != nil {
		return nil, err
	}
	r := &corpusReader{opts: opts, collections: map[string]bool{}}
	for _, e := range listing.Files {
		if filepath.Base(e.Path) == corpusFile {
			r.collections[filepath.Dir(e.Path)] = true
		}
	}
	// Files are read at the same time, and put together in their order.
	parts := make([]part, len(listing.Files))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(max(opts.Workers, 1))
	for i, e := range listing.Files {
		if i%64 == 0 {
			progress(i, len(listing.Files))
		}
		group.Go(func() error {
			if err := ctx.Err(); err != nil {
				return err
			}
			p, err := r.read(e.Path)
			parts[i] = p
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	return join(parts), nil
}

// part is what one file gave.
type part struct {
	passages  []Passage
	questions []string
}

// join puts parts together and drops passages whose text was there before.
func join(parts []part) *Corpus {
	c := &Corpus{}
	seen := map[Hash]bool{}
	for _, p := range parts {
		if len(p.passages) > 0 {
			c.Files++
		}
		c.Questions = append(c.Questions, p.questions...)
		for _, passage := range p.passages {
			if seen[passage.Hash] {
				c.Duplicates++
				continue
			}
			seen[passage.Hash] = true
			c.Passages = append(c.Passages, passage)
		}
	}
	return c
}

// corpusReader reads files. It is used by several goroutines.
type corpusReader struct {
	opts        CorpusOptions
	collections map[string]bool // folders with a corpus.jsonl
}

func (r *corpusReader) read(path string) (part, error) {
	dir, name := filepath.Split(path)
	dir = filepath.Clean(dir)
	switch {
	case r.collections[dir] && name == corpusFile:
		return r.documents(path)
	case r.collections[dir] && name == queriesFile:
		questions, err := readQuestions(path)
		return part{questions: questions}, err
	case r.collections[dir], filepath.Base(dir) == gradesFolder && r.collections[filepath.Dir(dir)]:
		return part{}, nil // grades and the like are no text to search
	}
	doc, err := extract.File(path, extract.Options{MaxBytes: r.opts.MaxFile})
	if _, left := skip.ReasonOf(err); left {
		return part{}, nil
	}
	if err != nil {
		return part{}, fmt.Errorf("read %s: %w", path, err)
	}
	return part{passages: r.cut(doc)}, nil
}

// documents reads a collection's documents, each a text of its own.
func (r *corpusReader) documents(path string) (part, error) {
	var p part
	err := readDocuments(path, func(text string) {
		p.passages = append(p.passages, r.cut(extract.FromText(strings.ToValidUTF8(text, "\ufffd"), extract.Text))...)
	})
	return p, err
}

func (r *corpusReader) cut(doc *extract.Document) []Passage {
	var passages []Passage
	for _, c := range chunk.Split(doc, chunk.Options{Count: r.opts.Count}) {
		text := chunk.EmbedText(doc, c)
		passages = append(passages, Passage{Text: text, Body: doc.Text[c.Start:c.End], Hash: HashText(text)})
	}
	return passages
}

// Shuffle returns the places of all passages in a random order that follows
// from their texts alone: a prefix is a sample, the same one in any corpus
// with the same texts.
func (c *Corpus) Shuffle() []int {
	order := make([]int, len(c.Passages))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return compareHash(c.Passages[a].Hash, c.Passages[b].Hash) })
	return order
}

// Keep drops all but the passages at the given places, and keeps their order.
func (c *Corpus) Keep(places []int) {
	places = slices.Sorted(slices.Values(places))
	kept := make([]Passage, len(places))
	for i, place := range places {
		kept[i] = c.Passages[place]
	}
	c.Passages = kept
}

// TextBytes is the length of all bodies.
func (c *Corpus) TextBytes() int64 {
	n := int64(0)
	for _, p := range c.Passages {
		n += int64(len(p.Body))
	}
	return n
}
