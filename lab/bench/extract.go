package bench

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"time"

	"dowse/indexer/extract"
	"dowse/indexer/skip"
	"dowse/indexer/walk"
)

// ExtractOptions say what Extract measures.
type ExtractOptions struct {
	Program string // this program, which measures each format in a process of its own
	Folders []string
	MaxFile int64 // files of text above are left out
	Rounds  int   // that are timed after the first
	Beside  bool  // measure other programs on the same files
}

// Check refuses options that mean nothing.
func (o *ExtractOptions) Check() error {
	if o.Rounds < 1 {
		return fmt.Errorf("--rounds %d: want a number from 1", o.Rounds)
	}
	return nil
}

// ExtractReport is what Extract measured.
type ExtractReport struct {
	Folders []string             `json:"folders"`
	Files   int                  `json:"files"`
	Bytes   int64                `json:"bytes"`
	Rounds  int                  `json:"rounds"`
	Formats []ExtractRun         `json:"formats"`
	Left    map[string]leftFiles `json:"left_out"` // by reason, what the walk left out but for folders included
}

// leftFiles are files that were left out for a reason.
type leftFiles map[string]int // by format; "" where no format was looked for

// ExtractRun is one format, measured by a process of its own.
type ExtractRun struct {
	Format  string         `json:"format"`
	Files   int            `json:"files"` // that gave text
	Bytes   int64          `json:"bytes"` // of those
	Text    int64          `json:"text_bytes"`
	First   float64        `json:"first_seconds"` // the first round, over files that gave no text too
	Seconds float64        `json:"seconds"`       // median of the other rounds
	Peak    int64          `json:"peak"`          // bytes that the process held in memory; 0 where the system does not say
	Left    map[string]int `json:"left_out"`      // files by reason
	Beside  *besideRun     `json:"beside,omitempty"`
}

// rate is so many bytes a second, in MB.
func (r *ExtractRun) rate(bytes int64) float64 { return ratio(float64(bytes)/1e6, r.Seconds) }

// Extract measures how fast the files below some folders give their text, format by
// format, on one core.
func Extract(ctx context.Context, opts ExtractOptions, progress Progress) (*ExtractReport, error) {
	if err := opts.Check(); err != nil {
		return nil, err
	}
	progress("looking at files", 0, 0)
	listing, formats, err := byFormat(ctx, opts.Folders)
	if err != nil {
		return nil, err
	}
	report := &ExtractReport{Folders: opts.Folders, Files: len(listing.files), Bytes: listing.bytes, Rounds: opts.Rounds, Left: map[string]leftFiles{}}
	for reason, n := range listing.skipped {
		report.leave(string(reason), "", n)
	}
	for _, format := range slices.Sorted(maps.Keys(formats)) {
		if format == "" {
			report.leave(string(skip.Binary), "", len(formats[format]))
			continue
		}
		run, err := opts.process(ctx, format, progress)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", format, err)
		}
		for reason, n := range run.Left {
			report.leave(reason, format, n)
		}
		report.Formats = append(report.Formats, *run)
	}
	if len(report.Formats) == 0 {
		return nil, fmt.Errorf("%s: no file is of a format that is read", strings.Join(opts.Folders, ", "))
	}
	return report, nil
}

func (r *ExtractReport) leave(reason, format string, n int) {
	if r.Left[reason] == nil {
		r.Left[reason] = leftFiles{}
	}
	r.Left[reason][format] += n
}

// byFormat lists the files that indexing would look at, by format.
func byFormat(ctx context.Context, folders []string) (*listing, map[string][]walk.Entry, error) {
	listing, err := listFiles(ctx, folders, walk.Options{Workers: 1})
	if err != nil {
		return nil, nil, err
	}
	formats := map[string][]walk.Entry{}
	for _, e := range listing.files {
		head, err := headOf(e.Path)
		if err != nil {
			return nil, nil, err
		}
		name := extract.Name(e.Path, head)
		formats[name] = append(formats[name], e)
	}
	return listing, formats, nil
}

// headOf reads the bytes by which formats are recognised.
func headOf(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close() //nolint:errcheck // only read from
	return io.ReadAll(io.LimitReader(f, extract.NameBytes))
}

// process measures one format in a process of its own, which has one core.
func (o *ExtractOptions) process(ctx context.Context, format string, progress Progress) (*ExtractRun, error) {
	args := []string{"bench", "extract", "--one", format, "--rounds", strconv.Itoa(o.Rounds), "--json"}
	if o.Beside {
		args = append(args, "--beside")
	}
	cmd := exec.CommandContext(ctx, o.Program, slices.Concat(args, []string{"--"}, o.Folders)...)
	cmd.Env = append(os.Environ(), "GOMAXPROCS=1")
	progress(format, 0, 0)
	out, err := output(cmd)
	if err != nil {
		return nil, errors.Join(ctx.Err(), err)
	}
	run := &ExtractRun{}
	return run, json.Unmarshal(out, run)
}

