package answer_test

import (
	"encoding/json"
	"flag"
	"os"
	"slices"
	"strings"
	"testing"

	"dowse/engine/answer"
	"dowse/engine/lexical"
	"dowse/internal/testsquad"
)

var (
	fit    = flag.Bool("fit", false, "fit model.bin to the training data")
	epochs = flag.Int("epochs", 8, "passes over the examples")
	rate   = flag.Float64("rate", 0.1, "of learning")
	decay  = flag.Float64("decay", 0.0005, "of weights at each update")
	write  = flag.Bool("write", true, "write the model")
)

// TestFit fits the model that ships, and says what cross-validation saw. It
// reads the training folders alone.
func TestFit(t *testing.T) {
	if !*fit {
		t.Skip("fits the model only when asked: -fit")
	}
	analyzer := lexical.NewAnalyzer()
	train, err := testsquad.Load(testsquad.Path("train", "squad2"), analyzer)
	if err != nil {
		t.Fatal(err)
	}
	examples := train.Examples(2, false)
	model, report, err := answer.Fit(examples, answer.FitOptions{
		Analyzer: analyzer, Texts: generalTexts(t), Epochs: *epochs, Rate: *rate, Decay: *decay, Folds: 5, Seed: 1,
		Threshold: threshold,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("support weights %.3f", report.Weights)
	t.Log(heldOut(examples, report.Answers))
	packed, err := model.AppendTo(nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d bytes", len(packed))
	if *write {
		if err := os.WriteFile("model.bin", packed, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// declinedShare is the share of the unanswerable questions that the threshold
// is to decline.
const declinedShare = 0.9

// threshold is the support at which that share is declined.
func threshold(support []float64, answerable []bool) float64 {
	var unanswerable []float64
	for i, s := range support {
		if !answerable[i] {
			unanswerable = append(unanswerable, s)
		}
	}
	slices.Sort(unanswerable)
	return unanswerable[int(declinedShare*float64(len(unanswerable)))]
}

// heldOut reports the answers of cross-validation.
func heldOut(examples []answer.Example, answers []answer.Answer) testsquad.Report {
	var sums testsquad.Tally
	for i, e := range examples {
		gold := ""
		for _, p := range e.Passages {
			if p.Number == e.Gold {
				gold = p.Path
			}
		}
		sums.Add(&testsquad.Case{Answers: e.Answers, Answerable: e.Gold > 0, Gold: gold}, answers[i], e.Passages)
	}
	return sums.Report()
}

// textsOfFolder bounds what one folder says about the rarity of terms.
const textsOfFolder = 3000

// generalTexts reads the texts of all training folders whose licence allows
// weights to be made from them.
func generalTexts(t *testing.T) []string {
	var texts []string
	for _, name := range []string{"squad2/corpus", "medquad/pairs", "nq-qed/pairs", "pubmedqa/pairs", "covidqa/pairs", "tldr/pairs", "docs/pairs"} {
		raw, err := os.ReadFile(testsquad.Path("train", name+".jsonl"))
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(strings.TrimSpace(string(raw)), "\n")
		step := max(1, len(lines)/textsOfFolder)
		for i := 0; i < len(lines); i += step {
			var row struct{ Text string }
			if err := json.Unmarshal([]byte(lines[i]), &row); err != nil {
				t.Fatal(err)
			}
			texts = append(texts, row.Text)
		}
	}
	return texts
}
