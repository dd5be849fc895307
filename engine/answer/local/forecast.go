package local

import (
	"context"

	"dowse/engine"
	"dowse/engine/opened"
	"dowse/engine/swap"
	"dowse/engine/transformer"
	"dowse/engine/weights"
	"dowse/models"
)

// Forecast is how a model will run on this machine within its memory.
type Forecast struct {
	Way engine.Way
	// Written is the seconds of a token written without drafts, Prompt those of
	// a token of the prompt; 0: unknown. Measured says that they were measured
	// with all of this model; otherwise they follow from a part of it, and from
	// the disk's rates.
	Written, Prompt float64
	Measured        bool
}

// Seconds is how long an answer takes that is so many tokens long; 0: unknown.
func (f *Forecast) Seconds(prompt, written int) float64 {
	if f.Written == 0 || f.Prompt == 0 {
		return 0
	}
	return f.Prompt*float64(prompt) + f.Written*float64(written)
}

// Forecast predicts from the model's files. What is measured for it is stored.
// The error wraps weights.ErrBudget where no form of the model fits.
func (w *Writer) Forecast(ctx context.Context) (Forecast, error) {
	m, err := w.Find(w.name)
	if err != nil {
		return Forecast{}, err
	}
	lease := w.Memory.Lease(func() (bool, error) { return false, nil })
	defer lease.Give()
	r, err := w.window(ctx, m, lease)
	if err != nil {
		return Forecast{}, err
	}
	model, err := opened.Measure(m)
	if err != nil {
		return Forecast{}, w.unusable(err)
	}
	f := Forecast{Way: wayOf(&model, r, w.Threads)}
	known, found, err := w.kept(m, f.Way)
	if err != nil {
		return Forecast{}, w.unusable(err)
	}
	if f.Measured = found; !found {
		known, err = w.allowed(ctx, m, &model, r, f.Way)
	}
	f.Written, f.Prompt = known.written, known.prompt
	return f, err
}

// wayOf is how a model runs in its room.
func wayOf(model *weights.Model, r room, threads int) engine.Way {
	if r.swapped {
		return engine.Swapped
	}
	of := *model
	of.Config.MaxTokens = r.conversation
	if r.budget > 0 {
		if fits, err := weights.NewRoom(of, transformer.Limits{Budget: r.budget, Threads: threads}); err != nil || !fits.Resident() {
			if model.Config.Mixture.Experts > 0 {
				return engine.Mixture
			}
			return engine.Streamed
		}
	}
	return engine.Resident
}

// allowed is the pace that a trial and the disk allow a model.
func (w *Writer) allowed(ctx context.Context, m models.Installation, model *weights.Model, r room, way engine.Way) (pace, error) {
	switch way {
	case engine.Resident, engine.Streamed:
		kept, err := w.tried(ctx, m, model)
		switch {
		case err != nil:
			return pace{}, err
		case way == engine.Resident:
			return kept.pace(), nil
		}
		return streamed(&kept, model, r, w.Threads)
	case engine.Swapped:
		return swapped(m, r)
	}
	return pace{}, nil // a mixture's experts depend on the text
}

// streamed is the pace of a model whose other layers are read while some are
// computed: once a token, and once a round of the prompt.
func streamed(kept *keptCost, model *weights.Model, r room, threads int) (pace, error) {
	of := *model
	of.Config.MaxTokens = r.tokens
	plan, err := weights.MakePlan(of, transformer.Limits{Budget: r.budget, Threads: threads}, weights.Work{Conversation: min(streamedChunk, r.tokens)})
	if err != nil {
		return pace{}, err
	}
	reading := func(layers int) float64 { return float64(of.Config.Layers-layers) * kept.Layer }
	p := kept.pace()
	return pace{
		written: max(p.written, reading(plan.Kept)),
		prompt:  max(p.prompt, reading(plan.KeptAtFirst)/float64(plan.RoundRows)),
	}, nil
}

// swapped is the pace of a row pack: what is not in memory of the rows of a
// token is read for it.
func swapped(m models.Installation, r room) (pace, error) {
	of, layout, err := opened.MeasureRows(m)
	if err != nil {
		return pace{}, err
	}
	budget := r.budget - of.Resident
	sparsity, err := opened.Sparsity(m)
	if err != nil || !r.pays {
		return pace{written: swap.PredictWhole(layout, r.disk, budget)}, err
	}
	if t, fits := swap.Predict(layout, r.disk, budget, sparsity.Level); fits {
		return pace{written: t.Token}, nil
	}
	return pace{}, nil
}