// ExtractOne measures one format in this process.
func ExtractOne(ctx context.Context, format string, opts ExtractOptions, progress Progress) (*ExtractRun, error) {
	if err := opts.Check(); err != nil {
		return nil, err
	}
	_, formats, err := byFormat(ctx, opts.Folders)
	if err != nil {
		return nil, err
	}
	files := formats[format]
	run := &ExtractRun{Format: format, Left: map[string]int{}}
	read, err := run.first(ctx, files, opts.MaxFile, func(done int) { progress(format, done, len(files)) })
	if err != nil {
		return nil, err
	}
	ways := 1
	if opts.Beside {
		if run.Beside, err = besideOf(ctx, format); err != nil {
			return nil, err
		}
		if run.Beside != nil {
			ways = 2
		}
	}
	seconds := make([][]float64, ways)
	for round := range opts.Rounds {
		times, err := race(format, len(read), ways, progress, func(i, way int) error {
			if way > 0 {
				return run.Beside.read(ctx, read[i], round == 0)
			}
			_, _ = extract.File(read[i], extract.Options{MaxBytes: opts.MaxFile}) // it could be read before
			return ctx.Err()
		})
		if err != nil {
			return nil, err
		}
		for way := range ways {
			seconds[way] = append(seconds[way], total(times[way])/1000)
		}
	}
	run.Seconds, run.Peak = median(seconds[0]), peakMemory()
	if run.Beside != nil {
		run.Beside.Seconds = median(seconds[1])
		run.Beside.Ratio = ratio(run.Beside.Seconds, run.Seconds)
	}
	return run, nil
}

// first reads all files once and returns the ones that gave text. Loading and compiling for
// the first file of a format counts here alone.
func (r *ExtractRun) first(ctx context.Context, files []walk.Entry, maxFile int64, step func(done int)) (read []string, err error) {
	start := time.Now()
	for i, e := range files {
		step(i)
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		doc, err := extract.File(e.Path, extract.Options{MaxBytes: maxFile})
		if err != nil {
			reason, known := skip.ReasonOf(err)
			if !known {
				return nil, err
			}
			r.Left[string(reason)]++
			continue
		}
		read = append(read, e.Path)
		r.Files++
		r.Bytes += e.Size
		r.Text += int64(len(doc.Text))
	}
	r.First = time.Since(start).Seconds()
	return read, nil
}

// Write implements Report.
func (r *ExtractRun) Write(w io.Writer) error {
	_, err := fmt.Fprintf(w, "%s: %d files, %.3f s\n", r.Format, r.Files, r.Seconds)
	return err
}

// Write implements Report.
func (r *ExtractReport) Write(w io.Writer) error {
	fmt.Fprintf(w, "%d files of %.1f MB, each format in a process of its own on one core; seconds are medians of %d rounds\n", r.Files, megabytes(r.Bytes), r.Rounds)
	t := newTable(w, "format\tfiles\tMB\tMB of text\tfirst round\tseconds\tMB/s\tMB of text/s\tpeak MiB")
	for i := range r.Formats {
		run := &r.Formats[i]
		t.row("%s\t%d\t%.2f\t%.2f\t%.3f\t%.3f\t%.1f\t%.1f\t%s", run.Format, run.Files, megabytes(run.Bytes), megabytes(run.Text),
			run.First, run.Seconds, run.rate(run.Bytes), run.rate(run.Text), orMissing(run.Peak > 0, "%.0f", mebibytes(run.Peak)))
	}
	if err := t.flush(); err != nil {
		return err
	}
	if err := r.writeBeside(w); err != nil {
		return err
	}
	return r.writeLeft(w)
}

// writeBeside writes the table of other programs.
func (r *ExtractReport) writeBeside(w io.Writer) error {
	if !slices.ContainsFunc(r.Formats, func(run ExtractRun) bool { return run.Beside != nil }) {
		return nil
	}
	fmt.Fprintln(w, "\nOther programs on the same files, a process each:")
	t := newTable(w, "format\tprogram\tseconds\tof dowse\tratio\tstarts alone\tMB of text\tof dowse\tfailed")
	for i := range r.Formats {
		run := &r.Formats[i]
		if b := run.Beside; b != nil {
			t.row("%s\t%s\t%.3f\t%.3f\t%.1f\t%.3f\t%.2f\t%.2f\t%d", run.Format, b.Program, b.Seconds, run.Seconds, b.Ratio,
				b.Start*float64(run.Files), megabytes(b.Text), megabytes(run.Text), b.Failed)
		}
	}
	return t.flush()
}

// writeLeft writes the table of files left out.
func (r *ExtractReport) writeLeft(w io.Writer) error {
	if len(r.Left) == 0 {
		return nil
	}
	fmt.Fprintln(w, "\nLeft out:")
	t := newTable(w, "reason\tfiles\tformats")
	for _, reason := range slices.Sorted(maps.Keys(r.Left)) {
		total, formats := 0, []string{}
		for _, format := range slices.Sorted(maps.Keys(r.Left[reason])) {
			n := r.Left[reason][format]
			total += n
			if format != "" {
				formats = append(formats, fmt.Sprintf("%s %d", format, n))
			}
		}
		t.row("%s\t%d\t%s", reason, total, cmp.Or(strings.Join(formats, ", "), missing))
	}
	return t.flush()
}
