package app

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"dowse/engine/kernel"
	"dowse/internal/config"
	"dowse/internal/generatebench"
	"dowse/models"
)

// BenchGenerateOptions say what BenchGenerate measures.
type BenchGenerateOptions struct {
	Model string // an installed model that writes; "" means the one in use, or the only one, or none

	Traces, Prompts string // folders; "" for none
	Tokenizer       string // of the replay; "" means that of the model

	Queries, Tokens, Rows int
	Threads               int // 0 means the setting
}

// BenchGenerate measures drafting by replay of recorded answers, what verifying
// costs with a model on this machine, and how fast that answers prompts.
func (a *App) BenchGenerate(ctx context.Context, opts BenchGenerateOptions, progress func(phase string, done, total int)) (report *generatebench.Report, err error) {
	if opts.Threads < 0 {
		return nil, errors.New("--threads wants a number from 0, which means the setting")
	}
	bench := generatebench.Options{
		Tokenizer: opts.Tokenizer, Queries: opts.Queries, Tokens: opts.Tokens, Rows: opts.Rows, Threads: opts.Threads,
	}
	if bench.Threads == 0 {
		bench.Threads = a.Config.Threads
	}
	for _, f := range []struct {
		given string
		to    *string
	}{{opts.Traces, &bench.Traces}, {opts.Prompts, &bench.Prompts}} {
		if f.given == "" {
			continue
		}
		if *f.to, err = ResolveFolder(f.given); err != nil {
			return nil, err
		}
	}
	if err := a.benchWriter(&bench, opts.Model); err != nil {
		return nil, err
	}
	if err := bench.Check(); err != nil {
		return nil, err
	}
	k, err := kernel.New(kernel.Options{Library: a.runtimeLibrary()})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, k.Close()) }()
	return generatebench.Run(ctx, bench, k, progress)
}

// benchWriter finds the pack of the named model, of the one in use, or of the
// only one that writes.
func (a *App) benchWriter(bench *generatebench.Options, name string) error {
	if name == "" && a.Config.Answerer != config.Extract {
		name = a.Config.Answerer
	}
	if name == "" {
		var err error
		if name, err = a.onlyWriter(); err != nil || name == "" {
			return err
		}
	}
	m, err := a.findModel(name)
	if err == nil && m.Role() != models.Answerer {
		err = fmt.Errorf("the model %s is %s, which writes nothing", m.Name, article(m.Role()))
	}
	if err != nil {
		return fmt.Errorf("there is no model to measure: %w", err)
	}
	bench.Model, bench.Pack, bench.Adapter = m.Name, m.Path, m.Adapter
	return nil
}

// article puts the article before a role.
func article(role models.Role) string {
	if strings.ContainsRune("aeiou", rune(role[0])) {
		return "an " + string(role)
	}
	return "a " + string(role)
}

// onlyWriter is the name of the installed model that writes, or "" if there is
// none.
func (a *App) onlyWriter() (string, error) {
	installed, err := models.Installed(a.Home.Caches()...)
	if err != nil {
		return "", err
	}
	var names []string
	for _, m := range installed {
		if m.Problem == nil && m.Role() == models.Answerer {
			names = append(names, m.Name)
		}
	}
	switch len(names) {
	case 0:
		return "", nil
	case 1:
		return names[0], nil
	}
	return "", fmt.Errorf("several models write: %s; name one with --model", strings.Join(names, ", "))
}
