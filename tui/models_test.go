package tui

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"time"

	"dowse/engine"
	"dowse/internal/testwait"
)

// fakeModels keeps models in memory. A pull takes four steps of takes.
type fakeModels struct {
	mu      sync.Mutex
	models  []engine.Model
	changes []string // that were asked for
	refuses error    // of every change
	err     error    // of every list
	takes   time.Duration
}

// Models implements engine.ModelKeeper.
func (f *fakeModels) Models(context.Context) ([]engine.Model, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.models), f.err
}

// ChangeModel implements engine.ModelKeeper.
func (f *fakeModels) ChangeModel(ctx context.Context, action engine.ModelAction, name string, progress func(engine.ModelPull)) (string, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.changes = append(f.changes, string(action)+" "+name)
	if f.refuses != nil {
		return "", f.refuses
	}
	at := slices.IndexFunc(f.models, func(m engine.Model) bool { return m.Name == name })
	switch action {
	case engine.PullModel:
		for i := range int64(4) {
			progress(engine.ModelPull{Step: "download model.safetensors", Done: i * 250_000_000, Total: 1_000_000_000, Rate: 3_100_000})
			testwait.Moment(f.takes)
			if ctx.Err() != nil {
				return "", ctx.Err()
			}
		}
		if at < 0 {
			at = len(f.models)
			f.models = append(f.models, engine.Model{Name: name, Job: engine.Answers, Bytes: 1_000_000_000})
		}
		f.models[at].Installed, f.models[at].Download = true, 0
		return name + " is installed; enter uses it", nil
	case engine.UseModel:
		testwait.Moment(f.takes)
		for i := range f.models {
			if f.models[i].Job == f.models[at].Job {
				f.models[i].InUse = i == at
			}
		}
		return name + " is chosen", nil
	}
	f.models = slices.Delete(f.models, at, at+1)
	return name + " is removed", nil
}

// knownModels are models of each job, one of which cannot be used.
func knownModels() []engine.Model {
	return []engine.Model{
		{Name: "dowse-embed-6", Job: engine.Embeds, Installed: true, InUse: true, Part: true, Bytes: 25_000_000, Rate: 203, Measured: true, Says: "English", Source: "part of dowse", License: "CC-BY-SA-4.0"},
		{Name: "all-MiniLM-L6-v2", Job: engine.Embeds, Installed: true, Bytes: 25_000_000, Rate: 190, Says: "English, BEIR 0.4195", Source: "sentence-transformers/all-MiniLM-L6-v2", License: "Apache-2.0"},
		{Name: "dowse-rerank-6", Job: engine.Reranks, Installed: true, InUse: true, Part: true, Bytes: 25_000_000, Source: "part of dowse"},
		{Name: "auto", Job: engine.Answers, Installed: true, InUse: true, Part: true, Says: "answers are quoted, nothing is written; how sure they are is judged"},
		{Name: "qwen-0.5b", Job: engine.Answers, Installed: true, Bytes: 643_000_000, Way: engine.Resident, Rate: 19, Measured: true, Source: "local"},
		{Name: "broken\x1b[2J", Job: engine.Answers, Bytes: 9, Problem: "its pack\x1b[2J is cut off at 9 bytes"},
		{Name: "Qwen2.5-1.5B-Instruct", Job: engine.Answers, Bytes: 1_800_000_000, Download: 3_100_000_000, Seconds: 14, Advised: true, Source: "Qwen/Qwen2.5-1.5B-Instruct", License: "Apache-2.0"},
		{Name: "SmolLM2-1.7B-Instruct", Job: engine.Answers, Bytes: 1_900_000_000, Download: 3_400_000_000, Large: true, Source: "HuggingFaceTB/SmolLM2-1.7B-Instruct", License: "Apache-2.0"},
	}
}

// modelsScreen opens the list of models; the third writer is chosen.
func modelsScreen(s *screen) {
	s.models.models = knownModels()
	s.press("alt+i")
	s.press("end", "up")
}

// pullingScreen is modelsScreen while a model is pulled.
func pullingScreen(s *screen) {
	s.models.takes = time.Second
	modelsScreen(s)
	s.press("enter")
	s.pass(2500 * time.Millisecond)
}

