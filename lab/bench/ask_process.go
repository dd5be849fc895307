package bench

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"
)

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

// ahead returns the bytes of vectors that the watcher holds, or notYet.
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
		Memory map[string]struct {
			Bytes int64 `json:"bytes"`
		} `json:"memory"`
	}
	if err := json.Unmarshal(out, &status); err != nil || !status.Watching || status.Progress.Phase != "idle" {
		return notYet, err
	}
	return status.Memory["vectors.memo"].Bytes, nil
}
