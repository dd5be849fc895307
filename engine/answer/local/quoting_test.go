package local

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"dowse/engine"
	"dowse/engine/answer"
	"dowse/engine/generate"
	"dowse/engine/lexical"
	"dowse/internal/testanswer"
)

// newQuotingAnswerer lets the small model of generator_test.go, which writes without
// sense, write from what the reader marks.
func newQuotingAnswerer(t *testing.T, a *fixture) *Answerer {
	t.Helper()
	m, _ := newModelAnswerer(t, a)
	m.extract = newReadingAnswerer(t, a)
	return m
}

// TestQuotationStands where the model writes something else: it is told before the
// first word, and beside each.
func TestQuotationStands(t *testing.T) {
	a := newQuotingAnswerer(t, install(t, testanswer.WriterFiles(t)))
	alone, err := a.extract.Answer(t.Context(), oilJob(whenOil))
	if err != nil || alone.Text == "" || alone.Declined {
		t.Fatalf("%+v, %v", alone, err)
	}
	var grown []engine.Answer
	job := oilJob(whenOil)
	job.Observe = func(a engine.Answer) { grown = append(grown, a) }
	said, err := a.Answer(t.Context(), job)
	if err != nil || !strings.HasSuffix(said.Problem, "writer wrote nothing that they say") || said.How != engine.Extracted || said.Text != alone.Text || said.Quotation != nil {
		t.Fatalf("%+v, %v", said, err)
	}
	if len(grown) < 2 || grown[0].Text != "" || grown[0].How != writer {
		t.Fatalf("grew by %+v", grown)
	}
	for _, g := range grown {
		if g.Quotation == nil || g.Quotation.Text != alone.Text || g.Quotation.Confidence != alone.Confidence {
			t.Errorf("quoted %+v beside %q", g.Quotation, g.Text)
		}
	}
	if g := said.Generation; g == nil || g.PromptTokens < 50 {
		t.Errorf("counted %+v", g)
	}
}

// TestWrittenRestsOnTheQuotation: it is as sure, and leads to the places that were
// quoted.
func TestWrittenRestsOnTheQuotation(t *testing.T) {
	places := []answer.Citation{{N: 2, LineStart: 3}, {N: 5, LineStart: 9}, {N: 2, LineStart: 7}}
	w := &writing{quoted: &answer.Answer{Text: "q", Confidence: answer.Perhaps, Short: &answer.Citation{N: 2, Text: "x"}, Citations: places}}
	said := answer.Answer{Text: "In 1973. [2]", Confidence: answer.Sure, Citations: []answer.Citation{{N: 2, LineStart: 1}}}
	done := w.rested(said, writer, &generate.Result{})
	if done.Text != "In 1973. [2]" || done.How != writer || done.Confidence != engine.Perhaps || done.Short != "x" || done.Quotation == nil || done.Quotation.Text != "q" ||
		!slices.Equal(done.Citations, []engine.AnswerCitation{{N: 2, LineStart: 3}, {N: 2, LineStart: 7}}) {
		t.Errorf("%+v", done)
	}
	for _, c := range []answer.Confidence{answer.Perhaps, answer.None} {
		if done := w.rested(answer.Answer{Text: "In 1972. [2]", Confidence: c}, writer, &generate.Result{}); done.Text != "q" || done.How != engine.Extracted || done.Quotation != nil {
			t.Errorf("of what is %s: %+v", c, done)
		}
	}
	if done := w.rested(answer.Declined(), writer, &generate.Result{}); done.Text != "q" || done.Confidence != engine.Perhaps || done.Declined {
		t.Errorf("declined in words, untrained: %+v", done)
	}
	if done := w.rested(answer.Declined(), writer, &generate.Result{Finish: generate.Refused}); done.Text == "q" || !done.Declined {
		t.Errorf("refused as it was trained to: %+v", done)
	}
}

