package bench

import (
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

// byFormat lists the files that indexing would look at by what they are read as.
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

// headOf reads what formats are recognised by.
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
