package local

import (
	"context"
	"encoding/hex"

	"dowse/engine"
	"dowse/engine/opened"
	"dowse/engine/swap"
	"dowse/engine/transformer"
	"dowse/engine/weights"
	"dowse/models"
	"dowse/models/pack"
)

// Forecast is how a model will run on this machine within its memory.
type Forecast struct {
	Way engine.Way
	// TokensPerSecond is the speed of writing without drafts; 0: unknown.
	// Measured says that it was measured with this model; otherwise it follows
	// from the rates of memory and disk.
	TokensPerSecond float64
	Measured        bool
}

// Forecast predicts from the model's files; the disk is measured once. The
// error wraps weights.ErrBudget where no form of the model fits.
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
	if f.TokensPerSecond, err = w.measuredRate(m, f.Way); err != nil {
		return Forecast{}, w.unusable(err)
	}
	if f.Measured = f.TokensPerSecond > 0; !f.Measured {
		f.TokensPerSecond, err = w.allowedRate(ctx, m, &model, r, f.Way)
	}
	return f, err
}

// wayOf is how a model runs in its room.
func wayOf(model *weights.Model, r room, threads int) engine.Way {
	if r.swapped {
		return engine.Swapped
	}
	of := *model
	of.Config.MaxTokens = r.tokens
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

// measuredRate is the model's speed when last opened in as much memory; 0:
// unknown.
func (w *Writer) measuredRate(m models.Installation, way engine.Way) (float64, error) {
	if m.Rows == m.Path { // its passes are stored under another name
		return 0, nil
	}
	p, err := pack.Open(m.Path)
	if err != nil {
		return 0, err
	}
	sum := p.Fingerprint()
	if err := p.Close(); err != nil {
		return 0, err
	}
	kept := w.readCost(w.costPath(adaptedKey(hex.EncodeToString(sum[:]), m.Job), way == engine.Resident))
	if kept == nil {
		return 0, nil
	}
	return 1 / kept[0], nil
}

// allowedRate is the speed that memory and disk allow a model that is read once
// a token.
func (w *Writer) allowedRate(ctx context.Context, m models.Installation, model *weights.Model, r room, way engine.Way) (float64, error) {
	disk := w.disk.Of(ctx, m.Path)
	if len(disk.Sizes) == 0 {
		disk = swap.UsualDisk
	}
	computing := float64(model.Mapped) / disk.Memory
	switch way {
	case engine.Resident:
		return 1 / computing, nil
	case engine.Streamed:
		of := *model
		of.Config.MaxTokens = r.tokens
		plan, err := weights.MakePlan(of, transformer.Limits{Budget: r.budget, Threads: w.Threads}, weights.Work{Conversation: r.tokens})
		if err != nil {
			return 0, err
		}
		read := int64(of.Config.Layers-plan.Kept) * int64(of.Config.LayerBuffer())
		return 1 / max(computing, float64(read)/disk.Sequential), nil
	case engine.Swapped:
		of, layout, err := opened.MeasureRows(m)
		if err != nil {
			return 0, err
		}
		budget := r.budget - of.Resident
		sparsity, err := opened.Sparsity(m)
		if err != nil || !r.pays {
			return 1 / swap.PredictWhole(layout, disk, budget), err
		}
		if t, fits := swap.Predict(layout, disk, budget, sparsity.Level); fits {
			return 1 / t.Token, nil
		}
	}
	return 0, nil // a mixture's experts depend on the text
}