// TestReadingIsJudged: a model that reads the passages itself is asked where the reader
// is unsure, and its text stands only where the passages and the quotation speak for it.
func TestReadingIsJudged(t *testing.T) {
	passages := answer.ByRank(grepPassages())
	checker := answer.NewChecker("who wrote grep?", passages, lexical.NewAnalyzer())
	judge := &answer.Judge{Bias: -1, Agreement: 4, Support: 1, SureFrom: 0.8, PerhapsFrom: 0.4, WrittenFrom: 0.5}
	for _, c := range []struct {
		text, how string
		support   float64
		want      engine.Confidence
	}{
		{"It was Ken Thompson, overnight.", writer, 0.3, engine.Sure},
		{"It was Ken Thompson, in 1974.", engine.Extracted, 0.3, engine.Perhaps},
		{"La bibliothèque fut écrite par un chat.", engine.Extracted, 0.3, engine.None},
		{"A heron stood in the reeds.", engine.Extracted, 0.7, engine.Perhaps},
		{"The passages do not mention who wrote grep.", engine.Extracted, 0.7, engine.Perhaps},
	} {
		quoted := &answer.Answer{Text: "Ken Thompson wrote grep overnight. [1]", Support: c.support, Confidence: answer.None}
		if c.support > 0.5 {
			quoted.Confidence = answer.Perhaps
		}
		w := &writing{quoted: quoted, passages: passages, judge: judge}
		if w.cannotAnswer() {
			t.Errorf("%q: the model is not asked", c.text)
		}
		result := &generate.Result{Text: checker.Align(c.text, true), Finish: generate.StopToken}
		said := w.done(conclude(checker, result), checker, writer, result)
		if said.How != c.how || said.Confidence != c.want || (said.How == writer) != (said.Quotation != nil && !said.Declined) {
			t.Errorf("%q: %+v, want %s by %s", c.text, said, c.want, c.how)
		}
		if said.How == writer && (len(said.Citations) != 1 || said.Citations[0].N != 1) {
			t.Errorf("%q cites %+v", c.text, said.Citations)
		}
		if stray := strings.HasPrefix(c.text, "La "); stray != strings.Contains(said.Problem, "wrote nothing that they say") {
			t.Errorf("%q: said %q", c.text, said.Problem)
		}
	}
	if none := (&writing{quoted: &answer.Answer{Confidence: answer.None}, judge: judge}); !none.cannotAnswer() {
		t.Error("a model is asked to read nothing")
	}
}

// TestVerifierDecides: a model that was trained to judge a quotation makes it sure, or
// nothing, whatever the reader said.
func TestVerifierDecides(t *testing.T) {
	v := &answer.Verifier{Support: 0.5, Assent: 1, SureFrom: 0.8, PerhapsFrom: 0.5}
	trained := &generate.Refusal{Token: 7, From: 0.3}
	said := answer.Answer{Text: "In 1973. [2]", Confidence: answer.Sure}
	for _, c := range []struct {
		support, declining float64
		want               engine.Confidence
	}{{0.4, 0.01, engine.Sure}, {0.4, 0.2, engine.Perhaps}, {0.7, 0.9, engine.None}} {
		w := &writing{quoted: &answer.Answer{Text: "q", Support: c.support, Confidence: answer.None}, passages: []answer.Passage{{Number: 2}}, verifier: v}
		if w.cannotAnswer() {
			t.Errorf("%.2f is hopeless", c.support)
		}
		refusal := w.refusal(trained)
		if refuses := c.declining >= refusal.From; refusal.Token != 7 || refuses != (c.want == engine.None) {
			t.Errorf("%.2f, %.2f: %+v", c.support, c.declining, refusal)
		}
		result, text := &generate.Result{Refusal: c.declining}, said
		if c.want == engine.None {
			result.Finish, text = generate.Refused, answer.Declined()
		}
		if done := w.rested(text, writer, result); done.Confidence != c.want || done.Declined != (c.want == engine.None) {
			t.Errorf("%.2f, %.2f: %+v; want %s", c.support, c.declining, done, c.want)
		}
	}
	if w := (&writing{quoted: &answer.Answer{Support: 1e-6}, passages: []answer.Passage{{Number: 2}}, verifier: v}); !w.cannotAnswer() {
		t.Error("no support is not hopeless")
	}
	whole := &writing{}
	if whole.cannotAnswer() || whole.refusal(trained) != trained || whole.refusal(nil) != nil {
		t.Error("of whole passages a model does not decline as it was trained to")
	}
	if other := (&writing{quoted: &answer.Answer{}}).refusal(trained); other != trained {
		t.Errorf("a model that was not trained to judge a quotation declines otherwise than it was: %+v", other)
	}
}

// TestNothingIsWrittenOfNothing: where the reader finds no evidence, a trained model is
// not asked, nor opened.
func TestNothingIsWrittenOfNothing(t *testing.T) {
	app := installTrained(t, purposeOf(0.5))
	a, ledger := newModelAnswerer(t, app)
	a.extract = newReadingAnswerer(t, app)
	job := oilJob("Who painted the ceiling of the chapel?")
	job.Observe = func(a engine.Answer) { t.Errorf("told of %+v", a) }
	said, err := a.Answer(t.Context(), job)
	if err != nil || !said.Declined || said.How != engine.Extracted || ledger.Total() != 0 {
		t.Errorf("%+v, %v; %d bytes are held", said, err, ledger.Total())
	}
}

