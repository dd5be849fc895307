package weights

import (
	"errors"
	"fmt"

	"dowse/engine/kernel"
)

// ErrBudget is wrapped by the error about a budget that is too small to run a
// model in, however slowly.
var ErrBudget = errors.New("not enough memory for the model")

// BudgetError is an error about a budget, which wraps ErrBudget.
type BudgetError struct {
	What   string // subject and verb of the message: "its experts take"
	Least  int64  // bytes
	Budget int64  // bytes
}

// Error implements error. It rounds the least budget up.
func (e *BudgetError) Error() string {
	return fmt.Sprintf("%v: %s at least %d MiB, the budget is %d MiB", ErrBudget, e.What, WholeMiB(e.Least), e.Budget>>20)
}

// Unwrap returns ErrBudget.
func (e *BudgetError) Unwrap() error { return ErrBudget }

// WholeMiB returns bytes in MiB, rounded up.
func WholeMiB(bytes int64) int64 { return (bytes + 1<<20 - 1) >> 20 }

// Pools of the ledger.
const (
	ResidentPool    = "weights"          // weights of a resident model; the parts of a streamed one that always stay
	WindowPool      = "weights.window"   // the two buffers of layers; of a Swapper the buffers of reads and of groups
	KeptPool        = "weights.cache"    // kept layers of a streamed model, and cached rows of a Swapper
	RowsPool        = "embed.lru"        // embedding rows of a streamed model
	HiddenPool      = "acts.hidden"      // hidden states of a pass
	ActivationsPool = kernel.ScratchPool // working memory of a layer
)
