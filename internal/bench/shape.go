package bench

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"dowse/engine/kernel"
	"dowse/models/pack"
)

// ShapeOptions say what Shape measures.
type ShapeOptions struct {
	Program string // this program, which measures each way in a process of its own
	// Disk measures what reads of a file cost, and keeps it for the processes that measure,
	// which have no memory to spare.
	Disk func(ctx context.Context, path string)

	Shape       string // name of a published model, whose weights are drawn
	Folder      string // where its pack is, or will be
	Remove      bool   // the pack afterwards
	Bits        int    // of a weight: 8 or 4; a mixture of experts has 8
	GroupLayers int    // layers whose rows lie together

	Memory  int64 // bytes that a process may hold; 0 for what suits the shape
	Level   float64
	Tokens  int // that are decoded
	Prompt  int // tokens that are read before
	Rounds  int
	Threads int
}

// shapeSeed is the seed of all weights and tokens.
const shapeSeed = 1

// Memory that suits a shape: a quarter of an ordinary PC's, and for a mixture half.
const (
	denseMemory   = 2 << 30
	mixtureMemory = 4 << 30
)

// ShapeReport is what Shape measured.
type ShapeReport struct {
	Shape    string     `json:"shape"`
	Seeded   bool       `json:"seeded"` // the weights are random: nothing is said about quality
	Pack     string     `json:"pack"`
	Removed  bool       `json:"removed"`
	Size     int64      `json:"size"` // bytes of the pack
	Bits     int        `json:"bits"`
	Group    int        `json:"group_layers,omitempty"`
	Memory   int64      `json:"memory"`
	Tokens   int        `json:"tokens"`
	Prompt   int        `json:"prompt"`
	Threads  int        `json:"threads"`
	DiskRate float64    `json:"disk_bytes_per_second"` // large reads past the page cache
	Direct   bool       `json:"direct"`                // reads leave the page cache out
	Rows     []shapeRow `json:"rows"`
	Seconds  float64    `json:"seconds"`
}

// shapeRow is one way, the median of the rounds by speed.
type shapeRow struct {
	Way string `json:"way"`
	SwapMeasured
	Bound float64 `json:"disk_bound"` // tokens a second if reading were all that takes time
}

// Check refuses options that mean nothing.
func (o *ShapeOptions) Check() error {
	switch {
	case o.Tokens < 1:
		return errors.New("--tokens wants a number from 1")
	case o.Prompt < 1:
		return errors.New("--prompt wants a number from 1")
	case o.Rounds < 1:
		return errors.New("--rounds wants a number from 1")
	case o.Level <= 0 || o.Level >= 1:
		return fmt.Errorf("--sparsity wants a share between 0 and 1, not %g", o.Level)
	case o.Memory != 0 && o.Memory <= processBytes:
		return fmt.Errorf("--memory wants more than the %s that a process takes without a model", mebibytes(processBytes))
	}
	c, err := pack.SeededShape(o.Shape)
	if err != nil {
		return err
	}
	_, err = pack.SeededSize(c, o.rows())
	return err
}

// rows returns how a row pack is written.
func (o *ShapeOptions) rows() pack.RowOptions {
	return pack.RowOptions{GroupLayers: o.GroupLayers, Bits: o.Bits}
}

// Shape measures how fast a model of a published shape decodes in less memory than its
// weights take. The weights are drawn at random and written once. Each way runs in a
// process of its own, in a control group that holds pages of files to the same limit.
func Shape(ctx context.Context, o ShapeOptions, k *kernel.Kernel, progress Progress) (report *ShapeReport, err error) {
	start := time.Now()
	if err := o.Check(); err != nil {
		return nil, err
	}
	p, err := newShapePack(o)
	if err != nil {
		return nil, err
	}
	o = p.opts
	report = &ShapeReport{
		Shape: o.Shape, Seeded: true, Pack: p.path, Removed: o.Remove, Bits: o.Bits, Memory: o.Memory,
		Tokens: o.Tokens, Prompt: o.Prompt, Threads: o.Threads, Size: p.size,
	}
	if !p.mixture() {
		report.Group = o.GroupLayers
	}
	group, err := newMemoryGroup(o.Memory) // where that is impossible nothing needs to be written
	if err == nil {
		err = group.remove()
	}
	if err != nil {
		return nil, err
	}
	if o.Remove {
		defer func() { err = errors.Join(err, p.remove()) }()
	}
	if err := p.provide(ctx, k, progress); err != nil {
		return nil, err
	}
	if !p.mixture() {
		o.Disk(ctx, p.path)
	}
	if report.DiskRate, report.Direct, err = p.diskRate(ctx, progress); err != nil {
		return nil, err
	}
	if err := p.measure(ctx, report, progress); err != nil {
		return nil, err
	}
	report.Seconds = time.Since(start).Seconds()
	return report, nil
}

// ways lists what is measured.
func (p *shapePack) ways() []way {
	if p.mixture() {
		return []way{{name: swapExperts}, {name: swapMapped}}
	}
	return []way{{SwapRows, p.opts.Level}, {name: SwapGroups}}
}

// swapExperts is what a mixture of experts does whose experts are read as routers choose
// them.
const swapExperts = "experts"

