package bench

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"

	"dowse/engine/weights"
	"dowse/models/pack"
)

// SwapOptions say what Swap measures, and on what.
type SwapOptions struct {
	Program string // this program, which measures each way in a process of its own

	WriterOptions        // Pack is "" for a model with a row pack alone
	Rows          string // path of its row pack
	Text          string // file whose beginning is the prompt
	Beside        string // command that measures another program in the same memory; "" for none

	// BesideFixed is the bytes that the other program takes without weights, BesideWeights
	// those of its weights. It gets the same share of them as dowse, or, where these are 0,
	// as much memory as dowse.
	BesideFixed, BesideWeights int64

	Ways   []string // that are measured; nil for all
	Shares []int    // memory for the weights, in percent of them
	Tokens int      // that are written
	Prompt int      // tokens of the text that are read before
	Rounds int
}

// Ways of writing by a model that does not fit into memory.
const (
	SwapAuto     = "auto"     // as people get it
	SwapDrafted  = "drafted"  // the same, with drafts
	SwapRows     = "rows"     // active rows are swapped in
	swapDense    = "streamed" // layers come through two buffers, some are kept
	swapMapped   = "mapped"   // the pack is mapped; the system reads pages
	swapOutsider = "beside"   // another program
)

var swapWays = []string{SwapAuto, SwapDrafted, SwapRows, swapDense, swapMapped, swapOutsider}

// processBytes are those of a process beside model and conversation: the runtime, its
// heap, buffers for reading. A process that maps the pack of SmolLM2-135M takes 8 MiB
// beside it. More than is needed would hold further weights of a mapped pack alone.
const processBytes = 16 << 20

// SwapReport is what Swap measured.
type SwapReport struct {
	Model   string    `json:"model"`
	Weights int64     `json:"weights"` // bytes of all layers
	Fixed   int64     `json:"fixed"`   // bytes that are always in memory: embeddings, scales, keys and values, the process
	Tokens  int       `json:"tokens"`
	Prompt  int       `json:"prompt"`
	Threads int       `json:"threads"`
	Rows    []swapRow `json:"rows"`
}

// swapRow is one way in one size of memory, the median of the rounds by speed.
type swapRow struct {
	Share  int    `json:"share"` // percent of the weights
	Memory int64  `json:"memory"`
	Way    string `json:"way"`
	SwapMeasured
	Slowest float64 `json:"slowest"` // tokens a second, of all rounds
	Fastest float64 `json:"fastest"`
	Ratio   float64 `json:"ratio"` // of the speed to the mapped one's, or 0
}

// swapBench is a run of Swap under way.
type swapBench struct {
	opts     SwapOptions
	progress Progress
	report   *SwapReport
	wrote    []int32 // by ways that leave nothing out
}

// Check refuses options that mean nothing.
func (o *SwapOptions) Check() error {
	switch {
	case len(o.Shares) == 0 || slices.Min(o.Shares) < 1 || slices.Max(o.Shares) > 100:
		return errors.New("--shares wants percents of the weights from 1 to 100")
	case o.Tokens < 1 || o.Prompt < 1 || o.Rounds < 1:
		return errors.New("--tokens, --prompt and --rounds want numbers from 1")
	}
	for _, name := range o.Ways {
		if !slices.Contains(swapWays, name) {
			return fmt.Errorf("--ways knows no way %q; it knows %s", name, strings.Join(swapWays, ", "))
		}
	}
	return nil
}

// Swap measures how fast a model writes whose weights do not fit into memory. Each way
// runs in a process of its own, in a control group that holds pages of files to the
// same limit. Ways take turns in each round.
func Swap(ctx context.Context, opts SwapOptions, progress Progress) (*SwapReport, error) {
	if err := opts.Check(); err != nil {
		return nil, err
	}
	s := &swapBench{opts: opts, progress: progress, report: &SwapReport{
		Model: opts.Model, Tokens: opts.Tokens, Prompt: opts.Prompt, Threads: opts.Threads,
	}}
	if err := s.weigh(); err != nil {
		return nil, err
	}
	for _, share := range opts.Shares {
		if err := s.share(ctx, share); err != nil {
			return nil, err
		}
	}
	return s.report, nil
}

