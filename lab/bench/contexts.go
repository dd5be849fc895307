package bench

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"dowse/engine/kernel"
	"dowse/engine/kv/contexts"
	"dowse/engine/kv/disk"
	"dowse/engine/memory"
	"dowse/engine/transformer"
)

// ContextsOptions say what Contexts measures.
type ContextsOptions struct {
	WriterOptions

	Folders []string // of the texts
	Corpus  CorpusOptions
	Scratch string // folder for what is kept; "" for that of the system
	Tokens  int    // of the conversation
	Rounds  int
}

// ContextsReport is what Contexts measured.
type ContextsReport struct {
	setup
	Tokens int          `json:"tokens"`
	Rounds int          `json:"rounds"`
	Rows   []contextRow `json:"rows"`
}

// contextRow is a way to the next token of a conversation; times are medians.
type contextRow struct {
	Way      string  `json:"way"`
	Bytes    int64   `json:"read_bytes"`
	Computed int     `json:"computed_chunks"`
	Open     float64 `json:"open_ms"`  // the model
	Back     float64 `json:"back_ms"`  // the conversation
	Token    float64 `json:"token_ms"` // the logits of its last token, with those before it that did not come back
	All      float64 `json:"all_ms"`
	Ratio    float64 `json:"ratio"` // of all to the first way's
}

// contextWay is how a conversation goes on.
type contextWay struct {
	name   string
	again  bool // nothing was kept: it is computed again
	closed bool // the model is closed and opened again
	cold   bool // the page cache has neither the model nor the conversation
}

// contextWays lists the ways to compare, the baseline first.
func contextWays() []contextWay {
	ways := []contextWay{{name: "computed again", again: true}, {name: "model open"}, {name: "opened anew", closed: true}}
	if dropsCached {
		ways = append(ways, contextWay{name: "opened anew, cold cache", closed: true, cold: true})
	}
	return ways
}

// Check refuses options that mean nothing.
func (o *ContextsOptions) Check() error {
	if o.Tokens < 2 || o.Rounds < 1 {
		return errors.New("--tokens wants a number from 2, --rounds one from 1")
	}
	return nil
}

// returning is a run of Contexts.
type returning struct {
	opts    ContextsOptions
	kernel  *kernel.Kernel
	decoder *transformer.Decoder
	ids     []int32
	folder  string
}

// Contexts measures the first token of a conversation that was left: computed again, and as
// dowse brings it back from the disk, in this process and as in a new one.
func Contexts(ctx context.Context, opts ContextsOptions, k *kernel.Kernel, progress Progress) (report *ContextsReport, err error) {
	if err := opts.Check(); err != nil {
		return nil, err
	}
	opts.Threads = max(opts.Threads, 1)
	r := &returning{opts: opts, kernel: k}
	if r.decoder, err = r.open(ctx); err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, r.decoder.Close()) }()
	if most := r.decoder.MaxTokens(); most < opts.Tokens {
		return nil, fmt.Errorf("conversations of the model %s have at most %d tokens; choose fewer --tokens", opts.Model, most)
	}
	if err := r.read(ctx, progress); err != nil {
		return nil, err
	}
	if r.folder, err = os.MkdirTemp(opts.Scratch, "dowse-contexts-"); err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(r.folder)) }()
	progress("computing the conversation", 0, 1)
	if err := r.keep(ctx); err != nil {
		return nil, err
	}
	report = &ContextsReport{setup: setupOf(opts.Model, k, opts.Threads), Tokens: opts.Tokens, Rounds: opts.Rounds}
	report.Rows, err = r.measure(ctx, progress)
	return report, err
}

func (r *returning) open(ctx context.Context) (*transformer.Decoder, error) {
	return r.opts.open(ctx, r.kernel, transformer.DecoderOptions{MaxTokens: r.opts.Tokens})
}

// read takes the tokens of the conversation from the texts of the folders.
func (r *returning) read(ctx context.Context, progress Progress) error {
	t := r.decoder.Tokenizer()
	r.opts.Corpus.Count = t.Count
	corpus, err := ReadCorpus(ctx, r.opts.Folders, r.opts.Corpus, progress)
	if err != nil {
		return err
	}
	for _, p := range corpus.Passages {
		if len(r.ids) < r.opts.Tokens {
			r.ids = t.AppendLiteral(r.ids, p.Body+"\n")
		}
	}
	if len(r.ids) < r.opts.Tokens {
		return fmt.Errorf("the texts have %d tokens; name more folders, or choose fewer --tokens", len(r.ids))
	}
	r.ids = r.ids[:r.opts.Tokens]
	return nil
}

// conversations is a manager of conversations over a folder.
type conversations struct {
	*contexts.Manager
	disk *disk.Disk
}

// keptRatio is the part of their bytes that dowse leaves full chunks, as in use.
const keptRatio = 0.5

