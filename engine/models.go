package engine

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/dustin/go-humanize"
)

// Model is a model that is known or installed, what it does, and how it runs on this machine.
type Model struct {
	Name      string   `json:"name"`
	Job       ModelJob `json:"job"`
	Installed bool     `json:"installed"`
	InUse     bool     `json:"in_use"`
	Part      bool     `json:"part,omitempty"` // of the program, or a choice to do without: there is nothing to pull or remove
	Bytes     int64    `json:"bytes"`          // of its files; 0 of a choice to do without
	// Download is how many bytes a pull brings; 0 where it is installed, or not known.
	Download int64  `json:"download,omitempty"`
	License  string `json:"license,omitempty"`
	Source   string `json:"source,omitempty"`
	Says     string `json:"says,omitempty"` // what else there is to know, such as its languages

	// How it runs: of an installed one that writes its Way and tokens a second, of one that is not its Seconds
	// for a usual answer; of an embedder passages a second. Measured rates were, others follow from what was. 0
	// where nothing is known.
	Way      Way     `json:"way,omitempty"`
	Rate     float64 `json:"rate,omitempty"`
	Seconds  float64 `json:"seconds,omitempty"`
	Measured bool    `json:"measured,omitempty"`
	// Large says that memory or disk have no room for it.
	Large bool `json:"large,omitempty"`
	// Advised says that it is the one to pull for better answers.
	Advised bool   `json:"advised,omitempty"`
	Problem string `json:"problem,omitempty"` // why it cannot be used
}

// ModelJob is what a model is for.
type ModelJob string

// The jobs.
const (
	Embeds  ModelJob = "embedder"
	Reranks ModelJob = "reranker"
	Answers ModelJob = "answerer"
	Reads   ModelJob = "reader"
)

// Speed says how fast it runs here; "" where that is not known.
func (m *Model) Speed() string {
	about := "about "
	if m.Measured {
		about = ""
	}
	switch {
	case m.Job == Embeds && m.Rate > 0:
		return fmt.Sprintf("%s%.0f passages/s", about, m.Rate)
	case m.Way == "":
		if m.Seconds > 0 {
			return fmt.Sprintf("answers in about %.0f s", math.Max(m.Seconds, 1))
		}
		return ""
	case m.Rate == 0:
		return "runs " + string(m.Way)
	case m.Rate < 10:
		return fmt.Sprintf("runs %s, %s%.1f tokens/s", m.Way, about, m.Rate)
	}
	return fmt.Sprintf("runs %s, %s%.0f tokens/s", m.Way, about, m.Rate)
}

// ModelAction is what is to be done with a model.
type ModelAction string

// The actions.
const (
	PullModel   ModelAction = "pull"
	UseModel    ModelAction = "use" // for its job, in the place of the one that did it
	RemoveModel ModelAction = "remove"
)

// ModelPull is how far a download or an import has come.
type ModelPull struct {
	Step  string        // such as the file that is downloaded
	Done  int64         // bytes
	Total int64         // bytes; 0: unknown
	Rate  float64       // recent bytes a second; 0: unknown
	Quiet time.Duration // since the last byte
	Took  time.Duration // so far, where there is no other progress; else 0
}

// shortQuiet is a pause that needs no message.
const shortQuiet = 3 * time.Second

// String is how far it has come, and how fast, for people.
func (p ModelPull) String() string {
	bytes := func(n int64) string { return humanize.Bytes(uint64(max(n, 0))) }
	text := p.Step
	switch {
	case p.Total > 0:
		text = fmt.Sprintf("%s: %s of %s", p.Step, bytes(p.Done), bytes(p.Total))
	case p.Done > 0:
		text = fmt.Sprintf("%s: %s", p.Step, bytes(p.Done))
	}
	switch {
	case p.Quiet >= shortQuiet:
		text += fmt.Sprintf(", nothing for %v", p.Quiet.Truncate(time.Second))
	case p.Took > 0:
		text += fmt.Sprintf(", %v so far", p.Took.Truncate(time.Second))
	case p.Rate > 0:
		text += fmt.Sprintf(", %s/s", bytes(int64(p.Rate)))
	}
	return text
}

// ModelKeeper keeps the models of this machine.
type ModelKeeper interface {
	// Models lists those that are known or installed. Measuring the disk may take seconds the first time.
	Models(ctx context.Context) ([]Model, error)
	// ChangeModel pulls, uses or removes one, and returns a sentence of what follows. progress receives how far a
	// pull has come, from one goroutine at a time. What a pull has brought when ctx ends, the next one goes on from.
	ChangeModel(ctx context.Context, action ModelAction, name string, progress func(ModelPull)) (said string, err error)
}