// weigh computes the bytes of the layers, and of all else, which is always in memory.
func (s *swapBench) weigh() error {
	config, file, err := s.config()
	if err != nil {
		return err
	}
	conversation := s.opts.Prompt + s.opts.Tokens
	config.MaxTokens = conversation
	size := int64(config.LayerBuffer()) * int64(config.Layers)
	m := weights.Model{Config: config, Mapped: file}
	s.report.Weights = size
	s.report.Fixed = weights.Wanted(m, s.opts.Threads, weights.Work{Conversation: conversation}) - size + processBytes
	return nil
}

// config reads the configuration of the model, and how large its file is.
func (s *swapBench) config() (c pack.Config, size int64, err error) {
	if s.opts.Pack == "" {
		rows, err := pack.OpenRows(s.opts.Rows)
		if err != nil {
			return c, 0, err
		}
		return rows.Config(), rows.Size(), rows.Close()
	}
	p, err := pack.Open(s.opts.Pack)
	if err != nil {
		return c, 0, err
	}
	return p.Config(), p.Size(), p.Close()
}

// ways lists the ways to measure.
func (s *swapBench) ways() []string {
	return slices.DeleteFunc(slices.Clone(swapWays), func(way string) bool {
		switch way {
		case swapDense, swapMapped:
			if s.opts.Pack == "" {
				return true
			}
		case swapOutsider:
			if s.opts.Beside == "" {
				return true
			}
		}
		return s.opts.Ways != nil && !slices.Contains(s.opts.Ways, way)
	})
}

// share measures all ways in memory for some percents of the weights.
func (s *swapBench) share(ctx context.Context, percents int) error {
	ways := s.ways()
	found := make([][]SwapMeasured, len(ways))
	err := turns(fmt.Sprintf("memory for %d%%", percents), s.opts.Rounds, len(ways), s.progress, func(_, i int) error {
		memory := s.memory(ways[i], percents)
		m, err := s.limited(ctx, ways[i], memory)
		if err != nil {
			return fmt.Errorf("%s in %.0f MiB of memory: %w", ways[i], mebibytes(memory), err)
		}
		found[i] = append(found[i], m)
		return s.exact(ways[i], m)
	})
	if err != nil {
		return err
	}
	mapped, rows := 0.0, make([]swapRow, len(ways))
	for i, way := range ways {
		slices.SortFunc(found[i], func(a, b SwapMeasured) int { return cmp.Compare(a.Speed, b.Speed) })
		last := len(found[i]) - 1
		rows[i] = swapRow{
			Share: percents, Memory: s.memory(way, percents), Way: way, SwapMeasured: found[i][last/2],
			Slowest: found[i][0].Speed, Fastest: found[i][last].Speed,
		}
		if way == swapMapped {
			mapped = rows[i].Speed
		}
	}
	for i := range rows {
		rows[i].Ratio = ratio(rows[i].Speed, mapped)
	}
	s.report.Rows = append(s.report.Rows, rows...)
	return nil
}

// exact refuses tokens that differ between ways that leave no weights out.
func (s *swapBench) exact(way string, m SwapMeasured) error {
	if m.Sparsity > 0 || way == swapOutsider {
		return nil
	}
	if s.wrote == nil {
		s.wrote = m.Wrote
	}
	if !slices.Equal(m.Wrote, s.wrote) {
		return fmt.Errorf("%s wrote other tokens than the first way did", way)
	}
	return nil
}

// memory returns the bytes that a way may hold for some percents of the weights.
func (s *swapBench) memory(way string, percents int) int64 {
	fixed, weights := s.report.Fixed, s.report.Weights
	if way == swapOutsider && s.opts.BesideWeights > 0 {
		fixed, weights = s.opts.BesideFixed, s.opts.BesideWeights
	}
	return fixed + weights*int64(percents)/100
}

