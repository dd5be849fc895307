package indexer

import (
	"context"
	"encoding/binary"
	"errors"
	"time"

	"dowse/engine/layout"
	"dowse/indexer/chunk"
	"dowse/indexer/document"
	"dowse/indexer/extract"
	"dowse/indexer/kept"
	"dowse/indexer/skip"
	"dowse/store"
)

// prepared is a file ready to be committed.
type prepared struct {
	job
	file   store.File
	chunks []store.Chunk
	texts  []string   // of each chunk whose terms are not known yet
	terms  [][]string // what is posted of each chunk; nil where texts are there in their place

	facts  store.Facts   // what the document says of itself
	said   store.Entries // what its entries say
	text   int64         // bytes of the file's text, which texts may share
	packed []byte        // the text in the form in which it is kept; nil of a file that is quick to read again
	room   int64         // bytes that are taken for it

	same bool // contents as indexed: only size and times are noted
	// appended: the file is a log that begins with all that is indexed of it, so that nothing of that was deleted.
	appended bool
	left     skip.Reason // not "": not to be indexed, and why
	lack     error       // why a program of the person's did not read it; nil otherwise

	kept    store.Kept        // chunks that keep their ids, and with them all else
	adopted map[int]uint32    // chunks that take the code of another one, and its id
	lent    map[int][]float32 // chunks that take the vector of another one
	lacking int               // chunks that have no vector: they are embedded behind the words
}

// prepare reads a file and does everything that needs no other file but one of which it is a
// copy: moved returns the text that is kept of that one, nil of none.
func (ix *Indexer) prepare(ctx context.Context, j job, moved func(file store.File) *document.Document) *prepared {
	p := &prepared{job: j}
	start := time.Now()
	defer func() { ix.opts.Clock.add(clockPrepare, start) }()
	if ix.grown(ctx, p) {
		return p
	}
	source, err := extract.Open(j.Path, ix.reading())
	if err != nil {
		return p.leave(err)
	}
	defer source.Close() //nolint:errcheck // nothing is written through it
	defer func() { ix.read.Add(source.Read()) }()
	if err := source.Resume(ix.before(j)); err != nil {
		return p.leave(skip.FromOS(j.Path, err))
	}
	p.file = store.File{
		Path: j.Path, Root: j.Root,
		Size: source.Info.Size(), ModTime: source.Info.ModTime().UnixNano(), Changed: changedOf(source),
	}
	if p.file.Hash, err = hashOf(ctx, source); err != nil {
		return p.leave(err)
	}
	if j.stored != nil && j.stored.Hash == p.file.Hash && j.stored.Root == p.file.Root {
		p.same = true
		return p
	}
	var doc *document.Document
	if j.stored == nil && ix.isLate(j.Path) {
		if doc = moved(p.file); doc != nil && j.waits {
			ix.later.drop(j.Path)
			p.waits = false
		}
	}
	if p.waits {
		ctx = document.WithoutPrograms(ctx)
	}
	if a := ix.later.answered(j.Path, p.file.Hash); doc == nil && a != nil {
		doc, err = a.doc, a.err
	} else if doc == nil {
		doc, err = source.Document(ctx)
	}
	if err != nil {
		return p.leave(err)
	}
	if p.lack = doc.Lacks; p.waits || errors.Is(p.lack, document.ErrNoReader) {
		p.unfinished()
	}
	p.file.Kind, p.file.Plain = uint8(doc.Kind), doc.Plain
	p.text = int64(len(doc.Text))
	p.facts = factsOf(doc)
	if date := doc.Meta.Date; !date.IsZero() {
		p.file.Date = date.Unix()
	}
	if state := source.Log(); state != nil {
		p.packed = state.Append(nil)
		if isLog(j.stored) {
			sum, known := source.PrefixSum(j.stored.Size)
			p.appended = known && shortHash(sum) == j.stored.Hash
		}
	}
	if doc.Slow {
		if p.packed, err = kept.Pack(doc); err != nil {
			return p.leave(err)
		}
	}
	ix.cut(p, doc)
	p.said = entriesOf(doc, p.chunks)
	return p
}

// unfinished has the file read again by the next comparison: a program is still to be asked about
// it, or to be installed. No file has this version.
func (p *prepared) unfinished() {
	p.file.Hash[0] ^= 0xff
	p.file.ModTime = 0
}

// leave marks the file as one that is not indexed.
func (p *prepared) leave(err error) *prepared {
	p.left = skip.Unreadable
	if errors.Is(err, document.ErrProgram) {
		p.lack = err
	}
	if reason, ok := skip.ReasonOf(err); ok {
		p.left = reason
	}
	return p
}

// manyText is the length of a text, in bytes, above which its terms are not held: they take ten times as much.
const manyText = 16 << 20

// cut splits the text into chunks and analyses them.
func (ix *Indexer) cut(p *prepared, doc *document.Document) {
	start := time.Now()
	defer func() { ix.opts.Clock.add(clockCut, start) }()
	name := nameOf(p.Path)
	alike := map[string]int{} // chunks by their text: equal ones share their terms
	for _, c := range chunk.Split(doc, chunk.Options{Count: ix.opts.Embedder.Count, MaxTokens: chunk.MaxTokens(ix.opts.Embedder.Room())}) {
		embed := chunk.EmbedText(doc, c)
		p.chunks = append(p.chunks, store.Chunk{
			Start: int64(c.Start), End: int64(c.End),
			Hash: layout.ChunkHash(embed),
		})
		if doc.Kind == document.Log || len(doc.Text) > manyText { // of most chunks the terms are known, or they are not held
			p.texts = append(p.texts, embed)
			continue
		}
		if first, known := alike[embed]; known {
			p.terms = append(p.terms, p.terms[first])
			continue
		}
		alike[embed] = len(p.terms)
		p.terms = append(p.terms, ix.opts.Analyzer.Document(nil, embed, name, c.Defines...))
	}
}

// nameOf returns the name of a file without its extension: people look for files by name
// too.
func nameOf(path string) string {
	return extract.PlainName(path)
}

// changedOf is the store.File.Changed of a file that was opened.
func changedOf(source *extract.Source) int64 {
	if !source.Settled {
		return store.Unsettled
	}
	return source.Changed
}

// hashOf returns the hash that tells versions of a file apart.
func hashOf(ctx context.Context, source *extract.Source) ([6]byte, error) {
	sum, err := source.Sum(ctx)
	return shortHash(sum), err
}

// shortHash is what the index keeps of a sum.
func shortHash(sum uint64) (h [6]byte) {
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], sum)
	copy(h[:], b[:])
	return h
}
