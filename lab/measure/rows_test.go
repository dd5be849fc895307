package measure_test

import (
	"path/filepath"
	"testing"

	"dowse/internal/config"
)

// TestRowsAreToldApart looks up single cells of rows, contacts, events and records that
// are alike, in six formats. A right answer begins with the row that is asked about, and
// has the cell behind the name of its column.
func TestRowsAreToldApart(t *testing.T) {
	if testing.Short() {
		t.Skip("reads 22 questions with five passages each")
	}
	opts := fastAnswers()
	opts.Answerers, opts.Show = []string{config.Extract}, true
	r, err := newApp(t).Answers(t.Context(), filepath.Join("testdata", "rows"), opts, ignore)
	if err != nil {
		t.Fatal(err)
	}
	all := r.Answerers[0].All
	t.Logf("of 16 look-ups %d are right and sure, %d right and perhaps; of 6 without an answer %d are answered", all.Right, all.PerhapsRight, all.Invented)
	if all.Answerable != 16 || all.Right < 10 || all.Right+all.PerhapsRight != 16 || all.Unanswerable != 6 || all.Invented > 0 {
		t.Errorf("counted %+v", all)
		for _, a := range r.Answerers[0].Answers {
			t.Logf("%s: %s: %s", a.Verdict, a.Question, a.Said)
		}
	}
}