// limited runs one way in a process that may hold so much memory.
func (s *swapBench) limited(ctx context.Context, way string, memory int64) (m SwapMeasured, err error) {
	group, err := newMemoryGroup(memory)
	if err != nil {
		return m, err
	}
	defer func() {
		if m.Peak, err = group.peak(), errors.Join(err, group.remove()); err == nil && m.Tokens != s.opts.Tokens {
			err = fmt.Errorf("%d tokens were written, want %d", m.Tokens, s.opts.Tokens)
		}
	}()
	for _, path := range []string{s.opts.Pack, s.opts.Rows} {
		if path == "" {
			continue
		}
		if err := dropCached(path); err != nil { // no way finds what another read
			return m, err
		}
	}
	if way == swapOutsider {
		return s.beside(ctx, group)
	}
	cmd := exec.CommandContext(ctx, s.opts.Program, "bench", "swap", s.opts.Text, "--one", way, "--model", s.opts.Model, "--cgroup", group.path,
		"--memory", strconv.FormatInt(memory-processBytes, 10), "--tokens", strconv.Itoa(s.opts.Tokens),
		"--prompt", strconv.Itoa(s.opts.Prompt), "--threads", strconv.Itoa(s.opts.Threads), "--json")
	out, err := output(cmd)
	if err != nil {
		return m, err
	}
	return m, json.Unmarshal(out, &m)
}

// beside runs another program's measurement in the group. The last word that it prints
// is its speed in tokens a second.
func (s *swapBench) beside(ctx context.Context, group *memoryGroup) (m SwapMeasured, err error) {
	cmd := exec.CommandContext(ctx, "sh", "-c", `echo $$ >"$DOWSE_GROUP/cgroup.procs" && exec sh -c "$1"`, "sh", s.opts.Beside)
	cmd.Env = append(os.Environ(), "DOWSE_GROUP="+group.path, fmt.Sprintf("DOWSE_PROMPT=%d", s.opts.Prompt),
		fmt.Sprintf("DOWSE_TOKENS=%d", s.opts.Tokens), fmt.Sprintf("DOWSE_THREADS=%d", s.opts.Threads))
	out, err := output(cmd)
	if err != nil {
		return m, err
	}
	words := strings.Fields(string(out))
	if len(words) == 0 {
		return m, errors.New("--beside: the command printed nothing; its last word should be tokens a second")
	}
	if m.Speed, err = strconv.ParseFloat(words[len(words)-1], 64); err != nil {
		return m, fmt.Errorf("--beside: the last word that the command printed is no number of tokens a second: %w", err)
	}
	m.Tokens = s.opts.Tokens
	return m, nil
}

// Write writes a row for each way and size of memory.
func (r *SwapReport) Write(w io.Writer) error {
	fmt.Fprintf(w, "%s: weights %.0f MiB; always in memory %.0f MiB; %d tokens after a prompt of %d, %d threads\n\n",
		r.Model, mebibytes(r.Weights), mebibytes(r.Fixed), r.Tokens, r.Prompt, r.Threads)
	t := newTable(w, "memory\tof weights\tway\ttakes\tsparsity\ttokens/s\tfrom\tto\tratio\tfirst token s\ttokens a pass\tMiB a token\thits\tstall s\tpeak MiB")
	for _, row := range r.Rows {
		t.row("%.0f MiB\t%d%%\t%s\t%s\t%s\t%.2f\t%.2f\t%.2f\t%s\t%.2f\t%.2f\t%s\t%s\t%.1f\t%.0f", mebibytes(row.Memory), row.Share, row.Way,
			cmp.Or(row.Takes, missing), orMissing(row.Sparsity > 0, "%.2f", row.Sparsity), row.Speed, row.Slowest, row.Fastest,
			orMissing(row.Ratio > 0, "%.2f", row.Ratio), row.First, row.PerPass, orMissing(row.BytesPerToken > 0, "%.1f", row.BytesPerToken/(1<<20)),
			orMissing(row.Active > 0, "%.0f%%", 100*row.Hits), row.Stalls, mebibytes(row.Peak))
	}
	return t.flush()
}
