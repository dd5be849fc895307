package search

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"dowse/engine"
	"dowse/engine/lexical"
	"dowse/engine/memory"
)

// followUpTurns is a conversation about a boiler, as the log keeps it.
func followUpTurns() []engine.Turn {
	return []engine.Turn{
		{Question: "what does the roof cost?", Passages: []engine.TurnPassage{{Path: "/roof.md"}}},
		{Question: "ext:md"},
		{
			Question: `why did the boiler cut out -summer path:home`, Passages: []engine.TurnPassage{{Path: "/other.md"}},
			Answer: &engine.Answer{Citations: []engine.AnswerCitation{{Path: "/boiler.md"}, {Path: "/boiler.md"}, {Path: "/pipe.md"}}},
		},
		{Question: "who came out?", Passages: []engine.TurnPassage{{Path: "/boiler.md"}, {Path: "/josh.md"}}, Answer: &engine.Answer{Declined: true}},
	}
}

// formulated is the formulation of a query line after turns.
func formulated(t *testing.T, line string, turns []engine.Turn) *formulation {
	t.Helper()
	q, err := engine.Parse(line, testNow)
	if err != nil {
		t.Fatal(err)
	}
	q.Unmark()
	analyzer := lexical.NewAnalyzer()
	f := (&Engine{opts: Options{Analyzer: analyzer}}).formulate(q, turns)
	f.analyse(analyzer, lexical.OnlyEnglish)
	return f
}

// weighed writes the terms of a query with their weights.
func weighed(q lexical.Query) string {
	var out []string
	for _, t := range q {
		out = append(out, fmt.Sprintf("%s %.2f", t.Term, t.Weight))
	}
	return strings.Join(out, ", ")
}

// TestFollowUpIsMadeOf is the golden of the composition: what each stage is asked.
func TestFollowUpIsMadeOf(t *testing.T) {
	for _, c := range []struct {
		query    string
		specific []float64 // of the query, and of the questions before it
		words    string
		reranked string
		read     string
		weights  string
	}{
		{
			"and what got it going again?", []float64{0.3, 0.2, 2.5},
			"what 1.00, got 1.00, go 1.00, again 1.00, who 1.00, came 1.00, out 1.92, whi 0.93, did 0.93, boiler 0.93, cut 0.93, doe 0.00, roof 0.00, cost 0.00",
			"why did the boiler cut out who came out and what got it going again", "and what got it going again why did the boiler cut out who came out", "1.00 0.93 0.00",
		},
		{
			"boiler receipt from Hallam in March", []float64{3.5, 0.2, 2.5},
			"boiler 1.00, receipt 1.00, from 1.00, hallam 1.00, march 1.00, who 0.00, came 0.00, out 0.01, whi 0.00, did 0.00, cut 0.00, what 0.00, doe 0.00, roof 0.00, cost 0.00",
			"boiler receipt from Hallam in March", "boiler receipt from Hallam in March", "0.00 0.00 0.00",
		},
		{"path:home", []float64{0, 0, 0}, "", "", "", ""},
	} {
		f := formulated(t, c.query, followUpTurns())
		f.weigh(c.specific)
		var weights []string
		for _, e := range f.earlier {
			weights = append(weights, fmt.Sprintf("%.2f", e.weight))
		}
		own := lexical.NewAnalyzer().Query(f.Text())
		if got := weighed(f.words(own)); got != c.words {
			t.Errorf("%s: BM25 is asked\n%s\nwant\n%s", c.query, got, c.words)
		}
		if got := f.reranked(); got != c.reranked {
			t.Errorf("%s: reranked by %q, want %q", c.query, got, c.reranked)
		}
		if got := f.read(); got != c.read {
			t.Errorf("%s: read as %q, want %q", c.query, got, c.read)
		}
		if got := strings.Join(weights, " "); got != c.weights {
			t.Errorf("%s: weights %s, want %s", c.query, got, c.weights)
		}
	}
}

// TestTermsOfEarlierAnswers: of what answered a question in short the words count that may
// say what it is about, less than those of the question; of what declined none do.
func TestTermsOfEarlierAnswers(t *testing.T) {
	turns := []engine.Turn{
		{Question: "who came out?", Answer: &engine.Answer{Text: "Hallam's lad came.", Short: "it was Josh who came"}},
		{Question: "did he return?", Answer: &engine.Answer{Text: "No.", Short: "Marta", Declined: true}},
	}
	f := formulated(t, "when josh", turns[:1])
	f.weigh([]float64{0})
	if got, want := weighed(f.words(lexical.NewAnalyzer().Query(f.Text()))), "when 1.00, josh 1.00, who 0.95, came 0.95, out 0.95"; got != want {
		t.Errorf("BM25 is asked\n%s\nwant\n%s", got, want)
	}
	f = formulated(t, "and when", turns)
	f.weigh([]float64{0, 0})
	if got, want := weighed(f.words(lexical.NewAnalyzer().Query(f.Text()))), "when 1.00, did 1.00, he 1.00, return 1.00, who 0.99, came 0.99, out 0.99, josh 0.30"; got != want {
		t.Errorf("BM25 is asked\n%s\nwant\n%s", got, want)
	}
}

