package measure_test

import (
	"path/filepath"
	"testing"

	"dowse/internal/eval"
	"dowse/internal/testenv"
	"dowse/lab/measure"
)

// A folder of several languages is measured within each, from and to English, and with all
// texts together, where a translation is as good as the text itself.
func TestEvaluateParallel(t *testing.T) {
	a := newApp(t)
	dir := filepath.Join(testenv.Folder(t, map[string]string{
		"birds/birds.de.json": `{"data":[{"paragraphs":[{"context":"Der Graureiher steht im Schilf.","qas":[{"id":"1","question":"Wo steht der Graureiher?"}]},
			{"context":"Die Kohlmeise brütet im Nistkasten.","qas":[{"id":"2","question":"Wo brütet die Kohlmeise?"}]}]}]}`,
		"birds/birds.en.json": `{"data":[{"paragraphs":[{"context":"The heron stands in the reeds.","qas":[{"id":"1","question":"Where does the heron stand?"}]},
			{"context":"The great tit breeds in a nest box.","qas":[{"id":"2","question":"Where does the great tit breed?"}]}]}]}`,
	}), "birds")
	reports, err := a.Evaluate(t.Context(), dir, measure.EvalOptions{Stages: []string{"lexical", "hybrid"}}, func(string, int, int) {})
	if err != nil {
		t.Fatal(err)
	}
	asked := map[string]*eval.Report{}
	for _, r := range reports {
		asked[r.Asked+" of "+r.Of] = r
	}
	if len(reports) != 6 || len(asked) != 6 {
		t.Fatalf("%d reports: %v", len(reports), asked)
	}
	for name, documents := range map[string]int{"de of de": 2, "en of en": 2, "en of de": 2, "de of en": 2, "de of all": 4, "en of all": 4} {
		if r := asked[name]; r == nil || r.Documents != documents || r.Queries != 2 || r.Set != "birds" {
			t.Errorf("%s: %+v", name, r)
		}
	}
	if t.Failed() {
		return
	}
	for _, name := range []string{"de of de", "en of en"} {
		if s := asked[name].Stages["lexical"]; s.NDCG10 != 1 {
			t.Errorf("%s: %+v", name, s.Scores)
		}
	}
	// Words find the text in the language of the question, which is one of two that are right.
	if s := asked["de of all"].Stages["lexical"]; s.MRR10 != 1 || s.Recall10 != .5 {
		t.Errorf("German questions of all texts: %+v", s.Scores)
	}
	if s := asked["de of en"].Stages["lexical"]; s.NDCG10 != 0 {
		t.Errorf("German words in English texts: %+v", s.Scores)
	}
}
