package hosts

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"time"

	"dowse/engine"
	"dowse/internal/child"
	"dowse/internal/config"
	"dowse/internal/daemon"
	"dowse/internal/spelt"
)

// Host is another machine, or this one.
type Host struct {
	Name    string
	command []string // that serves there; nil of this machine
}

// Named returns the machines of the settings that have some names; config.ThisMachine is this one.
func Named(settings map[string]string, names []string) (list []Host, err error) {
	var known []string
	for name := range settings {
		known = append(known, name)
	}
	slices.Sort(known)
	for _, name := range names {
		command, is := settings[name]
		switch {
		case slices.ContainsFunc(list, func(h Host) bool { return h.Name == name }):
			continue
		case name == config.ThisMachine:
			list = append(list, Host{Name: name})
			continue
		case !is && len(known) == 0:
			return nil, fmt.Errorf("no machine is called %s: the settings name none; dowse config edit, and below [hosts] %[1]s = \"ssh %[1]s\"", name)
		case !is:
			what := "there are " + strings.Join(known, ", ")
			if near := spelt.Nearest(name, known); near != "" {
				what = "did you mean " + near + "?"
			}
			return nil, fmt.Errorf("no machine is called %s; %s", name, what)
		}
		list = append(list, Host{name, append(strings.Fields(command), "dowse", "serve", "--stdio")})
	}
	return list, nil
}

// OnHost divides a place as results have it, larch:/home/ann/a.md, into a machine and the place there.
func OnHost(settings map[string]string, place string) (name, there string, ok bool) {
	name, there, ok = strings.Cut(place, ":")
	_, known := settings[name]
	return name, there, ok && known && there != ""
}

// patience is how long a machine may take before it is named.
const patience = 300 * time.Millisecond

// slowText says of a machine that it is slow.
const slowText = "%s has not answered yet"

// talk runs the command of a machine while do speaks with it.
func (h *Host) talk(ctx context.Context, do func(ctx context.Context, p *daemon.Pipe) error) (err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	cmd, err := child.Talk(ctx, h.command[0], h.command[1:]...)
	if err != nil {
		return fmt.Errorf("its command cannot be run: %w", err)
	}
	said := &complaint{}
	cmd.Stderr = said
	to, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	from, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("its command cannot be run: %w", err)
	}
	err = do(ctx, daemon.NewPipe(from, to, ctx.Done()))
	_ = to.Close()
	cancel() // and what it started
	_ = cmd.Wait()
	if text := said.text(); err != nil && text != "" {
		err = fmt.Errorf("%w: %s", err, text)
	}
	return err
}

// complaint keeps the beginning of what a command says on its standard error.
type complaint struct {
	mu   sync.Mutex
	said []byte
}

// mostSaid is how many bytes are kept of that.
const mostSaid = 400

// Write implements io.Writer.
func (c *complaint) Write(p []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.said = append(c.said, p[:min(len(p), mostSaid-len(c.said))]...)
	return len(p), nil
}

var _ io.Writer = (*complaint)(nil)

// text is its last line.
func (c *complaint) text() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	lines := strings.Split(strings.TrimSpace(string(c.said)), "\n")
	return clean(strings.TrimSpace(lines[len(lines)-1]))
}

// Read reads a file of a machine.
func (h *Host) Read(ctx context.Context, req engine.ReadRequest) (text *engine.FileText, err error) {
	err = h.talk(ctx, func(ctx context.Context, p *daemon.Pipe) (err error) {
		text, err = p.Read(ctx, req)
		return err
	})
	if err != nil {
		return nil, h.failed(ctx, err)
	}
	return h.checkedText(text, &req)
}

// failed words what went wrong with a machine.
func (h *Host) failed(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return h.named(err)
}

// named is an error of the machine.
func (h *Host) named(err error) error { return fmt.Errorf("%s: %w", h.Name, cleanError(err)) }

// cleanError is an error whose text can be shown.
func cleanError(err error) error {
	if text := clean(err.Error()); text != err.Error() {
		return errors.New(text)
	}
	return err
}