func TestFilesOfEarlierAnswers(t *testing.T) {
	f := formulated(t, "why", followUpTurns())
	var files []string
	for _, e := range f.earlier {
		files = append(files, strings.Join(e.files, " "))
	}
	if want := []string{"/boiler.md", "/boiler.md /pipe.md", "/roof.md"}; !slices.Equal(files, want) {
		t.Errorf("files %q, want %q", files, want)
	}
	f.weigh([]float64{0, 0.2, 2.5})
	if got, want := f.countedFiles(), []string{"/boiler.md", "/pipe.md"}; !slices.Equal(got, want) {
		t.Errorf("answered from %q rather, want %q: a question that stood alone began a subject", got, want)
	}
}

// TestOutsideOfAConversation: nothing is copied, nothing is added.
func TestOutsideOfAConversation(t *testing.T) {
	f := formulated(t, "grey heron", nil)
	own, vector := lexical.NewAnalyzer().Query(f.Text()), wordVector("grey heron")
	f.weigh(nil)
	if got := f.words(own); &got[0] != &own[0] || len(got) != len(own) {
		t.Errorf("words %v", got)
	}
	if got := f.mixed(vector); &got[0] != &vector[0] {
		t.Error("the vector is another one")
	}
	if f.read() != "grey heron" {
		t.Errorf("read as %q", f.read())
	}
}

func TestVectorsAreMixedAtTheLengthOfTheQuery(t *testing.T) {
	f := &formulation{Query: engine.Literal("a"), earlier: []earlierQuestion{{vector: []float32{0, 2}, weight: 1}, {vector: []float32{5, 5}}}}
	own := []float32{2, 0}
	got := f.mixed(own)
	// The sum of (2, 0) and half of (0, 2), made as long as (2, 0).
	if want := 2 / math.Sqrt(5); math.Abs(float64(got[0])-2*want) > 1e-6 || math.Abs(float64(got[1])-want) > 1e-6 || own[1] != 0 {
		t.Errorf("mixed %v of %v", got, own)
	}
	f.earlier[0].vector = []float32{-4, 0}
	if got := f.mixed(own); !slices.Equal(got, own) {
		t.Errorf("vectors that cancel each other out are mixed to %v", got)
	}
}

func TestStandsAlone(t *testing.T) {
	last := 1.0
	for _, question := range []string{"boiler receipt hallam", "its receipt from hallam", "and receipt from hallam", "and its receipt"} {
		p := standsAlone(question, 2.5)
		if p <= 0 || p >= last {
			t.Errorf("%s: %.3f, want less than %.3f", question, p, last)
		}
		last = p
	}
	terms := []lexical.TermStats{{DF: 1, IDF: 6}, {DF: 0, IDF: 7}, {DF: 30, IDF: 3}}
	if got := specificity(terms, 6); got != 1.5 {
		t.Errorf("specificity %v, want one rare word and a half", got)
	}
	if got := specificity(terms, 0); got != 0 {
		t.Errorf("specificity %v of an empty index", got)
	}
}

// boilers is a world in which a follow-up has the words of the wrong note.
func boilers(t *testing.T) (*world, *teller) {
	t.Helper()
	w, f, _ := talking(t)
	w.index(
		file{root + "/boiler.md", "The boiler cut out because the condensate pipe froze.\n\nA kettle on the pipe, and away went the frost. Josh came.\n", on(1, 1)},
		file{root + "/choir.md", "The choir came out again.\n\nWho came, and what got it going, I forget.\n", on(1, 2)},
		file{root + "/zebra.md", "Zebra crossing repainted Thursday.\n", on(1, 3)},
	)
	return w, f
}

func TestAFollowUpFindsTheFileOfTheAnswer(t *testing.T) {
	w, f := boilers(t)
	r, _ := w.ask(engine.Request{Query: "who came out", Answer: true, K: 1})
	if names(r) != "choir.md" || f.job.Question != "Who came out?" {
		t.Fatalf("alone: %s, asked %q", names(r), f.job.Question)
	}
	f.says = engine.Answer{Text: "The pipe froze. [1]", Citations: []engine.AnswerCitation{{N: 1}}}
	w.ask(engine.Request{Query: "why did the boiler cut out", Context: "home", Answer: true})
	r, _ = w.ask(engine.Request{Query: "who came out", Context: "home", Answer: true, K: 1})
	if names(r) != "boiler.md" || f.job.Question != "Who came out?" || f.job.InFull() != "Who came out why did the boiler cut out?" || r.Context.Standalone != "who came out why did the boiler cut out" {
		t.Errorf("after the boiler: %s, asked %q, %+v", names(r), f.job.Question, r.Context)
	}
	if want := []string{root + "/boiler.md"}; !slices.Equal(f.job.Files, want) {
		t.Errorf("answered from %q rather, want %q", f.job.Files, want)
	}
	for _, mode := range []engine.Mode{engine.Hybrid, engine.RRF, engine.Lexical, engine.Vector} {
		if r, _ := w.ask(engine.Request{Query: "who came out", Context: "home", K: 1, Mode: mode}); len(r.Passages) != 1 {
			t.Errorf("%s: %d passages", mode, len(r.Passages))
		}
	}
}

