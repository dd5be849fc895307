package engine

import "fmt"

// BudgetChange is what a person asks of the memory that models may take.
type BudgetChange string

// The changes of a budget.
const (
	LowerBudget BudgetChange = "lower" // by half of what models share
	RaiseBudget BudgetChange = "raise" // takes the person's last halving back
)

// Budget is how much memory may be held, in bytes.
type Budget struct {
	Bytes int64 `json:"bytes"`
	Full  int64 `json:"full"` // by the settings
}

// BudgetStep is what became of a budget.
type BudgetStep struct {
	Budget
	Before int64 `json:"before"` // Bytes before the change
}

// Changed reports whether the change that was asked for made a difference: at either end
// there is none.
func (b *BudgetStep) Changed() bool { return b.Bytes != b.Before }

// ErrBudgetChange says that a change of the budget is none that there is.
var ErrBudgetChange = fmt.Errorf("the memory of models can be changed by %q and %q", LowerBudget, RaiseBudget)
