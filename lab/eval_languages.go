package main

import (
	"fmt"
	"io"
	"slices"
	"text/tabwriter"

	"dowse/internal/eval"
	"dowse/lab/collection"
)

// languageWay is a way to ask texts in several languages: which of the reports are of it,
// and the language that a column is about.
type languageWay struct {
	name   string
	column func(r *eval.Report) string // "" for reports of other ways
	figure func(s eval.Scores) float64
}

var languageWays = []languageWay{
	{"its own", func(r *eval.Report) string { return when(r.Asked == r.Of, r.Of) }, nDCG},
	{"asked of English", func(r *eval.Report) string { return when(r.Of == "en" && r.Asked != r.Of, r.Asked) }, nDCG},
	{"asked in English", func(r *eval.Report) string {
		return when(r.Asked == "en" && r.Asked != r.Of && r.Of != collection.AllLanguages, r.Of)
	}, nDCG},
	{"asked of all", func(r *eval.Report) string { return when(r.Of == collection.AllLanguages, r.Asked) }, func(s eval.Scores) float64 { return s.MRR10 }},
}

func nDCG(s eval.Scores) float64 { return s.NDCG10 }

func when(is bool, text string) string {
	if is {
		return text
	}
	return ""
}

// writeLanguages prints a table with a column a language, and the mean of each row.
func writeLanguages(w io.Writer, reports []*eval.Report, stages []string) error {
	var languages []string
	for _, r := range reports {
		if r.Asked == r.Of {
			languages = append(languages, r.Of)
		}
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	// A tabwriter keeps what it is given until Flush, which reports failure.
	_, _ = fmt.Fprintf(t, "%s, %d documents and %d queries in each of %d languages; nDCG@10, of all MRR@10\n", reports[0].Set, reports[0].Documents, reports[0].Queries, len(languages))
	_, _ = fmt.Fprint(t, "language\tstage")
	for _, l := range languages {
		_, _ = fmt.Fprintf(t, "\t%s", l)
	}
	_, _ = fmt.Fprintln(t, "\tmean")
	for _, way := range languageWays {
		for _, stage := range stages {
			if row := way.row(reports, languages, stage); row != "" {
				_, _ = fmt.Fprintf(t, "%s\t%s%s\n", way.name, stage, row)
			}
		}
	}
	return t.Flush()
}

// row is the figures of a stage by language and their mean; "" where nothing was asked in
// this way.
func (way languageWay) row(reports []*eval.Report, languages []string, stage string) string {
	row, sum, n := "", 0.0, 0
	for _, l := range languages {
		i := slices.IndexFunc(reports, func(r *eval.Report) bool { return way.column(r) == l })
		if i < 0 {
			row += "\t-"
			continue
		}
		figure := way.figure(reports[i].Stages[stage].Scores)
		row, sum, n = row+fmt.Sprintf("\t%.3f", figure), sum+figure, n+1
	}
	if n == 0 {
		return ""
	}
	return row + fmt.Sprintf("\t%.4f", sum/float64(n))
}