func TestANewSubjectIsNotPulled(t *testing.T) {
	w, f := boilers(t)
	w.ask(engine.Request{Query: "why did the boiler cut out", Context: "home", Answer: true})
	r, _ := w.ask(engine.Request{Query: "zebra crossing repainted Thursday", Context: "home", Answer: true, K: 1})
	if names(r) != "zebra.md" || len(f.job.Files) > 0 || f.job.InFull() != "Zebra crossing repainted Thursday?" || r.Context.Standalone != "" {
		t.Errorf("%s, asked %q, %+v", names(r), f.job.Question, r.Context)
	}
}

// TestFilesOfEarlierAnswersObeyFilters: a filter of the query holds for them, and a file
// that is gone is none.
func TestFilesOfEarlierAnswersObeyFilters(t *testing.T) {
	w, _ := boilers(t)
	w.ask(engine.Request{Query: "why did the boiler cut out", Context: "home", Answer: true})
	if r, _ := w.ask(engine.Request{Query: "who came -path:boiler", Context: "home"}); strings.Contains(names(r), "boiler") {
		t.Errorf("found %s", names(r))
	}
	w.unindex(root + "/boiler.md")
	if r, _ := w.ask(engine.Request{Query: "who came out", Context: "home"}); len(r.Passages) == 0 || strings.Contains(names(r), "boiler") {
		t.Errorf("found %s", names(r))
	}
}

// TestQuestionsAreEmbeddedOnce counts what goes into the embedder: an earlier question
// once, whatever is typed after it, and again only by another embedder.
func TestQuestionsAreEmbeddedOnce(t *testing.T) {
	w, _ := boilers(t)
	times := map[string]int{}
	w.embedder.instead = func(ctx context.Context, text string) ([]float32, int, error) {
		times[text]++
		return wordVector(text), len(strings.Fields(text)), ctx.Err()
	}
	w.ask(engine.Request{Query: "why did the boiler cut out", Context: "home", Answer: true})
	w.ask(engine.Request{Query: "who came out", Context: "home", Answer: true})
	for _, typed := range []string{"a", "an", "and", "and when", "and when did"} {
		w.ask(engine.Request{Query: typed, Context: "home", Estimate: true})
	}
	next := engine.Request{Query: "and when did he leave", Context: "home"}
	last, _ := w.ask(next)
	for text, n := range times {
		if n != 1 {
			t.Errorf("%q was embedded %d times", text, n)
		}
	}
	if last.Stats.Embedded != len(strings.Fields("and when did he leave")) {
		t.Errorf("%d tokens went in", last.Stats.Embedded)
	}
	again, err := New(w.opts).Search(t.Context(), next, nil) // as another process, which embeds all of them itself
	if err != nil || times["why did the boiler cut out"] != 2 || len(again.Passages) != len(last.Passages) {
		t.Fatalf("%v; embedded %v", err, times)
	}
	for i, p := range again.Passages {
		if p.Path != last.Passages[i].Path || p.Score != last.Passages[i].Score {
			t.Errorf("passage %d is %s, %v with vectors that were kept, and %s, %v", i+1, last.Passages[i].Path, last.Passages[i].Score, p.Path, p.Score)
		}
	}
}

func TestQuestionsThatAreKept(t *testing.T) {
	ledger := &memory.Ledger{}
	k := questions{ledger: ledger}
	var e embedder
	for i := range 2 * keptQuestions {
		if _, n, err := k.vector(t.Context(), &e, fmt.Sprintf("question %d", i)); n != 2 || err != nil {
			t.Fatalf("%d tokens, %v", n, err)
		}
		if _, n, err := k.vector(t.Context(), &e, "question 0"); n != 0 || err != nil {
			t.Fatalf("after question %d the first one was embedded again: %d tokens, %v", i, n, err)
		}
	}
	want := int64(0)
	for _, q := range k.kept {
		want += q.bytes()
	}
	if held := ledger.Total(); len(k.kept) != keptQuestions || held != want {
		t.Errorf("%d are kept, of %d bytes, and %d are charged", len(k.kept), want, held)
	}
	bad := embedder{instead: func(context.Context, string) ([]float32, int, error) { return nil, 0, context.Canceled }}
	if _, _, err := k.vector(t.Context(), &bad, "new"); err == nil || k.find("new") != nil {
		t.Errorf("a question that was not embedded is kept: %v", err)
	}
}
