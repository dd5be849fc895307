package measure

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/cespare/xxhash/v2"

	"dowse/engine"
	"dowse/engine/layout"
	"dowse/engine/leann"
	"dowse/engine/lexical"
	"dowse/engine/memory"
	"dowse/engine/search"
	"dowse/indexer"
	"dowse/internal/eval"
	"dowse/internal/home"
	"dowse/internal/indexes"
	"dowse/internal/trial"
	"dowse/lab/collection"
	"dowse/models"
	"dowse/store"
)

// EvalOptions say what Evaluate measures.
type EvalOptions struct {
	Stages  []string
	Queries int  // at most so many; 0 means all
	Exact   bool // vectors by exact scan, the reranker without pruning: the reference
	Lacking bool // no document has its vector yet: words have come, and vectors are still to come
}

// Evaluate measures a judged collection on the way that a search takes: by codes,
// with vectors recomputed from the text and kept as far as the memo goes, and with
// pruning by the reranker's thresholds, or those that this person's traces refined.
// Its index is kept in the cache. A folder of notes with questions is one too. On every
// machine engine.RerankDepth candidates are reranked unless the settings say otherwise.
// There is one report, of a folder with several languages one for each pair that is measured.
func (a *Runner) Evaluate(ctx context.Context, dir string, opts EvalOptions, progress func(phase string, done, total int)) ([]*eval.Report, error) {
	if err := trial.CheckStages(opts.Stages); err != nil {
		return nil, err
	}
	a = a.reranking(engine.RerankDepth)
	if notes, err := hasQuestions(dir); err != nil {
		return nil, err
	} else if notes {
		if opts.Exact || opts.Lacking {
			return nil, fmt.Errorf("%s holds notes with questions, which are searched as a folder of yours is; --exact and --lacking are for collections in BEIR layout", dir)
		}
		report, err := trial.Evaluate(ctx, a.App, dir, opts.Stages, opts.Queries, progress)
		if err != nil {
			return nil, err
		}
		return []*eval.Report{report}, nil
	}
	if collection.IsParallel(dir) {
		return a.evaluateParallel(ctx, dir, opts, progress)
	}
	ds, err := collection.Load(dir)
	if err != nil {
		return nil, err
	}
	return a.evaluateCollection(ctx, []*collection.Dataset{ds}, nil, opts, progress)
}

// hasQuestions reports whether a folder holds notes with questions.
func hasQuestions(dir string) (bool, error) {
	_, err := os.Stat(filepath.Join(dir, trial.QuestionsFile))
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}

// evaluateCollection indexes the documents that all sets share, and asks the queries of
// each set.
func (a *Runner) evaluateCollection(ctx context.Context, sets []*collection.Dataset, known knownVectors, opts EvalOptions, progress func(phase string, done, total int)) (reports []*eval.Report, err error) {
	s, err := a.openCollection(sets[0], opts)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	s.known = known
	if err := s.fill(ctx, sets[0], progress); err != nil {
		return nil, err
	}
	for _, ds := range sets {
		report, err := eval.Run(ctx, ds.Name, ds.Queries, &trial.Notes{Stack: s.Stack}, opts.Stages, opts.Queries, func(done, total int) {
			progress("asking", done, total)
		})
		if err != nil {
			return nil, err
		}
		report.Documents = len(ds.Documents)
		reports = append(reports, report)
	}
	return reports, nil
}

// indexed is a stack over the index of a judged collection.
type indexed struct {
	*indexes.Stack
	exact bool         // the vectors stay, and are scanned
	lacks bool         // chunks have no vectors
	known knownVectors // of documents that other collections share; may be nil
}

// knownVectors are the vectors of texts that were embedded in this run.
type knownVectors map[string][]float32

