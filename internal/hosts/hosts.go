package hosts

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"dowse/engine"
	"dowse/internal/config"
	"dowse/internal/daemon"
	"dowse/internal/spelt"
)

// named returns the machines of the settings that have some names, each once; nil stands for config.ThisMachine.
func (p *Pool) named(names []string) (list []*host, own bool, err error) {
	var known []string
	settings := p.settings()
	for name := range settings {
		known = append(known, name)
	}
	slices.Sort(known)
	for _, name := range names {
		command, is := settings[name]
		switch {
		case name == config.ThisMachine:
			own = true
		case slices.ContainsFunc(list, func(h *host) bool { return h.name == name }):
		case !is && len(known) == 0:
			return nil, false, fmt.Errorf("no machine is called %s: the settings name none; dowse config edit, and below [hosts] %[1]s = \"ssh %[1]s\"", name)
		case !is:
			what := "there are " + strings.Join(known, ", ")
			if near := spelt.Nearest(name, known); near != "" {
				what = "did you mean " + near + "?"
			}
			return nil, false, fmt.Errorf("no machine is called %s; %s", name, what)
		default:
			list = append(list, p.host(name, command))
		}
	}
	return list, own, nil
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

// Read reads a file of a machine.
func (p *Pool) Read(ctx context.Context, name string, req engine.ReadRequest) (text *engine.FileText, err error) {
	list, _, err := p.named([]string{name})
	if err != nil {
		return nil, err
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("%s is this machine", name)
	}
	h := list[0]
	text, err = value(ctx, h.with, func(ctx context.Context, p *daemon.Pipe) (*engine.FileText, error) { return p.Read(ctx, req) })
	if err != nil {
		return nil, h.failed(ctx, err)
	}
	return h.checkedText(text, &req)
}

// failed words what went wrong with a machine.
func (h *host) failed(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return h.named(err)
}

// named is an error of the machine.
func (h *host) named(err error) error { return fmt.Errorf("%s: %w", h.name, cleanError(err)) }

// cleanError is an error whose text can be shown.
func cleanError(err error) error {
	if text := clean(err.Error()); text != err.Error() {
		return errors.New(text)
	}
	return err
}