// manage opens the conversations for a model.
func (r *returning) manage(d *transformer.Decoder) (*conversations, error) {
	kept, err := disk.Open(disk.Options{
		Folder: filepath.Join(r.folder, "conversations"), Model: d.Fingerprint(), Layout: contexts.Layout(d.ConversationShape()),
	})
	if err != nil {
		return nil, err
	}
	return &conversations{contexts.New(contexts.Options{Decoder: d, Memory: memory.NewArbiter(0), Disk: kept, Ratio: keptRatio}), kept}, nil
}

func (c *conversations) close() error { return errors.Join(c.Close(), c.disk.Close()) }

// contextID names the conversation.
const contextID = "measured"

// keep computes all tokens but the last, and leaves them on the disk.
func (r *returning) keep(ctx context.Context) (err error) {
	c, err := r.manage(r.decoder)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, c.close()) }()
	s, err := c.Open(ctx, contextID)
	if err != nil {
		return err
	}
	err = s.Reserve(len(r.ids))
	if err == nil {
		err = s.Sequence().Append(ctx, r.ids[:len(r.ids)-1], nil)
	}
	if err := errors.Join(err, s.Close(), c.Drain(ctx)); err != nil {
		return err
	}
	if problem := c.Stats().Problem; problem != "" {
		return errors.New(problem)
	}
	return nil
}

// measure goes on in every way, in turns.
func (r *returning) measure(ctx context.Context, progress Progress) ([]contextRow, error) {
	ways := contextWays()
	rows, laps := make([]contextRow, len(ways)), make([][3][]float64, len(ways))
	err := turns("going on", r.opts.Rounds, len(ways), progress, func(_, i int) error {
		var took [3]time.Duration
		var err error
		if ways[i].again {
			took, err = r.again(ctx)
		} else {
			took, err = r.back(ctx, ways[i], &rows[i])
		}
		for part, d := range took {
			laps[i][part] = append(laps[i][part], millis(d))
		}
		return err
	})
	for i := range rows {
		row := &rows[i]
		row.Way, row.Open, row.Back, row.Token = ways[i].name, median(laps[i][0]), median(laps[i][1]), median(laps[i][2])
		row.All = row.Open + row.Back + row.Token
		row.Ratio = ratio(row.All, rows[0].All)
	}
	return rows, err
}

// again computes the conversation.
func (r *returning) again(ctx context.Context) (took [3]time.Duration, err error) {
	s := r.decoder.NewConversation()
	defer func() { err = errors.Join(err, s.Free()) }()
	start := time.Now()
	err = s.Append(ctx, r.ids, make([]float32, r.decoder.Vocabulary()))
	took[2] = time.Since(start)
	return took, err
}

// back brings the conversation back, computes its last token and forgets that one.
func (r *returning) back(ctx context.Context, way contextWay, row *contextRow) (took [3]time.Duration, err error) {
	if way.cold {
		if err := r.cool(); err != nil {
			return took, err
		}
	}
	start, d := time.Now(), r.decoder
	lap := func(i int) { took[i], start = time.Since(start), time.Now() }
	if way.closed {
		if d, err = r.open(ctx); err != nil {
			return took, err
		}
		defer func() { err = errors.Join(err, d.Close()) }()
		lap(0)
	}
	c, err := r.manage(d)
	if err != nil {
		return took, err
	}
	defer func() { err = errors.Join(err, c.close()) }()
	s, err := c.Open(ctx, contextID)
	if err != nil {
		return took, err
	}
	defer func() { err = errors.Join(err, s.Close(), c.Drain(ctx)) }()
	last := len(r.ids) - 1
	there := s.Sequence().Len()
	if there > last || there <= last-transformer.ConversationChunk {
		return took, fmt.Errorf("%d tokens came back, want %d", there, last)
	}
	if err := s.Reserve(len(r.ids) - there); err != nil {
		return took, err
	}
	lap(1)
	row.Bytes, row.Computed = c.Stats().BytesRead, c.Stats().Computed
	err = s.Sequence().Append(ctx, r.ids[there:], make([]float32, d.Vocabulary()))
	lap(2)
	s.Commit(r.ids[:last])
	return took, err
}

// cool drops the model and the conversation from the page cache.
func (r *returning) cool() error {
	if err := dropCached(r.opts.Pack); err != nil {
		return err
	}
	return filepath.WalkDir(r.folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		return dropCached(path)
	})
}

// Write implements Report.
func (r *ContextsReport) Write(w io.Writer) error {
	fmt.Fprintf(w, "%s: %s; the first token of a conversation of %d tokens, medians of %d rounds\n", r.Model, r.machine(), r.Tokens, r.Rounds)
	t := newTable(w, "way\topen ms\tconversation ms\ttoken ms\tall ms\tratio\tMB read\tchunks computed")
	for _, row := range r.Rows {
		t.row("%s\t%.1f\t%.1f\t%.1f\t%.1f\t%.3f\t%.1f\t%d", row.Way, row.Open, row.Back, row.Token, row.All, row.Ratio, megabytes(row.Bytes), row.Computed)
	}
	return t.flush()
}
