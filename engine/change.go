package engine

import (
	"context"
	"fmt"
	"time"

	"github.com/dustin/go-humanize"
)

// ModelChange says how far the index is on its way to another embedder. A second index is
// built beside the one that is searched, and takes its place when it is complete.
type ModelChange struct {
	From string `json:"from,omitempty"` // the embedder that searches use until then; "" where they go by words alone
	To   string `json:"to"`             // the embedder that they use afterwards
	Done int    `json:"done"`           // passages of the second index
	All  int    `json:"all"`            // passages of the one that is searched
	// Seconds is how long it takes from now on; 0 where nobody can tell.
	Seconds float64 `json:"seconds_left,omitempty"`
	// Working says that a process is at it. Otherwise the next dowse index, dowse watch
	// or screen goes on with it.
	Working bool `json:"working"`
	// Problem is why it cannot go on now; "" where it can.
	Problem string `json:"problem,omitempty"`
	// Over says that it has ended: To is in use, or the change was taken back.
	Over bool `json:"over,omitempty"`
}

// ModelFollower follows the choice of an embedder while the index is in use.
type ModelFollower interface {
	// FollowModel reads the setting again that names the embedder, and returns what follows.
	// Where the index is built with another one, its second index is begun, or gone on with,
	// while callers go on; where it is not, a second one that was begun is dropped, and the
	// change that is returned is over.
	FollowModel(ctx context.Context) (*ModelChange, error)
}

// String is the change in a sentence.
func (c *ModelChange) String() string {
	if c.Over {
		return "searches use " + c.To
	}
	how := fmt.Sprintf("changing the model: %s of %s passages", humanize.Comma(int64(c.Done)), humanize.Comma(int64(max(c.All, c.Done))))
	switch {
	case c.Problem != "":
		how += ", " + c.Problem
	case !c.Working:
		how += ", and nobody is at it: dowse index, dowse watch and the screen go on with it"
	case c.All > 0 && c.Done >= c.All:
		how += ", tidying"
	case c.Seconds > 0:
		how += ", " + leftText(c.Seconds) + " left"
	}
	if c.From == "" {
		return how + "; searches go by words alone until " + c.To + " is ready"
	}
	return how + "; searches use " + c.From + " until then"
}

// leftText is a time that is left, for people.
func leftText(seconds float64) string {
	switch d := time.Duration(seconds * float64(time.Second)); {
	case d >= 2*time.Hour:
		return fmt.Sprintf("%.0f h", d.Hours())
	case d >= 2*time.Minute:
		return fmt.Sprintf("%.0f min", d.Minutes())
	default:
		return fmt.Sprintf("%.0f s", max(1, d.Seconds()))
	}
}
