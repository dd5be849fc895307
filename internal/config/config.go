package config

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/pelletier/go-toml/v2"

	"dowse/internal/atomicfile"
)

// Config holds the settings, defaults filled in.
type Config struct {
	Model   string  // name of an installed embedder
	Folders Folders // those that have an embedder of their own
	Threads int     // workers
	MaxFile int64   // bytes; larger files are skipped
	Hidden  bool    // index hidden files too
	Graph   string  // how the graph of similar chunks is used: GraphAuto, GraphOn or GraphOff
	Budget  float64 // share of the text's bytes that the vector index may take
	Memory  int64   // bytes that a reranker, and then an answerer, may take; 0: what suits the machine
	Keys    int64   // bytes that keys and values of conversations may take on the disk

	Extract Extraction // programs that read what has no text

	Reranker  string  // name of an installed reranker, or NoReranker
	Depth     int     // candidates that are reranked; 0: as many as there is Time for
	Precision float64 // agreement with the full pass that pruning has to hold
	// Time is how long the candidates of a search may take together, were none dropped.
	Time time.Duration

	Answerer string // name of an installed model that writes answers, Extract or Auto
	// Endpoint is the server that writes answers instead. Where its URL is not
	// "", Answerer is Extract, for when the server cannot.
	Endpoint Endpoint
	// EmbedServer embeds where its URL is not "": Model is FromEndpoint then.
	EmbedServer EmbedEndpoint
	// RerankServer reranks where its URL is not "": Reranker is in reserve.
	RerankServer RerankEndpoint
}

// Default values of the settings.
const (
	DefaultModel   = "dowse-embed-6"
	defaultMaxFile = 16 << 20
	defaultBudget  = 0.05
	defaultKeys    = 2 << 30

	// What index.graph may be.
	GraphAuto = "auto"
	GraphOn   = "on"
	GraphOff  = "off"

	NoReranker       = "off"
	DefaultReranker  = "dowse-rerank-6"
	defaultTime      = 150 * time.Millisecond
	defaultPrecision = 0.99

	// Extract answers in the words of the passages, without a language model. Auto does
	// too, and lets the one that was trained for it say how sure they are, where it is
	// installed: what it would write is less often right.
	Extract         = "extract"
	Auto            = "auto"
	defaultAnswerer = Auto
)

// Default returns the settings of an absent file.
func Default() Config {
	return Config{
		Model: DefaultModel, Threads: runtime.NumCPU(), MaxFile: defaultMaxFile, Budget: defaultBudget, Graph: GraphAuto, Keys: defaultKeys,
		Reranker: DefaultReranker, Time: defaultTime, Precision: defaultPrecision,
		Answerer: defaultAnswerer,
		Extract:  Extraction{Time: defaultExtractTime},
	}
}

// file mirrors config.toml; sizes are text there, as people write them.
type file struct {
	Model   *string `toml:"model"`
	Threads *int    `toml:"threads"`
	MaxFile *string `toml:"max_file"`
	Hidden  *bool   `toml:"hidden"`
	Memory  *string `toml:"memory"`
	Index   *struct {
		Budget *string `toml:"budget"`
		Graph  *string `toml:"graph"`
	} `toml:"index"`
	Folders map[string]folderFile `toml:"folders"`
	Extract *extractFile          `toml:"extract"`

	Embed  *embedFile  `toml:"embed"`
	Rerank *rerankFile `toml:"rerank"`
	Answer *answerFile `toml:"answer"`

	Conversations *struct {
		Disk *string `toml:"disk"`
	} `toml:"conversations"`
}

type rerankFile struct {
	Model     *string  `toml:"model"`
	Depth     *int     `toml:"depth"`
	Time      *string  `toml:"time"`
	Precision *float64 `toml:"precision"`

	endpointFile
	ServerTime *string `toml:"endpoint_time"`
}

// Load reads the file at path over the defaults.
func Load(path string) (Config, error) {
	c := Default()
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return c, nil
	}
	if err != nil {
		return c, fmt.Errorf("cannot read the settings: %w", err)
	}
	f, err := decode(data)
	if err != nil {
		return c, fmt.Errorf("%s: %w", path, err)
	}
	if err := c.apply(f); err != nil {
		return c, fmt.Errorf("%s: %w", path, err)
	}
	return c, nil
}

// decode parses strictly and words the complaint with its position.
func decode(data []byte) (file, error) {
	var f file
	dec := toml.NewDecoder(bytes.NewReader(data)).DisallowUnknownFields()
	err := dec.Decode(&f)
	var strict *toml.StrictMissingError
	var bad *toml.DecodeError
	switch {
	case errors.As(err, &strict) && len(strict.Errors) > 0:
		row, _ := strict.Errors[0].Position()
		return f, fmt.Errorf("line %d: unknown setting %q; known are model, folders.\"PATH\".model, threads, max_file, hidden, memory, index.budget, index.graph, extract.ocr, extract.picture, extract.sound, extract.time, extract.encoding.\"PATH\", extract.secrets, rerank.model, rerank.depth, rerank.time, rerank.precision, rerank.endpoint, rerank.endpoint_model, rerank.endpoint_key_env, rerank.endpoint_remote, rerank.endpoint_time, embed.endpoint, embed.endpoint_model, embed.endpoint_key_env, embed.endpoint_remote, embed.query_prompt, embed.passage_prompt, embed.dimensions, embed.local, answer.model, answer.endpoint, answer.endpoint_model, answer.endpoint_key_env, answer.endpoint_remote, conversations.disk",
			row, strings.Join(strict.Errors[0].Key(), "."))
	case errors.As(err, &bad):
		row, column := bad.Position()
		return f, fmt.Errorf("line %d, column %d: %w", row, column, err)
	}
	return f, err
}

