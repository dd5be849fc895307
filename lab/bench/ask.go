package bench

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"dowse/internal/eval"
)

// AskOptions say what Ask measures.
type AskOptions struct {
	Program   string // the dowse that is run
	Folder    string // what is indexed
	Queries   int    // titles of the folder that are asked, spread evenly
	Questions string // file of questions to ask instead, one a line; "" for none

	pause time.Duration // between two looks at the watcher; 0 means aheadEvery
}

// AskReport is what Ask found.
type AskReport struct {
	Folder    string   `json:"folder"`
	Questions int      `json:"questions"`
	Rows      []askRow `json:"ways"`
}

// askRow is a way of asking.
type askRow struct {
	Way  string   `json:"way"`
	Cold askTimes `json:"cold"` // nobody owns the store
	Warm askTimes `json:"warm"` // beside a watcher that has computed ahead
}

// askTimes are of one process a question.
type askTimes struct {
	P50    float64 `json:"ms_p50"` // of the process, wall clock, milliseconds
	P95    float64 `json:"ms_p95"`
	Search float64 `json:"search_ms_p50"` // of the search in it
	Found  int     `json:"found"`         // questions with a result

	Recomputed float64 `json:"recomputed"`    // vectors, mean a question
	Active     int     `json:"active_layers"` // of the reranker, computed for all questions and candidates
	Full       int     `json:"full_layers"`   // what they would be without pruning
}

// askWays are compared: the ranking without the reranker, the default, and the
// default with an answer; args go to the process beside the question.
var askWays = []struct {
	name string
	args []string
}{
	{name: "hybrid", args: []string{"--mode", "hybrid"}},
	{name: "default"},
	{name: "default, answered", args: []string{"--answer"}},
}

// Ask measures one question from a shell: a whole process, from its start to its end. It indexes the folder into a home of its own,
// which it removes, asks each question in every way cold, that is by a process that
// opens everything itself, then starts the watcher, waits until it is done computing
// ahead, and asks again.
func Ask(ctx context.Context, opts AskOptions, progress Progress) (report *AskReport, err error) {
	if opts.Queries < 1 {
		return nil, fmt.Errorf("--queries %d: want a number from 1", opts.Queries)
	}
	questions, err := opts.questions()
	if err != nil {
		return nil, err
	}
	home, err := os.MkdirTemp("", "dowse-ask-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(home)) }()
	p := program{path: opts.Program, home: home, pause: cmp.Or(opts.pause, aheadEvery)}
	progress("indexing", 0, 1)
	if _, err := p.run(ctx, "index", opts.Folder); err != nil {
		return nil, err
	}
	cold, err := p.askAll(ctx, "asking cold", questions, progress)
	if err != nil {
		return nil, err
	}
	stop, err := p.watch(ctx, opts.Folder, func(seconds int) {
		progress("waiting for the watcher to compute ahead", seconds, int(aheadPatience.Seconds()))
	})
	if err != nil {
		return nil, err
	}
	warm, err := p.askAll(ctx, "asking beside the watcher", questions, progress)
	if err = errors.Join(err, stop()); err != nil {
		return nil, err
	}
	report = &AskReport{Folder: opts.Folder, Questions: len(questions)}
	for i, way := range askWays {
		report.Rows = append(report.Rows, askRow{Way: way.name, Cold: cold[i], Warm: warm[i]})
	}
	return report, nil
}

// questions returns the lines of the file, or titles of the folder.
func (o *AskOptions) questions() ([]string, error) {
	if o.Questions == "" {
		return titles(o.Folder, o.Queries)
	}
	return ReadLines("--questions", o.Questions)
}

// askAll asks every question in every way and sums each way up.
func (p program) askAll(ctx context.Context, phase string, questions []string, progress Progress) (all []askTimes, err error) {
	replies := make([][]reply, len(askWays))
	walls, err := race(phase, len(questions), len(askWays), progress, func(i, way int) error {
		r, err := p.ask(ctx, questions[i], askWays[way].args)
		if err != nil {
			return fmt.Errorf("%s, %q: %w", askWays[way].name, questions[i], err)
		}
		replies[way] = append(replies[way], r)
		return nil
	})
	if err != nil {
		return nil, err
	}
	for way := range askWays {
		all = append(all, sumTimes(walls[way], replies[way]))
	}
	return all, nil
}

// sumTimes sums answers up.
func sumTimes(walls []float64, replies []reply) (t askTimes) {
	var searches []float64
	for _, r := range replies {
		searches = append(searches, r.Stats.Millis)
		t.Recomputed += float64(r.Stats.Recomputed) / float64(len(replies))
		t.Active += r.Stats.Rerank.Active
		t.Full += r.Stats.Rerank.Full
		countIf(&t.Found, len(r.Results) > 0)
	}
	wall := summarize(walls)
	t.P50, t.P95, t.Search = wall.P50, wall.P95, median(searches)
	return t
}

// Write implements Report.
func (r *AskReport) Write(w io.Writer) error {
	fmt.Fprintf(w, "%d questions over %s, a process each, medians in ms\n", r.Questions, r.Folder)
	t := newTable(w, "ranking\tcold\tp95\twarm\tp95\tsearch, cold\twarm\trecomputed, cold\twarm\tlayers")
	for _, row := range r.Rows {
		c, h := row.Cold, row.Warm
		t.row("%s\t%.0f\t%.0f\t%.0f\t%.0f\t%.1f\t%.1f\t%.1f\t%.1f\t%s",
			row.Way, c.P50, c.P95, h.P50, h.P95, c.Search, h.Search, c.Recomputed, h.Recomputed,
			orMissing(h.Full > 0, "%.0f%%", 100*ratio(h.Active, h.Full)))
	}
	return t.flush()
}

// titles returns the first headings of n Markdown files below a folder, spread
// evenly over them by path. A person who looks for a note types about that.
func titles(dir string, n int) ([]string, error) {
	var all []string
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() || filepath.Ext(path) != ".md" {
			return err
		}
		title, err := titleOf(path)
		if title != "" {
			all = append(all, title)
		}
		return err
	})
	if err == nil && len(all) == 0 {
		err = fmt.Errorf("no Markdown file below %s begins with a heading; name questions by --questions FILE, one a line", dir)
	}
	return eval.Spread(all, n), err
}

