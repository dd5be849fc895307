package engine

import "fmt"

// BudgetChange is what a person asks of the memory that models may take.
type BudgetChange string

// The changes of a budget.
const (
	LowerBudget BudgetChange = "lower" // by half of what models share
	RaiseBudget BudgetChange = "raise" // takes the person's last halving back
)

// Budget is how much memory models may take, in bytes.
type Budget struct {
	Bytes  int64 `json:"bytes"`
	Before int64 `json:"before"` // the change; Bytes where there was none
	Full   int64 `json:"full"`   // by the settings
}

// Changed reports whether the change that was asked for made a difference: at either end
// there is none.
func (b *Budget) Changed() bool { return b.Bytes != b.Before }

// ErrBudgetChange says that a change of the budget is none that there is.
var ErrBudgetChange = fmt.Errorf("the memory of models can be changed by %q and %q", LowerBudget, RaiseBudget)