// embed returns the vectors of texts, and embeds the unknown ones.
func (k knownVectors) embed(ctx context.Context, texts []string, embed func(context.Context, []string) ([]float32, error)) ([]float32, error) {
	var missing []string
	for _, text := range texts {
		if k[text] == nil {
			missing = append(missing, text)
		}
	}
	vectors, err := embed(ctx, missing)
	if err != nil || k == nil {
		return vectors, err
	}
	for i, text := range missing {
		dim := len(vectors) / len(missing)
		k[text] = vectors[i*dim : (i+1)*dim]
	}
	all := make([]float32, 0, len(texts)*len(k[texts[0]]))
	for _, text := range texts {
		all = append(all, k[text]...)
	}
	return all, nil
}

// openCollection opens the index of a collection, an empty one if it was not
// indexed yet, or if the collection, the model or dowse changed.
func (a *Runner) openCollection(ds *collection.Dataset, how EvalOptions) (*indexed, error) {
	folder := filepath.Join(a.Home.Cache, "eval")
	if err := home.MakePrivate(folder); err != nil {
		return nil, err
	}
	hash := xxhash.New()
	for _, d := range ds.Documents {
		_, _ = fmt.Fprintf(hash, "%q %q\n", d.ID, d.Passage()) // never fails
	}
	kind := "coded"
	if how.Exact {
		kind = "vectors"
	} else if how.Lacking {
		kind = "words"
	}
	if a.Config.Model != models.DefaultEmbedder { // each keeps its own
		kind += "-" + a.Config.Model
	}
	path := filepath.Join(folder, fmt.Sprintf("%s-%016x-%s.db", ds.Name, hash.Sum64(), kind))
	ledger := &memory.Ledger{}
	m, err := a.OpenModels(ledger)
	if err != nil {
		return nil, err
	}
	if m.Chosen().Reranker != nil {
		m.Chosen().Reranker.Exact = how.Exact
	}
	opts := store.Options{Fingerprint: indexes.Fingerprint(m.Embedder.Fingerprint())}
	db, err := store.Open(path, opts)
	if errors.Is(err, store.ErrFingerprint) || errors.Is(err, store.ErrCorrupt) || errors.Is(err, store.ErrVersion) {
		if err = store.Remove(path); err == nil {
			db, err = store.Open(path, opts)
		}
	}
	if err != nil {
		return nil, errors.Join(err, m.Close())
	}
	return &indexed{exact: how.Exact, lacks: how.Lacking, Stack: a.Assemble(db, m, ledger, false, search.Options{Scan: how.Exact, Texts: textsOf(ds)})}, nil
}

// documentTexts are the texts of documents by id.
type documentTexts map[string]string

func textsOf(ds *collection.Dataset) documentTexts {
	texts := make(documentTexts, len(ds.Documents))
	for _, d := range ds.Documents {
		texts[d.ID] = d.Passage()
	}
	return texts
}

// Text implements engine.Texts: a document is one passage without headings.
func (t documentTexts) Text(id string) (*engine.Text, error) {
	body, known := t[id]
	if !known {
		return nil, fs.ErrNotExist
	}
	return &engine.Text{
		Body:     body,
		Line:     func(int) int { return 1 },
		Embedded: func(start, end int) string { return body[start:end] },
		Heading:  func(int) string { return "" },
	}, nil
}

// collectionBatch is how many documents are indexed in one transaction.
const collectionBatch = 512

// fill indexes the documents that are not in the index yet: each is one file,
// named by its id, of one chunk.
func (c *indexed) fill(ctx context.Context, ds *collection.Dataset, progress func(phase string, done, total int)) error {
	have := 0
	err := c.DB.View(func(tx *store.Tx) error {
		counts, err := tx.Counts()
		have = counts.Files
		return err
	})
	if err != nil {
		return err
	}
	kind := uint8(0)
	if ds.Code() {
		kind = layout.Code
	}
	analyzer := lexical.NewAnalyzer()
	for from := have; from < len(ds.Documents); from += collectionBatch {
		progress("indexing", from, len(ds.Documents))
		batch := ds.Documents[from:min(from+collectionBatch, len(ds.Documents))]
		texts := make([]string, len(batch))
		for i, d := range batch {
			texts[i] = d.Passage()
		}
		var vectors []float32
		if !c.lacks {
			var err error
			if vectors, err = c.known.embed(ctx, texts, c.Models.Embedder.EmbedDocuments); err != nil {
				return err
			}
		}
		if err := c.DB.Update(func(tx *store.Tx) error {
			return putDocuments(ctx, tx, analyzer, kind, batch, texts, vectors)
		}); err != nil {
			return err
		}
	}
	if c.exact || c.lacks {
		return nil
	}
	if done, err := c.encoded(); done || err != nil {
		return err
	}
	return c.encode(ctx, ds)
}