// apply puts the values that the file gives over the ones in c.
func (c *Config) apply(f file) error {
	if f.Model != nil {
		if *f.Model == "" {
			return errors.New("model = \"\": want a name; dowse models list shows them")
		}
		c.Model = *f.Model
	}
	if err := c.applyFolders(f.Folders); err != nil {
		return err
	}
	if f.Hidden != nil {
		c.Hidden = *f.Hidden
	}
	if f.Threads != nil {
		if *f.Threads < 1 || *f.Threads > 1024 {
			return fmt.Errorf("threads = %d: want a number from 1 to 1024", *f.Threads)
		}
		c.Threads = *f.Threads
	}
	if f.Index != nil {
		if err := setShare(&c.Budget, f.Index.Budget, "index.budget"); err != nil {
			return err
		}
		if g := f.Index.Graph; g != nil {
			if *g != GraphAuto && *g != GraphOn && *g != GraphOff {
				return fmt.Errorf("index.graph = %q: want %q, %q or %q", *g, GraphAuto, GraphOn, GraphOff)
			}
			c.Graph = *g
		}
	}
	if err := c.applyExtract(f.Extract); err != nil {
		return err
	}
	if err := c.applyEmbed(f.Model, f.Embed); err != nil {
		return err
	}
	if err := c.applyRerank(f); err != nil {
		return err
	}
	if err := c.applyAnswer(f.Answer); err != nil {
		return err
	}
	if err := setSize(&c.Memory, f.Memory, "memory"); err != nil {
		return err
	}
	if f.Conversations != nil {
		if err := setSize(&c.Keys, f.Conversations.Disk, "conversations.disk"); err != nil {
			return err
		}
	}
	return setSize(&c.MaxFile, f.MaxFile, "max_file")
}

// applyRerank puts the values of the table rerank over the ones in c.
func (c *Config) applyRerank(f file) error {
	r := f.Rerank
	if r == nil {
		return nil
	}
	if r.Model != nil {
		if *r.Model == "" {
			return fmt.Errorf("rerank.model = \"\": want a name, or %q; dowse models list shows them", NoReranker)
		}
		c.Reranker = *r.Model
	}
	if err := c.applyRerankServer(r); err != nil {
		return err
	}
	if r.Depth != nil {
		if *r.Depth < 2 || *r.Depth > 1000 {
			return fmt.Errorf("rerank.depth = %d: want a number from 2 to 1000", *r.Depth)
		}
		c.Depth = *r.Depth
	}
	if err := setTime(&c.Time, r.Time, "rerank.time"); err != nil {
		return err
	}
	if r.Precision != nil {
		if !(*r.Precision >= 0.5 && *r.Precision <= 1) {
			return fmt.Errorf("rerank.precision = %v: want a share from 0.5 to 1, such as 0.99", *r.Precision)
		}
		c.Precision = *r.Precision
	}
	return nil
}

// setShare reads a share such as 5% into dst, if it is given.
func setShare(dst *float64, text *string, key string) error {
	if text == nil {
		return nil
	}
	percent, err := strconv.ParseFloat(strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(*text), "%")), 64)
	if err != nil || !strings.Contains(*text, "%") || percent < 1 || percent > 100 {
		return fmt.Errorf("%s = %q: want a share of the text from \"1%%\" to \"100%%\", such as \"5%%\"", key, *text)
	}
	*dst = percent / 100
	return nil
}

// Bounds of a duration that a person may set.
const (
	leastTime = time.Millisecond
	mostTime  = time.Minute
)

// setTime reads a duration such as 150ms into dst, if it is given.
func setTime(dst *time.Duration, text *string, key string) error {
	if text == nil {
		return nil
	}
	d, err := time.ParseDuration(strings.ReplaceAll(*text, " ", ""))
	if err != nil || d < leastTime || d > mostTime {
		return fmt.Errorf("%s = %q: want a time from \"1ms\" to \"1m\", such as \"150ms\"", key, *text)
	}
	*dst = d
	return nil
}

// setSize reads a size such as 512MB into dst, if it is given.
func setSize(dst *int64, text *string, key string) error {
	if text == nil {
		return nil
	}
	n, err := humanize.ParseBytes(*text)
	if err != nil || n == 0 || n > 1<<50 {
		return fmt.Errorf("%s = %q: want a size such as \"512MB\"", key, *text)
	}
	*dst = int64(n)
	return nil
}

// UseModel writes the choice of embedder into the file at path and leaves the
// other settings as they are. Comments in the file are not kept.
func UseModel(path, model string) error {
	return change(path, func(f *file) { f.Model = &model })
}

// UseReranker is UseModel for the reranker.
func UseReranker(path, model string) error {
	return change(path, func(f *file) {
		if f.Rerank == nil {
			f.Rerank = &rerankFile{}
		}
		f.Rerank.Model = &model
	})
}

// UseAnswerer is UseModel for the answerer. FromEndpoint is refused where the
// file names no server.
func UseAnswerer(path, model string) error {
	return change(path, func(f *file) {
		if f.Answer == nil {
			f.Answer = &answerFile{}
		}
		f.Answer.Model = &model
	})
}

// change rewrites the file at path.
func change(path string, edit func(*file)) error {
	f := file{}
	data, err := os.ReadFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return fmt.Errorf("cannot read the settings: %w", err)
	default:
		if f, err = decode(data); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
	edit(&f)
	c := Default()
	if err := c.apply(f); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	out, err := toml.Marshal(f)
	if err != nil {
		return fmt.Errorf("cannot write the settings: %w", err)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return fmt.Errorf("cannot write the settings: %w", err)
	}
	if err := atomicfile.WriteFile(path, out, 0o600); err != nil {
		return fmt.Errorf("cannot write the settings: %w", err)
	}
	return nil
}
