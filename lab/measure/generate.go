package measure

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"dowse/engine"
	"dowse/engine/answer"
	"dowse/engine/answer/local"
	"dowse/engine/generate/chat"
	"dowse/engine/kernel"
	"dowse/internal/config"
	"dowse/internal/indexes"
	"dowse/lab/bench"
	"dowse/models"
)

// Generate measures how fast a model writes, with drafts and without: the named
// one, the one in use, or the only one that writes. questions is a file of questions
// to ask over the index, "" for none.
func (a *Runner) Generate(ctx context.Context, questions string, opts bench.GenerateOptions, progress bench.Progress) (report *bench.GenerateReport, err error) {
	if err := opts.Check(); err != nil {
		return nil, err
	}
	_, purpose, err := a.benchWriter(&opts.WriterOptions)
	if err != nil {
		return nil, err
	}
	if questions != "" {
		if opts.Asked, err = a.askedOverIndex(questions, purpose); err != nil {
			return nil, err
		}
	}
	err = a.withKernel(func(k *kernel.Kernel) error {
		report, err = bench.Generate(ctx, opts, k, progress)
		return err
	})
	return report, err
}

// benchWriter finds the named model, the one in use, or the only one that writes, and what
// it was trained for. 0 threads become those of the settings.
func (a *Runner) benchWriter(opts *bench.WriterOptions) (m models.Installation, purpose models.Purpose, err error) {
	if opts.Threads < 0 {
		return m, purpose, errors.New("--threads wants a number from 0, which means the setting")
	}
	opts.Threads = cmp.Or(opts.Threads, a.Config.Threads)
	name := opts.Model
	if name == "" && a.Answerer() != config.Extract {
		name = a.Answerer()
	}
	if name == "" {
		if name, err = a.onlyWriter(); err != nil {
			return m, purpose, err
		}
	}
	m, err = a.FindModel(name)
	if err == nil && m.Role() != models.Answerer {
		err = fmt.Errorf("the model %s is %s, which writes nothing", m.Name, m.Role().WithArticle())
	}
	if err != nil {
		return m, purpose, fmt.Errorf("there is no model to measure: %w", err)
	}
	opts.Model, opts.Pack, opts.Adapter = m.Name, m.Path, m.Adapter
	if m.Job != nil {
		purpose = m.Job.Purpose
	}
	return m, purpose, nil
}

// onlyWriter is the name of the installed model that writes.
func (a *Runner) onlyWriter() (string, error) {
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
		return "", errors.New("there is no model to measure; install one that writes with dowse models add")
	case 1:
		return names[0], nil
	}
	return "", fmt.Errorf("several models write: %s; name one with --model", strings.Join(names, ", "))
}

// askedOverIndex makes the prompts that the questions of a file, one a line,
// become over the index, for a model trained as purpose says.
func (a *Runner) askedOverIndex(file string, purpose models.Purpose) (bench.Asked, error) {
	questions, err := bench.ReadLines("--questions", file)
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, count func(text string) int, tokens int) (prompts [][]chat.Message, err error) {
		service, err := a.Open(ctx, indexes.Read)
		if err != nil {
			return nil, err
		}
		defer func() { err = errors.Join(err, service.Close()) }()
		options := answer.PromptOptions{
			Counter: local.Counter(count), Tokens: tokens,
			Passages: purpose.Passages, PassageTokens: purpose.PassageTokens,
		}
		for _, question := range questions {
			found, err := service.Search(ctx, engine.Request{Query: question, K: engine.AnswerPassages}, nil)
			if err != nil {
				return nil, fmt.Errorf("search for %q: %w", question, err)
			}
			if len(found.Passages) == 0 {
				continue // nothing is asked of a model then
			}
			prompt, err := answer.Assemble(question, answer.ByRank(found.Passages), options)
			if err != nil {
				return nil, fmt.Errorf("ask %q: %w", question, err)
			}
			prompts = append(prompts, local.ChatMessages(prompt.Messages))
		}
		return prompts, nil
	}, nil
}