// encoded reports whether the documents have codes already.
func (c *indexed) encoded() (done bool, err error) {
	err = c.DB.View(func(tx *store.Tx) error {
		book, err := layout.VectorIndex{Tx: tx}.Block(leann.Books, 0)
		done = book != nil
		return err
	})
	return done, err
}

// evalProbes is how many sentences of the documents tell how estimates err, as they
// do of folders.
const evalProbes = 96

// encode gives the documents codes in place of their vectors.
func (c *indexed) encode(ctx context.Context, ds *collection.Dataset) error {
	var probes []string
	textBytes := int64(0)
	step := max(1, len(ds.Documents)/evalProbes)
	for i, d := range ds.Documents {
		text := d.Passage()
		textBytes += int64(len(text))
		if sentence := indexer.Probe(text); i%step == 0 && sentence != "" {
			probes = append(probes, sentence)
		}
	}
	queries, err := c.Models.Embedder.EmbedQueries(ctx, probes)
	if err != nil {
		return err
	}
	if err := indexer.Link(ctx, c.DB, c.Models.Vectors(), 0, nil, func() {}); err != nil {
		return err
	}
	codeBytes := leann.CodeBytes(leann.DefaultBudget, textBytes, len(ds.Documents))
	return c.DB.Update(func(tx *store.Tx) error {
		done, err := c.Models.Vectors().Quantize(ctx, layout.VectorIndex{Tx: tx}, leann.QuantizeOptions{CodeBytes: codeBytes, Queries: queries})
		if err != nil || done.Errors == (leann.ErrorModel{}) {
			return err
		}
		if err := layout.PutMeasured(tx, done.Measured); err != nil {
			return err
		}
		return layout.PutErrors(tx, done.Errors)
	})
}

// putDocuments writes one batch of documents of a kind, in order, and notes that vectors lack where there are none.
func putDocuments(ctx context.Context, tx *store.Tx, analyzer *lexical.Analyzer, kind uint8, batch []collection.Document, texts []string, vectors []float32) error {
	builder := lexical.NewBuilder()
	dim := len(vectors) / len(batch)
	for i, d := range batch {
		file := store.File{Path: d.ID, Root: "collection", Size: int64(len(texts[i])), Plain: true, Kind: kind}
		whole := store.Chunk{End: int64(len(texts[i])), Hash: layout.ChunkHash(texts[i])}
		if err := tx.PutFile(&file, []store.Chunk{whole}); err != nil {
			return fmt.Errorf("document %s: %w", d.ID, err)
		}
		if dim > 0 {
			if err := tx.PutVectors(file, 0, dim, vectors[i*dim:(i+1)*dim]); err != nil {
				return fmt.Errorf("document %s: %w", d.ID, err)
			}
		}
		var defines []string
		if kind == layout.Code {
			defines = collection.Definitions(texts[i])
		}
		builder.Add(file.IDs[0].First, analyzer.Document(nil, texts[i], "", defines...))
	}
	if _, err := builder.Write(tx.Postings()); err != nil {
		return err
	}
	live := lexical.NewSet(tx.NextChunk())
	live.AddRange(0, tx.NextChunk())
	if _, err := lexical.MergeDue(ctx, tx.Postings(), live); err != nil || dim > 0 {
		return err
	}
	return layout.NoteLacking(tx, true)
}
