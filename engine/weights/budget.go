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
	What   string // takes more, and for which work
	Least  int64  // bytes that it takes
	Budget int64  // bytes that there are
}

// Error implements error. The least budget is rounded up, so that it is enough.
func (e *BudgetError) Error() string {
	return fmt.Sprintf("%v: %s at least %d MiB, the budget is %d MiB", ErrBudget, e.What, WholeMiB(e.Least), e.Budget>>20)
}

// Unwrap returns ErrBudget.
func (e *BudgetError) Unwrap() error { return ErrBudget }

// WholeMiB returns how many MiB hold some bytes.
func WholeMiB(bytes int64) int64 { return (bytes + 1<<20 - 1) >> 20 }

// Pools of the ledger.
const (
	ResidentPool    = "weights"          // weights of a resident model; of a streamed one what is never streamed
	WindowPool      = "weights.window"   // what weights come through on their way: the two buffers of layers; of a Swapper the buffers of reads and of groups
	KeptPool        = "weights.cache"    // what stays of a streamed model's layers, and of a Swapper's rows
	RowsPool        = "embed.lru"        // embedding rows of a streamed model
	HiddenPool      = "acts.hidden"      // hidden states of a pass
	ActivationsPool = kernel.ScratchPool // working memory of a layer
)
