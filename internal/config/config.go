package config

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/dustin/go-humanize"

	"dowse/internal/spelt"
)

// Config holds the settings, defaults filled in.
type Config struct {
	Model   string  // name of an installed embedder
	Folders Folders // those that have an embedder of their own
	Places  []Place // what else is said of folders, by path
	Threads int     // workers
	MaxFile int64   // bytes; larger files are skipped
	Hidden  bool    // index hidden files too
	Graph   string  // how the graph of similar chunks is used: GraphAuto, GraphOn or GraphOff
	Budget  float64 // share of the text's bytes that the vector index may take
	Memory  int64   // bytes that a reranker, and then an answerer, may take; 0: what suits the machine
	Keys    int64   // bytes that keys and values of conversations may take on the disk

	// Hosts are other machines by name, each with the command that dowse serve --stdio is put behind.
	Hosts map[string]string

	Service Service    // how a watcher that runs as a service waits
	Extract Extraction // programs that read what has no text
	Screen  Screen     // how the screen looks

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
	defaultTime      = 80 * time.Millisecond
	defaultPrecision = 0.99

	// Extract answers in the words of the passages, without a language model. Auto does
	// too, and lets the one that was trained for it say how sure they are, where it is
	// installed: what it would write is less often right.
	Extract         = "extract"
	Auto            = "auto"
	defaultAnswerer = Auto
)

// graphs are the values of index.graph.
var graphs = []string{GraphAuto, GraphOn, GraphOff}

// Default returns the settings of an absent file.
func Default() Config {
	return Config{
		Model: DefaultModel, Threads: runtime.NumCPU(), MaxFile: defaultMaxFile, Budget: defaultBudget, Graph: GraphAuto, Keys: defaultKeys,
		Reranker: DefaultReranker, Time: defaultTime, Precision: defaultPrecision,
		Answerer: defaultAnswerer,
		Extract:  Extraction{Time: defaultExtractTime}, Service: Service{Battery: true, Load: defaultLoad},
		Screen: Screen{History: true, Theme: "auto", Motion: true},
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
	Hosts   map[string]string     `toml:"hosts"`
	Service *serviceFile          `toml:"service"`
	Extract *extractFile          `toml:"extract"`

	Screen *screenFile       `toml:"screen"`
	Keys   map[string]string `toml:"keys"`

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

// Load reads the file at path over the defaults. Where some settings are wrong, it returns a
// *Wrong that says which, and the others with the defaults in the place of those.
func Load(path string) (Config, error) {
	c := Default()
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return c, nil
	}
	if err != nil {
		return c, fmt.Errorf("cannot read the settings: %w", err)
	}
	f, problems := decode(data)
	for _, err := range c.apply(f) {
		problems = append(problems, fmt.Errorf("%s%w", place(data, err.Error()), err))
	}
	if len(problems) > 0 {
		return c, &Wrong{Path: path, Problems: problems}
	}
	return c, nil
}

// apply puts the values that the file gives over the ones in c, part by part: one that is
// wrong changes nothing. Messages begin with the name of the setting.
func (c *Config) apply(f file) (problems []error) {
	for _, part := range []func(*Config, file) error{
		(*Config).applyModel, (*Config).applyFolders, (*Config).applyHosts, (*Config).applyThreads, (*Config).applyBudget, (*Config).applyGraph,
		(*Config).applyScreen, (*Config).applyService, (*Config).applyExtract, (*Config).applyReranker, (*Config).applyDepth, (*Config).applyTime, (*Config).applyPrecision,
		(*Config).applyAnswer, (*Config).applyMemory, (*Config).applyDisk, (*Config).applyFiles,
	} {
		next := *c
		if err := part(&next, f); err != nil {
			problems = append(problems, err)
		} else {
			*c = next
		}
	}
	return problems
}

// applyModel puts the embedder, or the server that embeds, over the one in c.
func (c *Config) applyModel(f file) error {
	if f.Model != nil {
		if *f.Model == "" {
			return errors.New("model = \"\": want a name; dowse models list shows them")
		}
		c.Model = *f.Model
	}
	return c.applyEmbed(f.Model, f.Embed)
}

func (c *Config) applyThreads(f file) error {
	if f.Threads != nil {
		if *f.Threads < 1 || *f.Threads > 1024 {
			return fmt.Errorf("threads = %d: want a number from 1 to 1024", *f.Threads)
		}
		c.Threads = *f.Threads
	}
	return nil
}

func (c *Config) applyBudget(f file) error {
	if f.Index == nil {
		return nil
	}
	return setShare(&c.Budget, f.Index.Budget, "index.budget")
}

func (c *Config) applyGraph(f file) error {
	if f.Index == nil || f.Index.Graph == nil {
		return nil
	}
	if !slices.Contains(graphs, *f.Index.Graph) {
		return fmt.Errorf("index.graph = %q: want %q, %q or %q%s", *f.Index.Graph, GraphAuto, GraphOn, GraphOff, meant(*f.Index.Graph, graphs))
	}
	c.Graph = *f.Index.Graph
	return nil
}

// meant is what to add where a value is nearly a valid one.
func meant(value string, values []string) string {
	if near := spelt.Nearest(value, values); near != "" {
		return fmt.Sprintf("; did you mean %q?", near)
	}
	return ""
}

func (c *Config) applyMemory(f file) error { return setSize(&c.Memory, f.Memory, "memory") }

func (c *Config) applyDisk(f file) error {
	if f.Conversations == nil {
		return nil
	}
	return setSize(&c.Keys, f.Conversations.Disk, "conversations.disk")
}

// applyFiles puts what is indexed over what is in c.
func (c *Config) applyFiles(f file) error {
	if f.Hidden != nil {
		c.Hidden = *f.Hidden
	}
	return setSize(&c.MaxFile, f.MaxFile, "max_file")
}

// applyReranker puts the reranker, or the server that reranks, over the one in c.
func (c *Config) applyReranker(f file) error {
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
	return c.applyRerankServer(r)
}

func (c *Config) applyDepth(f file) error {
	if f.Rerank == nil || f.Rerank.Depth == nil {
		return nil
	}
	if c.Depth = *f.Rerank.Depth; c.Depth < 2 || c.Depth > 1000 {
		return fmt.Errorf("rerank.depth = %d: want a number from 2 to 1000", c.Depth)
	}
	return nil
}

func (c *Config) applyTime(f file) error {
	if f.Rerank == nil {
		return nil
	}
	return setTime(&c.Time, f.Rerank.Time, "rerank.time")
}

func (c *Config) applyPrecision(f file) error {
	if f.Rerank == nil || f.Rerank.Precision == nil {
		return nil
	}
	if c.Precision = *f.Rerank.Precision; !(c.Precision >= 0.5 && c.Precision <= 1) {
		return fmt.Errorf("rerank.precision = %v: want a share from 0.5 to 1, such as 0.99", c.Precision)
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
