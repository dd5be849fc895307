package search

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"dowse/engine"
)

// teller says what it is told to say, after it has said the drafts.
type teller struct {
	says   engine.Answer
	drafts []string
	err    error
	cancel func()
	job    engine.AnswerJob
	calls  int
}

func (f *teller) Answer(ctx context.Context, job engine.AnswerJob) (*engine.Answer, error) {
	f.job, f.calls = job, f.calls+1
	for _, draft := range f.drafts {
		job.Observe(engine.Answer{Text: draft, Citations: []engine.AnswerCitation{{N: 1}, {N: 99}}})
	}
	if f.cancel != nil {
		f.cancel()
		return nil, fmt.Errorf("stopped in the middle: %w", ctx.Err())
	}
	if f.err != nil {
		return nil, f.err
	}
	a := f.says
	return &a, nil
}

// asked searches birds with an answer wanted and returns the events too.
func asked(t *testing.T, f engine.Answerer, query string) (*engine.Result, []engine.Event) {
	t.Helper()
	w := birds(t)
	w.opts.Answerer = f
	var events []engine.Event
	r, err := w.Search(t.Context(), engine.Request{Query: query, Answer: true}, func(e engine.Event) { events = append(events, e) })
	if err != nil {
		t.Fatal(err)
	}
	return r, events
}

func TestAnswerCitesThePassagesOfItsResult(t *testing.T) {
	f := &teller{
		says:   engine.Answer{Text: "A grey heron is patient. [1] [7]", How: "m", Citations: []engine.AnswerCitation{{N: 1, LineStart: 3}, {N: 7}, {N: 0}, {N: -1}}},
		drafts: []string{"A grey", "A grey heron is"},
	}
	r, events := asked(t, f, `"grey heron" ext:md -dolphin patience after:2020`)
	if f.job.Question != "Grey heron patience?" {
		t.Errorf("asked %q", f.job.Question)
	}
	if !slices.EqualFunc(f.job.Passages, r.Passages, func(a, b engine.Passage) bool { return a.Rank == b.Rank && a.ChunkID == b.ChunkID }) {
		t.Errorf("answered from %+v, shown %+v", f.job.Passages, r.Passages)
	}
	if a := r.Answer; a == nil || a.Text != f.says.Text || a.How != "m" || a.Millis < 0 ||
		len(a.Citations) != 1 || a.Citations[0].Path != r.Passages[0].Path || a.Citations[0].LineStart != 3 {
		t.Errorf("answer %+v", r.Answer)
	}
	var order []string
	for _, e := range events {
		switch {
		case e.Stage != nil:
			order = append(order, e.Stage.Name)
		case e.Found != nil:
			order = append(order, fmt.Sprintf("found %d", len(e.Found)))
		case e.Answer != nil:
			order = append(order, fmt.Sprintf("%s %d", e.Answer.Text, len(e.Answer.Citations)))
		}
	}
	if got := strings.Join(order, ", "); !strings.HasSuffix(got, "read, found 1, A grey 1, A grey heron is 1, answer") {
		t.Errorf("events: %s", got)
	}
	if last := r.Stats.Stages[len(r.Stats.Stages)-1]; last.Name != "answer" || last.In != 1 || last.Out != 1 || last.Bytes != int64(len(f.says.Text)) {
		t.Errorf("last stage %+v", last)
	}
}

func TestAnswersAreMadeFromTheFirstPassages(t *testing.T) {
	f := &teller{}
	w, _ := grown(t, 70)
	w.opts.Answerer = f
	r := w.search(engine.Request{Query: "word7 word9", K: 20, Answer: true})
	if len(r.Passages) != 20 || len(f.job.Passages) != engine.AnswerPassages {
		t.Errorf("%d passages shown, %d answered from", len(r.Passages), len(f.job.Passages))
	}
	if w.search(engine.Request{Query: "word7 word9", K: 2, Answer: true}); len(f.job.Passages) != 2 {
		t.Errorf("%d passages answered from, 2 shown", len(f.job.Passages))
	}
	if r := w.search(engine.Request{Query: "word7"}); r.Answer != nil || f.calls != 2 {
		t.Errorf("unasked: %+v, %d calls", r.Answer, f.calls)
	}
}

func TestAnswerDeclinesOrSaysWhyNot(t *testing.T) {
	f := &teller{err: errors.New("the pack vanished")}
	for _, tt := range []struct {
		query    string
		answerer engine.Answerer
		declined bool
		problem  string
		calls    int
	}{
		{"heron ext:pdf", f, true, "", 0},
		{"ext:md", f, false, "no question", 0},
		{"heron", nil, false, "nothing here", 0},
		{"heron", f, false, "the pack vanished", 1},
	} {
		f.calls = 0
		r, events := asked(t, tt.answerer, tt.query)
		a := r.Answer
		if a == nil || a.Declined != tt.declined || a.Citations == nil || f.calls != tt.calls ||
			(tt.problem == "") != (a.Problem == "") || !strings.Contains(a.Problem, tt.problem) {
			t.Errorf("%s: %+v, %d calls", tt.query, a, f.calls)
			continue
		}
		told := slices.ContainsFunc(events, func(e engine.Event) bool { return e.Problem == a.Problem && e.Problem != "" })
		if told != (tt.problem != "") {
			t.Errorf("%s: the problem was told: %v", tt.query, told)
		}
		if tt.query == "heron" && len(r.Passages) == 0 {
			t.Error("the results went with the answer")
		}
	}
}

func TestCancelledAnswerEndsTheSearch(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	w := birds(t)
	w.opts.Answerer = &teller{cancel: cancel}
	if r, err := w.Search(ctx, engine.Request{Query: "heron", Answer: true}, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("%+v, %v", r, err)
	}
}

// TestUnsoundAnswers lets a model point outside of its own text.
func TestUnsoundAnswers(t *testing.T) {
	wild := []engine.Range{{Start: -1, End: 2}, {Start: 0, End: 900}, {Start: 3, End: 3}, {Start: 4, End: 1}, {Start: 0, End: 5}}
	says := engine.Answer{Text: "heron", Highlights: wild}
	for _, r := range wild {
		s := engine.AnswerSentence{Range: r, Citations: []int{1, 40}}
		for _, u := range wild {
			s.Unsupported = append(s.Unsupported, engine.Unsupported{Range: u})
		}
		says.Sentences = append(says.Sentences, s)
	}
	r, _ := asked(t, &teller{says: says}, "heron")
	a := r.Answer
	if len(a.Highlights) != 1 || len(a.Sentences) != 1 || len(a.Sentences[0].Citations) != 1 || len(a.Sentences[0].Unsupported) != 1 {
		t.Errorf("%+v", a)
	}
	if len(says.Sentences[4].Unsupported) != 5 {
		t.Error("the model's own answer was changed")
	}
}

// TestQuestionsAreAskedAlike however they were typed.
func TestQuestionsAreAskedAlike(t *testing.T) {
	for typed, want := range map[string]string{
		"what caused it": "What caused it?", "What caused it?": "What caused it?", "what caused it ?!": "What caused it?",
		"écluse nord": "Écluse nord?", "dns": "Dns?", "?": "", "": "",
	} {
		if got := asQuestion(typed); got != want {
			t.Errorf("%q becomes %q, want %q", typed, got, want)
		}
	}
}
