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
	Questions       string // file of questions to ask over the index; "" for none
	Write           string // file that prompts and answers are written to; "" for none

	Quick                 bool // plainly and with everything alone
	Queries, Tokens, Rows int
	Threads               int // 0 means the setting
}

// BenchGenerate measures drafting by replay of recorded answers, what verifying
// costs with a model on this machine, and how fast that answers prompts.
func (a *App) BenchGenerate(ctx context.Context, opts BenchGenerateOptions, progress func(phase string, done, total int)) (report *generatebench.Report, err error) {
	err = a.generating(opts, func(bench generatebench.Options, k *kernel.Kernel) (err error) {
		report, err = generatebench.Run(ctx, bench, k, progress)
		return err
	})
	return report, err
}

// BenchIdentity compares what a model writes with drafts and without, over the
// prompts numbered from to to-1 of opts.Prompts; a to of 0 means all.
func (a *App) BenchIdentity(ctx context.Context, opts BenchGenerateOptions, from, to int, progress func(phase string, done, total int)) (report *generatebench.IdentityReport, err error) {
	err = a.generating(opts, func(bench generatebench.Options, k *kernel.Kernel) (err error) {
		report, err = generatebench.Identity(ctx, generatebench.IdentityOptions{Options: bench, From: from, To: to}, k, progress)
		return err
	})
	return report, err
}

// generating measures with a kernel that is closed afterwards.
func (a *App) generating(opts BenchGenerateOptions, measure func(bench generatebench.Options, k *kernel.Kernel) error) error {
	bench, err := a.benchOptions(opts)
	if err != nil {
		return err
	}
	k, err := kernel.New(kernel.Options{Library: a.runtimeLibrary()})
	if err != nil {
		return err
	}
	return errors.Join(measure(bench, k), k.Close())
}

// benchOptions are the options of a measurement, as far as they are right.
func (a *App) benchOptions(opts BenchGenerateOptions) (bench generatebench.Options, err error) {
	if opts.Threads < 0 {
		return bench, errors.New("--threads wants a number from 0, which means the setting")
	}
	bench = generatebench.Options{
		Tokenizer: opts.Tokenizer, Queries: opts.Queries, Tokens: opts.Tokens, Rows: opts.Rows, Threads: opts.Threads,
		Write: opts.Write, Quick: opts.Quick,
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
			return bench, err
		}
	}
	purpose, err := a.benchWriter(&bench, opts.Model)
	if err != nil {
		return bench, err
	}
	if opts.Questions != "" {
		if bench.Asked, err = a.askedOverIndex(opts.Questions, purpose); err != nil {
			return bench, err
		}
	}
	return bench, bench.Check()
}

// benchWriter finds the pack of the named model, of the one in use, or of the
// only one that writes, and what it was trained for.
func (a *App) benchWriter(bench *generatebench.Options, name string) (purpose models.Purpose, err error) {
	if name == "" && a.answerer() != config.Extract {
		name = a.answerer()
	}
	if name == "" {
		if name, err = a.onlyWriter(); err != nil || name == "" {
			return purpose, err
		}
	}
	m, err := a.findModel(name)
	if err == nil && m.Role() != models.Answerer {
		err = fmt.Errorf("the model %s is %s, which writes nothing", m.Name, article(m.Role()))
	}
	if err != nil {
		return purpose, fmt.Errorf("there is no model to measure: %w", err)
	}
	bench.Model, bench.Pack, bench.Adapter = m.Name, m.Path, m.Adapter
	if m.Job != nil {
		purpose = m.Job.Purpose
	}
	return purpose, nil
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
