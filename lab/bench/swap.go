package bench

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"time"
)

// SwapOptions say what Swap measures, and on what.
type SwapOptions struct {
	Program string // this program, which measures each way in a process of its own

	Model  string // its name
	Pack   string // path of its pack; "" for one that has a row pack alone
	Rows   string // path of its row pack
	Text   string // file whose beginning is the prompt
	Beside string // command that measures another program in the same memory; "" for none

	// BesideFixed is the bytes that the other program takes without weights, BesideWeights
	// those of its weights. It gets the same share of them as dowse, or, where these are 0,
	// as much memory as dowse.
	BesideFixed, BesideWeights int64

	Ways    []string // that are measured; nil for all
	Shares  []int    // memory for the weights, in percent of them
	Tokens  int      // that are written
	Prompt  int      // tokens of the text that are read before
	Rounds  int
	Levels  []float64 // of sparsity; none for UsualSparsity
	Threads int
}

var swapWays = []string{SwapAuto, SwapDrafted, SwapRows, SwapCold, SwapGroups, swapDense, swapMapped, swapOutsider}

// UsualSparsity stands for the sparsity that people get.
const UsualSparsity = -1

// Ways of writing by a model that does not fit into memory.
const (
	SwapAuto     = "auto"     // as people get it
	SwapDrafted  = "drafted"  // the same, with drafts
	SwapRows     = "rows"     // active rows are swapped in
	SwapCold     = "cold"     // the same behind a prompt that leaves no rows in memory
	SwapGroups   = "groups"   // the row pack is read by whole groups
	swapDense    = "streamed" // layers come through two buffers, some are kept
	swapMapped   = "mapped"   // the pack is mapped; the system reads pages
	swapOutsider = "beside"   // another program
)

// processBytes is what a process has beside model and conversation: the runtime, its
// heap, buffers for reading. A process that maps the pack of SmolLM2-135M takes 8 MiB
// beside it. More than is needed would hold further weights of a mapped pack, and of it
// alone.
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
	Seconds float64   `json:"seconds"`
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
	case o.Tokens < 1:
		return errors.New("--tokens wants a number from 1")
	case o.Prompt < 1:
		return errors.New("--prompt wants a number from 1")
	case o.Rounds < 1:
		return errors.New("--rounds wants a number from 1")
	}
	for _, name := range o.Ways {
		if !slices.Contains(swapWays, name) {
			return fmt.Errorf("--ways knows no way %q; it knows %s", name, strings.Join(swapWays, ", "))
		}
	}
	for _, level := range o.Levels {
		if level >= 1 || level < 0 && level != UsualSparsity {
			return fmt.Errorf("--sparsity wants shares from 0 to below 1, not %g", level)
		}
	}
	return nil
}

// Swap measures how fast a model writes whose weights do not fit into memory. Each way
// runs in a process of its own, in a control group that holds pages of files to the
// same limit. Ways take turns in each round.
func Swap(ctx context.Context, opts SwapOptions, progress Progress) (*SwapReport, error) {
	start := time.Now()
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
	s.report.Seconds = time.Since(start).Seconds()
	return s.report, nil
}

// way is one that is measured in a size of memory.
type way struct {
	name  string
	level float64
}

// ways lists what is measured.
func (s *swapBench) ways() (all []way) {
	if all = append(all, way{SwapAuto, UsualSparsity}, way{SwapDrafted, UsualSparsity}); s.opts.Rows != "" {
		for _, level := range s.opts.Levels {
			all = append(all, way{SwapRows, level})
		}
		if len(s.opts.Levels) == 0 {
			all = append(all, way{SwapRows, UsualSparsity})
		}
		all = append(all, way{SwapCold, UsualSparsity}, way{name: SwapGroups})
	}
	if s.opts.Pack != "" {
		all = append(all, way{name: swapDense}, way{name: swapMapped})
	}
	if s.opts.Beside != "" {
		all = append(all, way{name: swapOutsider})
	}
	if s.opts.Ways != nil {
		all = slices.DeleteFunc(all, func(w way) bool { return !slices.Contains(s.opts.Ways, w.name) })
	}
	return all
}