// measure has all ways measured, in turns.
func (p *shapePack) measure(ctx context.Context, report *ShapeReport, progress Progress) error {
	ways := p.ways()
	found := make([][]SwapMeasured, len(ways))
	err := turns("", p.opts.Rounds, len(ways), func(string, int, int) {}, func(_, i int) error {
		m, err := p.limited(ctx, ways[i], progress)
		if err != nil {
			return fmt.Errorf("%s in %s of memory: %w", ways[i].name, mebibytes(p.opts.Memory), err)
		}
		found[i] = append(found[i], m)
		return nil
	})
	if err != nil {
		return err
	}
	for i, way := range ways {
		row := shapeRow{Way: way.name, SwapMeasured: middle(found[i])}
		if row.BytesPerToken > 0 {
			row.Bound = report.DiskRate / row.BytesPerToken
		}
		report.Rows = append(report.Rows, row)
	}
	return nil
}

// limited runs one way in a process that may hold so much memory.
func (p *shapePack) limited(ctx context.Context, w way, progress Progress) (m SwapMeasured, err error) {
	group, err := newMemoryGroup(p.opts.Memory)
	if err != nil {
		return m, err
	}
	defer func() { m.Peak, err = group.peak(), errors.Join(err, group.remove()) }()
	if err := dropCached(p.path); err != nil {
		return m, err
	}
	args := []string{
		"bench", "swap", "--one", w.name, "--file", p.path, "--cgroup", group.path,
		"--memory", strconv.FormatInt(p.opts.Memory-processBytes, 10), "--threads", strconv.Itoa(p.opts.Threads),
		"--tokens", strconv.Itoa(p.opts.Tokens), "--prompt", strconv.Itoa(p.opts.Prompt), "--json",
	}
	if w.name == SwapRows {
		args = append(args, "--thresholds", p.thresholds())
	}
	cmd := exec.CommandContext(ctx, p.opts.Program, args...)
	phase := fmt.Sprintf("%s in %s of memory", w.name, mebibytes(p.opts.Memory))
	progress(phase+": opening", 0, 0)
	out, err := followed(cmd, func(done, total int) { progress(phase, done, total) })
	if err != nil {
		return m, errors.Join(ctx.Err(), err)
	}
	return m, json.Unmarshal(out, &m)
}

// followed runs a command whose complaints say between them how far it is: "3/16". It returns
// what the command printed.
func followed(cmd *exec.Cmd, step func(done, total int)) ([]byte, error) {
	complaints, err := cmd.StderrPipe()
	if err != nil {
		return nil, err
	}
	var out strings.Builder
	cmd.Stdout = &out
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	last := ""
	for lines := bufio.NewScanner(complaints); lines.Scan(); {
		line := strings.TrimSpace(lines.Text())
		var done, total int
		if n, _ := fmt.Sscanf(line, stepFormat, &done, &total); n == 2 {
			step(done, total)
		} else if line != "" {
			last = line
		}
	}
	if err := cmd.Wait(); err != nil {
		return nil, fmt.Errorf("%w%s: %s", err, whyEnded(err.Error()), last)
	}
	return []byte(out.String()), nil
}

// whyEnded says what a signal means that ended a process which measures.
func whyEnded(signal string) string {
	switch signal {
	case "signal: killed":
		return ", as the system does with what holds more than the limit"
	case "signal: bus error":
		return ", since the mapped pack was cut or could not be read meanwhile"
	}
	return ""
}

// stepFormat is how a process that measures one way says how far it is.
const stepFormat = "%d/%d"

// Write writes a row for each way.
func (r *ShapeReport) Write(w io.Writer) error {
	rows := ""
	if r.Group > 0 {
		rows = fmt.Sprintf(", rows in groups of %d", r.Group)
	}
	fmt.Fprintf(w, "%s with random weights of %d bits%s: %s, in %s of memory; %d tokens after a prompt of %d, %d threads.\n",
		r.Shape, r.Bits, rows, mebibytes(r.Size), mebibytes(r.Memory), r.Tokens, r.Prompt, r.Threads)
	cached := ""
	if !r.Direct {
		cached = ", through the page cache, since its file system has no direct reads: the figures are those of memory"
	}
	fmt.Fprintf(w, "The disk reads %s a second%s; all of the weights once a token would be %.2f tokens/s.\n\n",
		mebibytes(int64(r.DiskRate)), cached, r.DiskRate/float64(r.Size))
	t := newTable(w, "way\tleft out\ttokens/s\tdisk's bound\tMiB a token\tfirst token s\thits\tstall s\tpeak MiB")
	for _, row := range r.Rows {
		t.row("%s\t%s\t%.2f\t%s\t%.1f\t%.2f\t%s\t%.1f\t%.0f", row.Way, orMissing(row.Way == SwapRows, "%.2f", row.Sparsity), row.Speed,
			orMissing(row.Bound > 0, "%.2f", row.Bound), row.BytesPerToken/(1<<20), row.First,
			orMissing(row.Way == SwapRows || row.Way == swapExperts, "%.0f%%", 100*row.Hits), row.Stalls, float64(row.Peak)/(1<<20))
	}
	if err := t.flush(); err != nil {
		return err
	}
	kept := fmt.Sprintf("The pack stays for the next time: %s; --remove, or its deletion, frees %s.", r.Pack, mebibytes(r.Size))
	if r.Removed {
		kept = "The pack was removed."
	}
	_, err := fmt.Fprintf(w, "\nMeasured in %.0f s. Random weights say nothing about quality. %s\n", r.Seconds, kept)
	return err
}

// forget removes a file, if there is one.
func forget(path string) error {
	if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return nil
}