// TestQuotationStandsWithoutTheModel, which says why.
func TestQuotationStandsWithoutTheModel(t *testing.T) {
	app := install(t, testanswer.WriterFiles(t))
	a := newQuotingAnswerer(t, app)
	m, err := app.find(writer)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(m.Path, 5000); err != nil {
		t.Fatal(err)
	}
	var told []engine.Answer
	job := oilJob(whenOil)
	job.Observe = func(a engine.Answer) { told = append(told, a) }
	said, err := a.Answer(t.Context(), job)
	if err != nil || said.How != engine.Extracted || said.Declined || !strings.Contains(said.Problem, "without the model") || !strings.Contains(said.Problem, "cut short") {
		t.Fatalf("%+v, %v", said, err)
	}
	if len(told) != 1 || told[0].Quotation.Problem != "" || told[0].Quotation.Text != said.Text {
		t.Errorf("told %+v", told)
	}
}

// TestVerifierReadsTheQuotation: by default the model that was trained for it only says
// how sure the quotation is, which is shown meanwhile.
func TestVerifierReadsTheQuotation(t *testing.T) {
	for bias, want := range map[float64]engine.Confidence{40: engine.Sure, 0: engine.Perhaps, -12: engine.None} {
		purpose := fmt.Sprintf(`{"role": "answerer", "prompt": "passages", "decline_from": 0.5, "confidence": {"bias": %g, "assent": 1, "sure_from": 0.99999999, "perhaps_from": 0.1}}`, bias)
		app := installTrained(t, purpose)
		a := newQuotingAnswerer(t, app)
		a.verifies = true
		alone, err := a.extract.Answer(t.Context(), oilJob(whenOil))
		if err != nil || alone.Declined {
			t.Fatalf("%+v, %v", alone, err)
		}
		var told []engine.Answer
		job := oilJob(whenOil)
		job.Observe = func(a engine.Answer) { told = append(told, a) }
		said, err := a.Answer(t.Context(), job)
		if err != nil || said.How != engine.Extracted || said.Problem != "" || said.Generation != nil {
			t.Fatalf("%+v, %v", said, err)
		}
		if near := said.Nearest(); near != (want == engine.None) || near && (said.Quotation.Text != alone.Text || len(said.Citations) != len(alone.Citations)) {
			t.Errorf("bias %g: %+v above the nearest %+v", bias, said, said.Quotation)
		}
		if said.Confidence != want || said.Declined != (want == engine.None) || !said.Declined && said.Text != alone.Text {
			t.Errorf("bias %g: %+v, want %s", bias, said, want)
		}
		if hopeless := want == engine.None; len(told) == 0 && hopeless { // nothing is shown that nothing can save
			continue
		}
		if len(told) != 1 || told[0].Text != alone.Text || told[0].How != engine.Extracted {
			t.Errorf("bias %g: told %+v", bias, told)
		}
	}
}

// TestQuestionsAreVerifiedAlike, whatever capitals they were typed with.
func TestQuestionsAreVerifiedAlike(t *testing.T) {
	for typed, want := range map[string]string{
		"What did I use at Écluse Nord?": "What did i use at écluse nord?", "Écluse NORD?": "Écluse nord?", "What?": "What?", "": "",
	} {
		if got := inSmallLetters(typed); got != want {
			t.Errorf("%q is verified as %q, want %q", typed, got, want)
		}
	}
}

// TestVerifierReadsAFollowUpAlone: the reader has the questions that it follows, the model
// that verifies has learned none such.
func TestVerifierReadsAFollowUpAlone(t *testing.T) {
	a := newQuotingAnswerer(t, installTrained(t, `{"role": "answerer", "prompt": "passages", "decline_from": 0.5, "confidence": {"assent": 1, "sure_from": 0.9, "perhaps_from": 0.1}}`))
	job := oilJob(whenOil)
	job.Follows = []string{"who raised the price"}
	w, err := a.writing(t.Context(), job)
	if err != nil || w.quoted == nil || w.question != job.InFull() {
		t.Fatalf("%+v, %v", w, err)
	}
	if _, err := a.verify(t.Context(), w); err != nil || w.question != inSmallLetters(job.Question) {
		t.Errorf("verified %q, %v; want %q", w.question, err, inSmallLetters(job.Question))
	}
}