// share measures all ways in memory for some percents of the weights.
func (s *swapBench) share(ctx context.Context, percents int) error {
	ways := s.ways()
	found := make([][]SwapMeasured, len(ways))
	err := turns(fmt.Sprintf("memory for %d%%", percents), s.opts.Rounds, len(ways), s.progress, func(_, i int) error {
		memory := s.memory(ways[i], percents)
		m, err := s.limited(ctx, ways[i], memory)
		if err != nil {
			return fmt.Errorf("%s in %s of memory: %w", ways[i].name, mebibytes(memory), err)
		}
		found[i] = append(found[i], m)
		return s.exact(ways[i], m)
	})
	if err != nil {
		return err
	}
	mapped := 0.0
	first := len(s.report.Rows)
	for i, way := range ways {
		slices.SortFunc(found[i], func(a, b SwapMeasured) int { return cmp.Compare(a.Speed, b.Speed) })
		last := len(found[i]) - 1
		row := swapRow{
			Share: percents, Memory: s.memory(way, percents), Way: way.name, SwapMeasured: found[i][last/2],
			Slowest: found[i][0].Speed, Fastest: found[i][last].Speed,
		}
		if way.name == swapMapped {
			mapped = row.Speed
		}
		s.report.Rows = append(s.report.Rows, row)
	}
	for i := range s.report.Rows[first:] {
		if row := &s.report.Rows[first+i]; mapped > 0 {
			row.Ratio = row.Speed / mapped
		}
	}
	return nil
}

// exact compares what was written where nothing was left out: a speed with another text
// is none.
func (s *swapBench) exact(w way, m SwapMeasured) error {
	if m.Sparsity > 0 || w.name == swapOutsider {
		return nil
	}
	if s.wrote == nil {
		s.wrote = m.Wrote
	}
	if !slices.Equal(m.Wrote, s.wrote) {
		return fmt.Errorf("%s wrote other tokens than the first way did", w.name)
	}
	return nil
}

// memory returns what a way may hold for some percents of the weights.
func (s *swapBench) memory(w way, percents int) int64 {
	fixed, weights := s.report.Fixed, s.report.Weights
	if w.name == swapOutsider && s.opts.BesideWeights > 0 {
		fixed, weights = s.opts.BesideFixed, s.opts.BesideWeights
	}
	return fixed + weights*int64(percents)/100
}

// limited runs one way in a process that may hold so much memory.
func (s *swapBench) limited(ctx context.Context, w way, memory int64) (m SwapMeasured, err error) {
	group, err := newMemoryGroup(memory)
	if err != nil {
		return m, err
	}
	defer func() {
		if m.Peak, err = group.peak(), errors.Join(err, group.remove()); err == nil && m.Tokens != s.opts.Tokens {
			err = fmt.Errorf("%d tokens were written, want %d", m.Tokens, s.opts.Tokens)
		}
	}()
	if err := errors.Join(dropIfThere(s.opts.Pack), dropIfThere(s.opts.Rows)); err != nil {
		return m, err
	}
	if w.name == swapOutsider {
		return s.beside(ctx, group)
	}
	cmd := exec.CommandContext(ctx, s.opts.Program, "bench", "swap", s.opts.Text, "--one", w.name, "--model", s.opts.Model, "--cgroup", group.path,
		"--memory", strconv.FormatInt(memory-processBytes, 10), "--sparsity", strconv.FormatFloat(w.level, 'g', -1, 64),
		"--tokens", strconv.Itoa(s.opts.Tokens), "--prompt", strconv.Itoa(s.opts.Prompt), "--threads", strconv.Itoa(s.opts.Threads), "--json")
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

// output runs a command and says what it complained of if it failed.
func output(cmd *exec.Cmd) ([]byte, error) {
	var why strings.Builder
	cmd.Stderr = &why
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%w: %s", err, lastLine(why.String()))
	}
	return out, nil
}

// lastLine returns the last line of a text that holds something.
func lastLine(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return strings.TrimSpace(lines[len(lines)-1])
}

// dropIfThere drops a file from the page cache, so that no way finds what another read.
func dropIfThere(path string) error {
	if path == "" {
		return nil
	}
	return dropCached(path)
}

// mebibytes words a size of memory.
func mebibytes(n int64) string { return fmt.Sprintf("%.0f MiB", float64(n)/(1<<20)) }