// titleOf returns the first line of a file if that is a heading of the first level.
func titleOf(path string) (string, error) {
	file, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer file.Close() //nolint:errcheck // only read from
	line, _ := bufio.NewReader(file).ReadString('\n')
	title, ok := strings.CutPrefix(line, "# ")
	if !ok {
		return "", nil
	}
	return strings.TrimSpace(title), nil
}

// program is the dowse that is measured, with a home of its own.
type program struct {
	path, home string
	pause      time.Duration // between two looks at the watcher
}

// reply is the part of the JSON of an answer that is measured.
type reply struct {
	Results []json.RawMessage `json:"results"`
	Stats   struct {
		Millis     float64 `json:"ms"`
		Warm       bool    `json:"warm"`
		Recomputed int     `json:"recomputed"`
		Rerank     struct {
			Active int `json:"active_layers"`
			Full   int `json:"full_layers"`
		} `json:"rerank"`
	} `json:"stats"`
}

// command returns a process of the program that knows nothing of the person's index.
func (p program) command(ctx context.Context, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, p.path, args...)
	cmd.Dir = p.home
	cmd.Env = append(os.Environ(), "DOWSE_HOME="+p.home)
	return cmd
}

// nothingFound is the exit status of a search without results.
const nothingFound = 1

// run returns the stdout of a process; an error has its stderr.
func (p program) run(ctx context.Context, args ...string) ([]byte, error) {
	cmd := p.command(ctx, args...)
	var why bytes.Buffer
	cmd.Stderr = &why
	out, err := cmd.Output()
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() == nothingFound && len(out) > 0 {
		return out, nil
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w: %s", p.path, args[0], err, strings.TrimSpace(why.String()))
	}
	return out, nil
}

// ask runs one question as a process.
func (p program) ask(ctx context.Context, question string, args []string) (r reply, err error) {
	out, err := p.run(ctx, append([]string{"-q", question, "--json"}, args...)...)
	if err == nil {
		err = json.Unmarshal(out, &r)
	}
	return r, err
}

// Waiting for the watcher: how long at most, how often it is looked, and how many
// looks that saw no change mean that it is done computing ahead.
const (
	aheadPatience = 10 * time.Minute
	aheadEvery    = time.Second
	aheadCalm     = 5
)

// watch starts the watcher and waits until it is done computing ahead.
// stop ends it.
func (p program) watch(ctx context.Context, folder string, waiting func(seconds int)) (stop func() error, err error) {
	cmd := p.command(ctx, "watch", folder)
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	stop = func() error {
		_ = cmd.Process.Signal(syscall.SIGTERM) // it may have ended by itself
		err := cmd.Wait()
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			return nil // ended by the signal
		}
		return err
	}
	last := notYet
	for start, calm := time.Now(), 0; calm < aheadCalm && time.Since(start) < aheadPatience; {
		waiting(int(time.Since(start).Seconds()))
		select {
		case <-ctx.Done():
			return nil, errors.Join(ctx.Err(), stop())
		case <-time.After(p.pause):
		}
		held, err := p.ahead(ctx)
		if err != nil {
			return nil, errors.Join(err, stop())
		}
		if calm++; held != last || held == notYet {
			calm = 0
		}
		last = held
	}
	return stop, nil
}

// notYet stands for the bytes of a watcher that is still indexing.
const notYet = int64(-1)

// ahead returns the bytes of vectors that the index keeps and the watcher holds, or notYet.
func (p program) ahead(ctx context.Context) (int64, error) {
	out, err := p.run(ctx, "status", "--json")
	if err != nil {
		return notYet, err
	}
	var status struct {
		Watching bool `json:"watching"`
		Progress struct {
			Phase string `json:"phase"`
		} `json:"progress"`
		Bytes  map[string]int64 `json:"bytes"`
		Memory map[string]struct {
			Bytes int64 `json:"bytes"`
		} `json:"memory"`
	}
	if err := json.Unmarshal(out, &status); err != nil || !status.Watching || status.Progress.Phase != "idle" {
		return notYet, err
	}
	return status.Bytes["kept"] + status.Memory["vectors.memo"].Bytes, nil
}
