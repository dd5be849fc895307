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
	case engine.Resident:
		return w.tried(ctx, m, model)
	case engine.Streamed:
		p, err := w.tried(ctx, m, model)
		if err != nil {
			return p, err
		}
		return streamed(p, model, r, w.diskOf(ctx, m.Path), w.Threads)
	case engine.Swapped:
		return swapped(m, r, w.diskOf(ctx, m.Path))
	}
	return pace{}, nil // a mixture's experts depend on the text
}

func (w *Writer) diskOf(ctx context.Context, path string) swap.DiskProfile {
	if disk := w.disk.Of(ctx, path); len(disk.Sizes) > 0 {
		return disk
	}
	return swap.UsualDisk
}

// streamed is the pace of a model whose other layers are read while some are
// computed: once a token, and once a round of the prompt.
func streamed(p pace, model *weights.Model, r room, disk swap.DiskProfile, threads int) (pace, error) {
	of := *model
	of.Config.MaxTokens = r.tokens
	plan, err := weights.MakePlan(of, transformer.Limits{Budget: r.budget, Threads: threads}, weights.Work{Conversation: min(streamedChunk, r.tokens)})
	if err != nil {
		return p, err
	}
	reading := func(kept int) float64 {
		return float64(of.Config.Layers-kept) * float64(of.Config.LayerBuffer()) / disk.Sequential
	}
	return pace{
		written: max(p.written, reading(plan.Kept)),
		prompt:  max(p.prompt, reading(plan.KeptAtFirst)/float64(plan.RoundRows)),
	}, nil
}

// swapped is the pace of a row pack: what is not in memory of the rows of a
// token is read for it.
func swapped(m models.Installation, r room, disk swap.DiskProfile) (pace, error) {
	of, layout, err := opened.MeasureRows(m)
	if err != nil {
		return pace{}, err
	}
	budget := r.budget - of.Resident
	sparsity, err := opened.Sparsity(m)
	if err != nil || !r.pays {
		return pace{written: swap.PredictWhole(layout, disk, budget)}, err
	}
	if t, fits := swap.Predict(layout, disk, budget, sparsity.Level); fits {
		return pace{written: t.Token}, nil
	}
	return pace{}, nil
}
