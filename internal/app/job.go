package app

import (
	"errors"

	"dowse/engine/answer/local"
	"dowse/engine/kernel"
	"dowse/engine/rerank/crossencoder"
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
		err = local.Check(path, adapter, k)
	} else {
		err = crossencoder.Check(path, adapter, purpose.Prompt, k)
	}
	return errors.Join(err, k.Close())
}

// sourceOf is where a model that is not in the catalogue came from, or what a job
// stands on, and how it is done.
func sourceOf(m models.Installation) string {
	source := "local"
	if m.Origin != nil {
		source = m.Origin.String()
	}
	if m.Job == nil {
		return source
	}
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
