package app

import (
	"context"
	"errors"

	"dowse/engine/kernel"
	"dowse/engine/transformer"
	"dowse/models"
)

// checkJob opens a model as a search or a question would, to see whether its
// parts fit.
func checkJob(path, adapter string, purpose models.Purpose) error {
	k, err := kernel.New(kernel.Options{Backend: kernel.Own})
	if err != nil {
		return err
	}
	if purpose.Role == models.Answerer {
		err = checkAnswering(path, adapter, k)
	} else {
		err = checkScoring(path, adapter, purpose.Prompt, k)
	}
	return errors.Join(err, k.Close())
}

func checkScoring(path, adapter string, prompt models.Prompt, k *kernel.Kernel) error {
	c, err := transformer.OpenCrossEncoder(context.Background(), path, k, transformer.CrossEncoderOptions{Adapter: adapter, Prompt: promptOf(prompt)})
	if err != nil {
		return err
	}
	return c.Close()
}

func checkAnswering(path, adapter string, k *kernel.Kernel) error {
	d, err := transformer.OpenDecoder(context.Background(), path, k, transformer.DecoderOptions{Adapter: adapter, MaxTokens: leastWindow})
	if err != nil {
		return err
	}
	return errors.Join(checkTemplate(path), d.Close())
}

// promptOf is a reranker's prompt by its name; nil for none.
func promptOf(name models.Prompt) *transformer.Prompt {
	var p transformer.Prompt
	switch name {
	case models.Qwen3Prompt:
		p = transformer.Qwen3Prompt()
	case models.MxbaiPrompt:
		p = transformer.MxbaiPrompt()
	case models.PlainPrompt:
		p = transformer.PlainPrompt()
	default:
		return nil
	}
	return &p
}

// sourceOf is where a model that is not in the catalogue came from: what a job
// stands on, and how it is done.
func sourceOf(m models.Installation) string {
	if m.Job == nil {
		return "local"
	}
	source := "local"
	if m.Job.Base != "" {
		source = "on " + m.Job.Base
	}
	if m.Adapter != "" {
		source += " with an adapter"
	}
	return source + ", " + m.Job.String()
}

// bundledSource says of a model that the program carries what it stands on, and
// how it is asked.
func bundledSource(e models.Entry) (string, error) {
	const source = "part of dowse"
	purpose, err := models.BundledPurpose(e.Name)
	if err != nil || purpose == nil {
		return source, err
	}
	return source + ", on " + e.Base + ", " + purpose.String(), nil
}

// withBases puts before each name the model that it stands on, if the catalogue
// knows of one.
func withBases(names []string, lookup func(name string) (models.Entry, bool)) []string {
	var all []string
	for _, name := range names {
		if e, known := lookup(name); known && e.Base != "" {
			all = append(all, e.Base)
		}
		all = append(all, name)
	}
	return all
}
