package opened

import (
	"context"

	"dowse/engine/memory"
	"dowse/engine/weights"
	"dowse/models"
	"dowse/models/pack"
)

// Measure is what the planner of memory knows of a model.
func Measure(m models.Installation) (weights.Model, error) {
	added, err := m.AdapterMemory()
	if err != nil {
		return weights.Model{}, err
	}
	if m.Rows == m.Path {
		rows, _, err := MeasureRows(m)
		return rows, err
	}
	p, err := pack.Open(m.Path)
	if err != nil {
		return weights.Model{}, err
	}
	return weights.Model{Config: p.Config(), Mapped: p.Size(), Tokenizer: p.TokenizerSize(), Resident: added}, p.Close()
}

// MeasureRows is Measure for the row pack of a model, and where its rows lie. All that
// is never swapped counts as resident.
func MeasureRows(m models.Installation) (weights.Model, pack.RowLayout, error) {
	added, err := m.AdapterMemory()
	if err != nil {
		return weights.Model{}, pack.RowLayout{}, err
	}
	p, err := pack.OpenRows(m.Rows)
	if err != nil {
		return weights.Model{}, pack.RowLayout{}, err
	}
	of := weights.Model{
		Config: p.Config(), Mapped: p.Size(), Tokenizer: int64(p.TokenizerBuffer()), Resident: added + int64(p.ResidentBuffer()),
	}
	return of, p.Layout(), p.Close()
}

// Lend makes a lease large enough for a model with all its weights in memory beside its
// work, if there is room, and returns the bytes that the model may hold; 0 is any number.
// work, which is not called then, may change the configuration that is planned with.
func Lend(ctx context.Context, lease *memory.Lease, m models.Installation, threads int, work func(c *pack.Config) weights.Work) (budget int64, err error) {
	if lease == nil {
		return 0, nil
	}
	measured, err := Measure(m)
	if err != nil {
		return 0, err
	}
	return lease.Take(ctx, weights.Wanted(measured, threads, work(&measured.Config)))
}
