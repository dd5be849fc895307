package transformer

import "dowse/engine/weights"

// What package weights says of memory, by the names that who opens a model needs.
type (
	// Limits is what a model may use.
	Limits = weights.Limits
	// Model is what the planner knows of a model.
	Model = weights.Model
	// Plan says how a model runs.
	Plan = weights.Plan
)

// ErrBudget is wrapped by the error about a budget that is too small to run a
// model in, however slowly.
var ErrBudget = weights.ErrBudget