// TestModelList: models are found, used, pulled and deleted.
func TestModelList(t *testing.T) {
	withScreen(t, 110, 34, Options{}, func(t *testing.T, s *screen) {
		s.typed("dns cache")
		s.models.models = knownModels()
		s.press("alt+i")
		s.shows("▌  dowse-embed-6", "finds by meaning · in use", "203 passages/s", "runs resident, 19 tokens/s", "too large here",
			"fits, advised", "answers in about 14 s · 3.1 GB to download", "its pack␛[2J is cut off", "8 models")
		s.press("enter")
		s.shows("dowse-embed-6 is in use already")
		s.press("f8")
		s.shows("part of dowse: there is nothing to delete")
		s.typed("answers qwen 0.5b")
		s.shows("1 of 8 models", "▌  qwen-0.5b", "enter use")
		s.models.takes = time.Second
		s.press("enter")
		s.shows("loading qwen-0.5b")
		s.pass(2 * time.Second)
		s.models.takes = 0
		s.shows("qwen-0.5b is chosen", "answers · in use")
		s.press("f8")
		s.shows("qwen-0.5b is in use; use another one first")
		s.press("ctrl+u")
		s.typed("auto")
		s.press("enter", "ctrl+u")
		s.typed("qwen-0.5b")
		s.press("f8")
		s.shows("delete its 643 MB from this machine? y deletes", "y delete")
		s.press("enter") // another key keeps it
		s.hides("delete its")
		s.press("f8")
		s.typed("y")
		s.shows("qwen-0.5b is removed")
		s.press("ctrl+u")
		s.typed("MiniLM")
		s.press("enter")
		s.shows("build the index anew with it")
		s.press("esc")
		s.hides("build the index anew")
		s.press("enter")
		s.typed("y")
		s.shows("all-MiniLM-L6-v2 is chosen")
		s.press("esc")
		s.shows(" ❯ dns cache")
		want := []string{"use qwen-0.5b", "use auto", "remove qwen-0.5b", "use all-MiniLM-L6-v2"}
		if !slices.Equal(s.models.changes, want) {
			t.Errorf("the changes are %q, want %q", s.models.changes, want)
		}
	})
}

// TestModelPull: a pull says how far it is, goes on behind the list, and stops by ctrl-c.
func TestModelPull(t *testing.T) {
	withScreen(t, 110, 34, Options{}, func(t *testing.T, s *screen) {
		pullingScreen(s)
		s.shows("download model.safetensors: 500 MB of 1.0 GB, 3.1 MB/s", "answers · pulling", "pulling Qwen2.5-1.5B-Instruct…", "ctrl-c stop it")
		s.press("ctrl+c")
		s.pass(2 * time.Second)
		s.shows("is stopped; enter goes on where it was", "answers · fits, advised")
		if s.quit {
			t.Error("ctrl-c left the program")
		}
		s.press("enter", "enter")
		s.shows("pulling Qwen2.5-1.5B-Instruct goes on; wait for it")
		s.press("esc")
		s.pass(5 * time.Second)
		s.shows("Qwen2.5-1.5B-Instruct is installed")
		s.press("alt+i", "end")
		s.press("enter")
		s.shows("SmolLM2-1.7B-Instruct is too large for the memory or the disk")
		s.typed("ann/chat")
		s.shows("pull from the hub ann/chat")
		s.models.refuses = errors.New("the hub\x1b[2J does not answer")
		s.press("enter")
		s.shows("the hub␛[2J does not answer")
		s.models.refuses = nil
		s.press("enter")
		s.pass(5 * time.Second)
		s.shows("ann/chat is installed")
	})
}

// TestModelsThatCannotBeListed says why, and works again when the reason is gone.
func TestModelsThatCannotBeListed(t *testing.T) {
	withScreen(t, 80, 24, Options{}, func(_ *testing.T, s *screen) {
		s.models.err = errors.New("the settings\x1b[2J are wrong")
		s.press("alt+i")
		s.shows("The models cannot be listed.", "the settings␛[2J are wrong")
		s.models.err, s.models.models = nil, knownModels()
		s.press("alt+i", "alt+i")
		s.shows("dowse-embed-6")
		s.typed("zebra")
		s.shows("No model is called so.")
		s.press("esc", "alt+i")
		s.shows("dowse-embed-6")
	})
}
