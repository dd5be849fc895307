package bench

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"time"

	"dowse/indexer/extract"
	"dowse/indexer/skip"
	"dowse/indexer/walk"
)

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
	var seconds [2][]float64
	for round := range opts.Rounds {
		var sums [2]float64
		err := turns(format, len(read), ways, progress, func(i, way int) error {
			start := time.Now()
			if way == 0 {
				_, _ = extract.File(read[i], extract.Options{MaxBytes: opts.MaxFile}) // it could be read before
			} else if err := run.Beside.read(ctx, read[i], round == 0); err != nil {
				return err
			}
			sums[way] += time.Since(start).Seconds()
			return ctx.Err()
		})
		if err != nil {
			return nil, err
		}
		for way := range ways {
			seconds[way] = append(seconds[way], sums[way])
		}
	}
	run.Seconds, run.Peak = median(seconds[0]), peakMemory()
	if run.Beside != nil {
		run.Beside.Seconds = median(seconds[1])
		run.Beside.Ratio = ratio(run.Beside.Seconds, run.Seconds)
	}
	return run, nil
}

// first reads all files once and returns those that gave text. What is loaded or compiled
// for the first file of a format counts here alone.
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

// Write implements Report.
func (r *ExtractRun) Write(w io.Writer) error {
	_, err := fmt.Fprintf(w, "%s: %d files, %.3f s\n", r.Format, r.Files, r.Seconds)
	return err
}
