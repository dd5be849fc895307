package cli

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"dowse/engine"
	"dowse/engine/weights"
	"dowse/internal/app"
	"dowse/internal/registry"
)

func newModelsList(s *streams) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List the models that are known and which are installed",
		Long: `List shows the models that dowse knows and those that are installed. Of one that
writes it says how it runs in the memory of the settings, beside what is there in
every phase: resident, streamed layer by layer from the disk, swapped by the rows of
its weights, or a mixture whose experts are read; and how many tokens a second it
writes then: as it did when it was used last, or "about" what memory and disk allow,
as they were measured. Below the list it recommends a larger one, where one fits
memory and disk. Of an embedder it says which languages it knows, how well it
retrieves by who published it (nDCG@10 on BEIR, the mean of 15 sets), and how many
passages a second dowse index made with it on this machine, or "about" how many it
would, by its shape and what another one was measured to make.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			a, err := app.NewReader(s.warn)
			if err != nil {
				return err
			}
			list, err := a.Models()
			if err != nil {
				return err
			}
			forecasts, err := a.Forecasts(cmd.Context(), list)
			if err != nil {
				return err
			}
			costs := a.EmbedderCosts(list)
			advised := a.Recommend(list, forecasts)
			if asJSON {
				return writeJSON(s.out, listedModels(list, forecasts, costs, advised))
			}
			return errors.Join(s.listModels(list, forecasts, costs), s.advise(advised))
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return cmd
}

// listModels prints a table, and below it what is wrong with some.
func (s *streams) listModels(list []registry.Model, forecasts map[string]app.ModelForecast, costs map[string]registry.EmbedderCost) error {
	t := newTable(s.out)
	var problems []string
	for _, m := range list {
		forecast, known := forecasts[m.Name]
		state := "not installed"
		switch {
		case m.Installed:
			state = bytesText(m.Bytes)
		case m.Problem != nil:
			state = "cannot be used"
			problems = append(problems, fmt.Sprintf("%s: %v", m.Name, m.Problem))
		}
		marks := modelMarks(m)
		listed := app.Listed(m, forecast, costs[m.Name])
		if listed.Says != "" {
			marks = append(marks, listed.Says)
		}
		if how := howItRuns(forecast.Problem, &listed); how != "" {
			marks = append(marks, how)
		}
		if known {
			if forecast.Problem != nil {
				problems = append(problems, forecast.Problem.Error())
			}
		}
		t.row(m.Name, m.Role, state, m.License, m.Source, strings.Join(marks, ", "))
	}
	if err := t.flush(); err != nil {
		return err
	}
	for _, p := range problems {
		s.note(p)
	}
	return nil
}

// advise says which larger model fits.
func (s *streams) advise(r *app.Recommendation) error {
	if r == nil {
		return nil
	}
	takes := ""
	if r.Seconds > 0 {
		takes = fmt.Sprintf(" and answers in about %.0f s", max(r.Seconds, 1))
	}
	_, err := fmt.Fprintf(s.out, "\nA larger model fits here%s: dowse models pull %s (%s to download, %s in memory)\n",
		takes, r.Name, bytesText(r.Download), bytesText(r.Bytes))
	return err
}

// modelMarks are what else there is to say of a model.
func modelMarks(m registry.Model) (marks []string) {
	if m.InUse {
		marks = append(marks, "in use")
	}
	if m.Rows != nil {
		marks = append(marks, "swapped by "+rowPackText(m.Rows))
	}
	if m.Distilled > 0 {
		marks = append(marks, fmt.Sprintf("distilled to leave out %.0f%%", 100*m.Distilled))
	}
	return marks
}

// howItRuns says how a model runs, or that it does not.
func howItRuns(problem error, m *engine.Model) string {
	switch {
	case errors.Is(problem, weights.ErrBudget):
		return "does not fit"
	case problem != nil:
		return "cannot be opened"
	}
	return m.Speed()
}

// listedModel is a model in JSON.
type listedModel struct {
	Name      string  `json:"name"`
	Role      string  `json:"role"`
	Installed bool    `json:"installed"`
	InUse     bool    `json:"in_use"`
	Bytes     int64   `json:"bytes"`
	Licence   string  `json:"licence"`
	Source    string  `json:"source,omitempty"`
	Way       string  `json:"way,omitempty"`
	Rate      float64 `json:"tokens_per_second,omitempty"`
	Seconds   float64 `json:"answer_seconds,omitempty"`
	Measured  bool    `json:"measured,omitempty"`
	// Of an embedder.
	Languages     string  `json:"languages,omitempty"`
	Quality       float64 `json:"published_ndcg@10,omitempty"`
	QualitySource string  `json:"published_source,omitempty"`
	Passages      float64 `json:"passages_per_second,omitempty"`

	Problem string `json:"problem,omitempty"`
}

// recommendedModel is a Recommendation in JSON.
type recommendedModel struct {
	Name     string  `json:"name"`
	Bytes    int64   `json:"bytes"`
	Download int64   `json:"download_bytes"`
	Seconds  float64 `json:"answer_seconds,omitempty"`
}

func listedModels(list []registry.Model, forecasts map[string]app.ModelForecast, costs map[string]registry.EmbedderCost, advised *app.Recommendation) any {
	out := []listedModel{}
	for _, m := range list {
		f := forecasts[m.Name]
		l := listedModel{
			Name: m.Name, Role: m.Role, Installed: m.Installed, InUse: m.InUse, Bytes: m.Bytes, Licence: m.License, Source: m.Source,
			Way: string(f.Way), Seconds: f.Seconds(app.UsualPrompt, app.UsualAnswer), Measured: f.Measured,
		}
		if f.Written > 0 {
			l.Rate = 1 / f.Written
		}
		if c := costs[m.Name]; c.Rate > 0 {
			l.Passages, l.Measured = c.Rate, c.Measured
		}
		l.Languages, l.Quality, l.QualitySource = m.Published.Languages, m.Published.Retrieval, m.Published.Source
		if err := errors.Join(m.Problem, f.Problem); err != nil {
			l.Problem = err.Error()
		}
		out = append(out, l)
	}
	var recommended *recommendedModel
	if advised != nil {
		recommended = &recommendedModel{advised.Name, advised.Bytes, advised.Download, advised.Seconds}
	}
	return struct {
		Models      []listedModel     `json:"models"`
		Recommended *recommendedModel `json:"recommended,omitempty"`
	}{out, recommended}
}
