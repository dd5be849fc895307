package rerankbench

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
)

// Write prints the report for people.
func (r *Report) Write(w io.Writer) error {
	fmt.Fprintf(w, "%s: %s, %d layers of width %d, %.1f million weights, pack of %.1f MB; %s kernels, %d threads\n",
		r.Model, r.Architecture, r.ModelLayers, r.Hidden, float64(r.Weights)/1e6, mega(float64(r.PackBytes)), r.Kernels, r.Threads)
	if r.Seeded {
		fmt.Fprintln(w, "seeded weights, speed and memory only: nobody trained this model, its scores mean nothing, and nothing is pruned")
	}
	if !r.Direct {
		fmt.Fprintln(w, "this file system reads through the page cache alone, so that streaming costs less than it would from the disk")
	}
	if len(r.Collections) == 0 {
		fmt.Fprintln(w, "candidates are tokens that were made up")
	}
	if r.Prefix > 0 {
		fmt.Fprintf(w, "all candidates of a query begin with the same %d tokens\n", r.Prefix)
	}
	for _, c := range r.Collections {
		fmt.Fprintf(w, "%s: %d documents, %d queries\n", c.Name, c.Documents, c.Queries)
	}
	tables := []func(*tabwriter.Writer){
		wayTable("way", r.Execution), poolTable("ledger, peak in MB", r.Execution),
		wayTable("ablation", r.Ablation), poolTable("ledger, peak in MB", r.Ablation),
	}
	if len(r.Pruning) > 0 {
		tables = append(tables, r.writePruning, r.writeCollections, r.writeSweep, r.writeLayers)
	}
	for _, table := range tables {
		fmt.Fprintln(w)
		t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
		table(t)
		if err := t.Flush(); err != nil {
			return err
		}
	}
	return nil
}

// mega is bytes in millions.
func mega(bytes float64) float64 { return bytes / 1e6 }

// missing stands where there is nothing to tell.
const missing = "-"

// wayTable prints what ways take.
func wayTable(title string, rows []WayRow) func(*tabwriter.Writer) {
	return func(t *tabwriter.Writer) {
		fmt.Fprintf(t, "%s\tn\ttokens\tms\tleast-most\tratio\tlayers %%\tlayers read MB\tstalls\tms stalled\twords read MB\tin cache %%\tstates moved MB\tpeak MB\tof first\tof float32\n", title)
		for _, r := range rows {
			hits := missing
			if r.WordHits > 0 {
				hits = fmt.Sprintf("%.0f", 100*r.WordHits)
			}
			fmt.Fprintf(t, "%s\t%d\t%.0f\t%.1f\t%.1f-%.1f\t%.2f\t%.1f\t%.1f\t%.1f\t%.1f\t%.2f\t%s\t%.1f\t%.1f\t%.3f\t%.3f\n",
				r.Way, r.Candidates, r.Tokens, r.Millis, r.Least, r.Most, r.Ratio, 100*r.Layers, mega(r.LayerBytes), r.Stalls, r.StallMillis,
				mega(r.WordBytes), hits, mega(r.StateBytes), mega(float64(r.Peak)), r.OfInt8, r.OfFloat)
		}
	}
}

// poolTable prints the peaks of ways by pool.
func poolTable(title string, rows []WayRow) func(*tabwriter.Writer) {
	return func(t *tabwriter.Writer) {
		var names []string
		for _, r := range rows {
			for _, p := range r.Pools {
				if !slices.Contains(names, p.Name) {
					names = append(names, p.Name)
				}
			}
		}
		slices.Sort(names)
		fmt.Fprintf(t, "%s\tn\t%s\n", title, strings.Join(names, "\t"))
		for _, r := range rows {
			fmt.Fprintf(t, "%s\t%d", r.Way, r.Candidates)
			for _, name := range names {
				i := slices.IndexFunc(r.Pools, func(p Pool) bool { return p.Name == name })
				if i < 0 {
					fmt.Fprintf(t, "\t%s", missing)
					continue
				}
				fmt.Fprintf(t, "\t%.2f", mega(float64(r.Pools[i].Peak)))
			}
			fmt.Fprintln(t)
		}
	}
}

func (r *Report) writePruning(t *tabwriter.Writer) {
	fmt.Fprintf(t, "pruning, target %.3g\tguards\tn\tk\tsure\ttau\tfrom layer\tcalibrating\tagreement\tlower\tlayers %%\theld out\tagreement\tlayers %%\tms full\tms pruned\tsaved %%\n", r.Target)
	for _, p := range r.Pruning {
		fmt.Fprintf(t, "%s\t%s\t%d\t%d\t%d\t%s\t%d\t%d\t%.4f\t%.4f\t%.1f\t%d\t%.4f\t%.1f\t%.1f\t%.1f\t%.1f\n",
			p.Mode, p.Guards, p.Candidates, p.K, p.Sure, p.Tau, p.MinLayers, p.Even.Queries, p.Even.Agreement, p.Lower, 100*p.Even.Layers,
			p.Odd.Queries, p.Odd.Agreement, 100*p.Odd.Layers, p.FullMillis, p.Millis, 100*p.Saved)
	}
}

func (r *Report) writeCollections(t *tabwriter.Writer) {
	fmt.Fprint(t, "held out: agreement (layers %)\tguards\tn\tk")
	for _, c := range r.Collections {
		fmt.Fprintf(t, "\t%s", c.Name)
	}
	fmt.Fprintln(t)
	for _, p := range r.Pruning {
		fmt.Fprintf(t, "%s\t%s\t%d\t%d", p.Mode, p.Guards, p.Candidates, p.K)
		for _, e := range p.Collections {
			fmt.Fprintf(t, "\t%s", e)
		}
		fmt.Fprintln(t)
	}
}

// String is the agreement and the share of layers in percent.
func (e Effect) String() string {
	if e.Queries == 0 {
		return missing
	}
	return fmt.Sprintf("%.4f (%.1f)", e.Agreement, 100*e.Layers)
}

// writeSweep prints the curves of the algorithm as published and of the one
// that searching uses, without points that are like the one before.
func (r *Report) writeSweep(t *tabwriter.Writer) {
	fmt.Fprintln(t, "sweep: agreement (layers %)\tguards\tn\tk\ttau\tcalibrating\tlower\theld out\t")
	for _, c := range r.Sweep {
		if v := (variant{c.mode, c.Guards}); v != variants[0] && v != variants[len(variants)-1] {
			continue
		}
		for i, p := range c.Points {
			chosen := ""
			if p.Chosen {
				chosen = "chosen"
			} else if i > 0 && p.Even == c.Points[i-1].Even && p.Odd == c.Points[i-1].Odd {
				continue
			}
			fmt.Fprintf(t, "%s\t%s\t%d\t%d\t%s\t%s\t%.4f\t%s\t%s\n", c.Mode, c.Guards, c.Candidates, c.K, p.Tau, p.Even, p.Lower, p.Odd, chosen)
		}
	}
}

func (r *Report) writeLayers(t *tabwriter.Writer) {
	fmt.Fprintln(t, "layer\tn\tgamma\tcluster gamma")
	for _, l := range r.Layers {
		fmt.Fprintf(t, "%d\t%d\t%.4f\t%.4f\n", l.Layer+1, l.Candidates, l.Gamma, l.ClusterGamma)
	}
}
