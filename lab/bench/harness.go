package bench

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"

	"dowse/engine/kernel"
	"dowse/engine/transformer"
	"dowse/internal/eval"
)

// Progress is told how far a phase has come.
type Progress func(phase string, done, total int)

// Report is what a scenario measured: as JSON for programs, by Write for people.
type Report interface {
	Write(w io.Writer) error
}

// setup is what was measured and on which kernels.
type setup struct {
	Model   string `json:"model"`
	Kernels string `json:"kernels"`
	Threads int    `json:"threads"`
}

func setupOf(model string, k *kernel.Kernel, threads int) setup {
	about := k.Describe()
	return setup{Model: model, Kernels: fmt.Sprintf("%s, %s", about.ISA, about.Backend), Threads: threads}
}

// machine words the kernels and threads.
func (s setup) machine() string { return fmt.Sprintf("%s kernels, %d threads", s.Kernels, s.Threads) }

// WriterOptions are those of scenarios with a model that writes.
type WriterOptions struct {
	Model   string // its name
	Pack    string // its path
	Adapter string // folder of its adapter; "" for none
	Threads int
}

func (o *WriterOptions) open(ctx context.Context, k *kernel.Kernel, opts transformer.DecoderOptions) (*transformer.Decoder, error) {
	opts.Threads, opts.Adapter = o.Threads, o.Adapter
	d, err := transformer.OpenDecoder(ctx, o.Pack, k, opts)
	if err != nil {
		return nil, fmt.Errorf("the model %s cannot be used: %w", o.Model, err)
	}
	return d, nil
}

// turns calls measure for every way at every item. Another way begins at each item: other
// load hits all of them, and each finds warmed caches as often as the others.
func turns(phase string, items, ways int, progress Progress, measure func(item, way int) error) error {
	for item := range items {
		for turn := range ways {
			progress(phase, item*ways+turn, items*ways)
			if err := measure(item, (item+turn)%ways); err != nil {
				return err
			}
		}
	}
	return nil
}

// race times every way at every item, in turns: milliseconds by way and item. An item that
// a way has no part in takes 0.
func race(phase string, items, ways int, progress Progress, run func(item, way int) error) (times [][]float64, err error) {
	times = make([][]float64, ways)
	for way := range times {
		times[way] = make([]float64, items)
	}
	return times, turns(phase, items, ways, progress, func(item, way int) error {
		start := time.Now()
		err := run(item, way)
		times[way][item] = millis(time.Since(start))
		return err
	})
}

// summary describes a list of values.
type summary struct{ Mean, P50, P95 float64 }

func summarize(values []float64) summary {
	return summary{ratio(total(values), float64(len(values))), median(values), eval.Percentile(slices.Clone(values), .95)}
}

// median returns the middle of some values, the lower one of an even number; 0 of none.
func median(values []float64) float64 { return eval.Percentile(slices.Clone(values), .5) }

func total[T int64 | float64](values []T) (sum T) {
	for _, v := range values {
		sum += v
	}
	return sum
}

// ratio returns a part of a whole; 0 of nothing.
func ratio[T int | int64 | float64](part, whole T) float64 {
	if whole == 0 {
		return 0
	}
	return float64(part) / float64(whole)
}

// millis returns a time in milliseconds.
func millis(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// countIf adds one to a count if a condition holds.
func countIf(count *int, is bool) {
	if is {
		*count++
	}
}

// peakMemory returns how much memory this process has held at most, 0 where the system
// does not say. What the system counts for a child (ru_maxrss) holds its parent's too.
func peakMemory() int64 {
	data, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	_, after, _ := bytes.Cut(data, []byte("VmHWM:"))
	kib := int64(0)
	_, _ = fmt.Sscan(string(after), &kib) // 0 where it does not stand there
	return kib << 10
}

// encodeLines writes objects as JSON, one a line; each is given the function that writes.
func encodeLines(w io.Writer, each func(write func(line any) error) error) error {
	out := bufio.NewWriter(w)
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	return errors.Join(each(encoder.Encode), out.Flush())
}

// writeLines does that with the file that a flag names; "" writes nothing.
func writeLines(flag, path string, each func(write func(line any) error) error) error {
	if path == "" {
		return encodeLines(io.Discard, each)
	}
	file, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600)
	if err != nil {
		return fmt.Errorf("%s: %w", flag, err)
	}
	return errors.Join(encodeLines(file, each), file.Close())
}

// output returns the stdout of a command; an error has the last line of its stderr.
func output(cmd *exec.Cmd) ([]byte, error) {
	var why strings.Builder
	cmd.Stderr = &why
	out, err := cmd.Output()
	if err != nil {
		lines := strings.Split(strings.TrimSpace(why.String()), "\n")
		return nil, fmt.Errorf("%w: %s", err, strings.TrimSpace(lines[len(lines)-1]))
	}
	return out, nil
}

// ReadLines reads the questions of a file, one a line; there is at least one.
func ReadLines(flag, path string) (lines []string, err error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", flag, err)
	}
	defer file.Close() //nolint:errcheck // only read from
	scanner := bufio.NewScanner(file)
	for scanner.Scan() {
		if line := strings.TrimSpace(scanner.Text()); line != "" {
			lines = append(lines, line)
		}
	}
	if err := scanner.Err(); err != nil {
		return nil, fmt.Errorf("%s: %w", flag, err)
	}
	if len(lines) == 0 {
		return nil, fmt.Errorf("%s %s: there are none; write one on each line", flag, path)
	}
	return lines, nil
}
