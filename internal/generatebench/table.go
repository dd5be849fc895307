package generatebench

import (
	"fmt"
	"io"
	"slices"
	"text/tabwriter"
)

// ReplayRow is what a way did with a set of traces.
type ReplayRow struct {
	Set         string  `json:"set"`
	Way         string  `json:"way"`
	Answers     int     `json:"answers"`
	Tokens      int     `json:"tokens"`
	Steps       int     `json:"verifications"`
	PerStep     float64 `json:"tokens_per_verification"`
	ToPlain     float64 `json:"ratio"`   // of that to the plain suffix automaton over the same text; 0 where that did not run
	Drafted     float64 `json:"drafted"` // a verification
	DraftMicros float64 `json:"draft_us"`
}

// ReplayRows sets results beside the plain suffix automaton that draws from the
// same text: from past answers too where the way does.
func ReplayRows(results []Result) []ReplayRow {
	type baseline struct{ set, way string }
	plain := map[baseline]float64{}
	for _, r := range results {
		plain[baseline{r.Set, r.Way}] = r.PerStep()
	}
	rows := make([]ReplayRow, len(results))
	for i, r := range results {
		steps := float64(max(r.Steps, 1))
		rows[i] = ReplayRow{
			Set: r.Set, Way: r.Way, Answers: r.Answers, Tokens: r.Tokens, Steps: r.Steps, PerStep: r.PerStep(),
			Drafted: float64(r.Drafted) / steps, DraftMicros: 1e6 * r.Time.Seconds() / steps,
		}
		if p := plain[baseline{r.Set, plainOf(r.Way)}]; p > 0 {
			rows[i].ToPlain = r.PerStep() / p
		}
	}
	return rows
}

// missing stands where there is nothing to tell.
const missing = "-"

// WriteTable writes what a replay found.
func WriteTable(w io.Writer, rows []ReplayRow) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "replay\tdrafts from\tanswers\ttokens a verification\tto plain automaton\tdrafted\tdraft µs")
	for _, r := range rows {
		ratio := missing
		if r.ToPlain > 0 {
			ratio = fmt.Sprintf("%.3f", r.ToPlain)
		}
		fmt.Fprintf(t, "%s\t%s\t%d\t%.3f\t%s\t%.1f\t%.1f\n", r.Set, r.Way, r.Answers, r.PerStep, ratio, r.Drafted, r.DraftMicros)
	}
	return t.Flush()
}

// Write prints the report for people.
func (r *Report) Write(w io.Writer) error {
	if r.Machine != nil {
		prompts := "its chat template"
		if !r.ChatTemplate {
			prompts = "no chat template: prompts are continued as they are"
		}
		fmt.Fprintf(w, "%s: %d layers, %d words, window of %d tokens, %s; %s kernels, %d threads\n",
			r.Model, r.Layers, r.Vocabulary, r.Window, prompts, r.Kernels, r.Threads)
	}
	fmt.Fprintf(w, "drafts of at most %d rows\n", r.Rows)
	if len(r.Replay) > 0 {
		fmt.Fprintf(w, "\nanswers of a 7B model, tokens by %s\n", r.ReplayTokenizer)
		if err := WriteTable(w, r.Replay); err != nil {
			return err
		}
	}
	if r.Machine != nil {
		if err := r.Machine.write(w); err != nil {
			return err
		}
	}
	for _, l := range r.LeftOut {
		fmt.Fprintf(w, "\n%s: %d prompts are too long for the window and left out", l.Set, l.Prompts)
	}
	if len(r.LeftOut) > 0 {
		fmt.Fprintln(w)
	}
	if len(r.Speed) == 0 {
		return nil
	}
	return r.writeSpeed(w)
}

// shownRows are the widths of the curve that people get to see.
var shownRows = []int{1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64}

func (m *Machine) write(w io.Writer) error {
	fmt.Fprintf(w, "\nbehind %d tokens: reads %.0f tokens/s, writes %.1f without drafts\n", m.Context, m.Prefill, m.Decode)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "rows\tms\tleast-most\tc(rows)")
	for _, p := range m.Curve {
		if slices.Contains(shownRows, p.Rows) {
			fmt.Fprintf(t, "%d\t%.2f\t%.2f-%.2f\t%.2f\n", p.Rows, p.Millis, p.Least, p.Most, p.Cost)
		}
	}
	return t.Flush()
}

func (r *Report) writeSpeed(w io.Writer) error {
	fmt.Fprintf(w, "\nanswers of at most %d tokens; all ways write the same ones\n", r.Tokens)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "set\tdrafts from\tprompts\ttokens\ttokens/s\tratio\twith prompt\ttokens a verification\tdrafted\taccepted %\tdraft µs\tprompt ms")
	for _, s := range r.Speed {
		accepted := missing
		if s.Drafted > 0 {
			accepted = fmt.Sprintf("%.0f", 100*float64(s.Accepted)/float64(s.Drafted))
		}
		fmt.Fprintf(t, "%s\t%s\t%d\t%d\t%.1f\t%.3f\t%.3f\t%.3f\t%.1f\t%s\t%.0f\t%.1f\n", s.Set, s.Way, s.Prompts, s.Tokens,
			s.Speed, s.Ratio, s.Whole, s.PerStep, float64(s.Drafted)/float64(max(s.Steps, 1)), accepted, s.DraftMicros, s.BeginMillis)
	}
	return t.Flush()
}
