package generatebench

import (
	"fmt"
	"io"
	"text/tabwriter"
	"time"
)

// WriteTable writes results as a table, and beside each how many times more
// tokens a verification emits than with the plain suffix automaton.
func WriteTable(w io.Writer, results []Result) error {
	plain := map[string]float64{}
	for _, r := range results {
		if r.Way == Plain {
			plain[r.Set] = r.PerStep()
		}
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "set\tdrafts from\ttokens a verification\tto plain\tdrafted\tdraft time a step")
	for _, r := range results {
		ratio := "-"
		if p := plain[r.Set]; p > 0 {
			ratio = fmt.Sprintf("%.3f", r.PerStep()/p)
		}
		steps := max(r.Steps, 1)
		fmt.Fprintf(t, "%s\t%s\t%.3f\t%s\t%.1f\t%v\n", r.Set, r.Way, r.PerStep(), ratio,
			float64(r.Drafted)/float64(steps), (r.Time / time.Duration(steps)).Round(100*time.Nanosecond))
	}
	return t.Flush()
}
