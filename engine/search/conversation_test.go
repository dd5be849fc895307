package search

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dowse/engine"
	"dowse/engine/conversation"
)

// forgetful notes whose keys and values were forgotten, and whose are to be loaded.
type forgetful struct {
	folder        string // of the conversations
	gone, focused []string
}

func (*forgetful) Use(string) engine.KeysUse { return engine.KeysUse{} }
func (*forgetful) Total() engine.KeysUse     { return engine.KeysUse{} }

func (f *forgetful) Focus(id string) { f.focused = append(f.focused, id) }

func (f *forgetful) Forget(_ context.Context, id string) (int64, error) {
	f.gone = append(f.gone, id)
	return 0, nil
}

// talking returns birds with a teller and conversations.
func talking(t *testing.T) (*world, *teller, *forgetful) {
	t.Helper()
	w, f, keys := birds(t), &teller{says: engine.Answer{Text: "It waits. [1]"}}, &forgetful{folder: filepath.Join(t.TempDir(), "conversations")}
	w.opts.Answerer = f
	w.opts.Conversations = conversation.Open(keys.folder, keys)
	return w, f, keys
}

// ask asks in a conversation and returns what it heard of problems.
func (w *world) ask(req engine.Request) (*engine.Result, []string) {
	w.t.Helper()
	var problems []string
	r, err := w.Search(w.t.Context(), req, func(e engine.Event) {
		if e.Problem != "" {
			problems = append(problems, e.Problem)
		}
	})
	if err != nil {
		w.t.Fatal(err)
	}
	return r, problems
}

func TestAQuestionGoesOnWithItsConversation(t *testing.T) {
	w, f, _ := talking(t)
	r, _ := w.ask(engine.Request{Query: "grey heron patience", Context: " birds ", Answer: true})
	if *r.Context != (engine.ContextUse{Name: "birds", Turn: 1, Kept: true}) || f.job.Conversation == "" || len(f.job.Earlier) != 0 {
		t.Errorf("first turn: %+v, job %+v", r.Context, f.job)
	}
	id := f.job.Conversation
	r, _ = w.ask(engine.Request{Query: "grey heron", Context: "birds", Answer: true})
	if r.Context.Turn != 2 || f.job.Conversation != id || len(f.job.Earlier) != 1 {
		t.Fatalf("second turn: %+v, job %+v", r.Context, f.job)
	}
	before := f.job.Earlier[0]
	if before.Question != "grey heron patience" || before.Answer.Text != "It waits. [1]" || len(before.Passages) == 0 || before.Passages[0].N != 1 || before.When.IsZero() {
		t.Errorf("the turn before: %+v", before)
	}
	c, err := w.opts.Conversations.(*conversation.Folder).Conversation(t.Context(), "birds")
	if err != nil || c.ID != id || c.Count != 2 {
		t.Errorf("kept %+v, %v", c, err)
	}
}

func TestWhatIsTypedIsNotKept(t *testing.T) {
	w, f, keys := talking(t)
	for _, req := range []engine.Request{
		{Query: "heron", Context: "birds"},
		{Query: "heron", Context: "birds", Estimate: true, Keep: true},
	} {
		if r, _ := w.ask(req); r.Context.Turn != 1 || r.Context.Kept {
			t.Errorf("%+v: %+v", req, r.Context)
		}
	}
	if list, err := w.opts.Conversations.(*conversation.Folder).Conversations(t.Context()); err != nil || len(list) != 0 || len(keys.gone) != 0 {
		t.Errorf("kept %v, %v; forgotten %v", list, err, keys.gone)
	}
	// Kept without an answer where that is wanted.
	if r, _ := w.ask(engine.Request{Query: "heron", Context: "birds", Keep: true}); !r.Context.Kept || f.calls != 0 {
		t.Errorf("%+v, %d answers", r.Context, f.calls)
	}
}

// TestAQuestionHasItsConversationLoaded before it is searched for, where there is one that
// a model of this machine goes on with.
func TestAQuestionHasItsConversationLoaded(t *testing.T) {
	w, f, keys := talking(t)
	searched := 0
	w.embedder.instead = func(_ context.Context, text string) ([]float32, int, error) {
		searched = len(keys.focused)
		return wordVector(text), 1, nil
	}
	ask := engine.Request{Query: "grey heron", Context: "birds", Answer: true}
	w.ask(ask)
	w.ask(ask) // the first answer was quoted
	if len(keys.focused) != 0 {
		t.Errorf("loaded %v, of which a model has read nothing", keys.focused)
	}
	f.says.Generation = &engine.Generation{Conversation: 40}
	w.ask(ask)
	for _, req := range []engine.Request{{Query: "heron", Context: "birds"}, {Query: "heron", Context: "birds", Answer: true, Estimate: true}} {
		w.ask(req)
	}
	if len(keys.focused) != 0 {
		t.Errorf("loaded %v for what asks no model", keys.focused)
	}
	ask.Query = "another heron"
	w.ask(ask)
	if len(keys.focused) != 1 || keys.focused[0] != f.job.Conversation || searched != 1 {
		t.Errorf("loaded %v, %d when the question was searched for", keys.focused, searched)
	}
}

func TestAQuestionThatIsCancelledLeavesNothing(t *testing.T) {
	w, f, keys := talking(t)
	ctx, cancel := context.WithCancel(t.Context())
	f.cancel = cancel
	if _, err := w.Search(ctx, engine.Request{Query: "grey heron", Context: "birds", Answer: true}, nil); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	if list, err := w.opts.Conversations.(*conversation.Folder).Conversations(t.Context()); err != nil || len(list) != 0 {
		t.Errorf("kept %v, %v", list, err)
	}
	if len(keys.gone) != 1 || keys.gone[0] != f.job.Conversation {
		t.Errorf("forgotten %v, asked in %q", keys.gone, f.job.Conversation)
	}
}

func TestDeclinedQuestionsAreKept(t *testing.T) {
	w, f, _ := talking(t)
	f.says = engine.Answer{Text: "No.", Declined: true}
	if r, _ := w.ask(engine.Request{Query: "grey heron", Context: "birds", Answer: true}); !r.Answer.Declined || !r.Context.Kept {
		t.Errorf("%+v", r.Context)
	}
	if r, _ := w.ask(engine.Request{Query: "zebra ext:pdf", Context: "birds", Answer: true}); len(r.Passages) != 0 || r.Context.Turn != 2 {
		t.Errorf("%+v, %d passages", r.Context, len(r.Passages))
	}
}

func TestAnAnswerOutlivesWhatCannotBeKept(t *testing.T) {
	w, _, _ := talking(t)
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	w.opts.Conversations = conversation.Open(file, &forgetful{})
	r, problems := w.ask(engine.Request{Query: "grey heron", Context: "birds", Answer: true})
	if r.Answer.Text == "" || r.Context.Kept || len(problems) != 1 || problems[0] != r.Context.Problem || !strings.Contains(problems[0], "not kept") {
		t.Errorf("%+v, %q", r.Context, problems)
	}
	// The log of one is damaged: the question is asked outside of it.
	w, f, keys := talking(t)
	w.ask(engine.Request{Query: "grey heron", Context: "birds", Answer: true})
	log := filepath.Join(keys.folder, f.job.Conversation, "turns.log")
	if err := os.WriteFile(log, []byte("junk\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	name := "nameless " + f.job.Conversation[:8]
	r, problems = w.ask(engine.Request{Query: "grey heron", Context: name, Answer: true})
	if r.Answer.Text == "" || r.Context.Kept || len(problems) != 1 || f.job.Conversation != "" || len(keys.gone) != 0 {
		t.Errorf("%+v, %q", r.Context, problems)
	}
}

func TestConversationsThatCannotBe(t *testing.T) {
	w, _, _ := talking(t)
	if _, err := w.Search(t.Context(), engine.Request{Query: "heron", Context: "a\x1b"}, nil); !errors.Is(err, engine.ErrConversationName) {
		t.Error(err)
	}
	w.opts.Conversations = nil
	if _, err := w.Search(t.Context(), engine.Request{Query: "heron", Context: "a"}, nil); !errors.Is(err, errNoConversations) {
		t.Error(err)
	}
}

// gated answers once it is let.
type gated struct {
	began chan struct{}
	let   chan struct{}
}

func (g *gated) Answer(ctx context.Context, job engine.AnswerJob) (*engine.Answer, error) {
	g.began <- struct{}{}
	<-g.let
	return &engine.Answer{Text: job.Question}, nil
}

func TestOneQuestionAtATimeIsInAConversation(t *testing.T) {
	w, _, _ := talking(t)
	g := &gated{began: make(chan struct{}, 2), let: make(chan struct{})}
	w.opts.Answerer = g
	turns := make(chan int, 2)
	for range 2 {
		go func() {
			r, err := w.Search(t.Context(), engine.Request{Query: "grey heron", Context: "birds", Answer: true}, nil)
			if err != nil {
				t.Error(err)
				turns <- 0
				return
			}
			turns <- r.Context.Turn
		}()
	}
	<-g.began
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := w.turns.enter(ctx, "birds"); !errors.Is(err, context.Canceled) {
		t.Errorf("a third one entered: %v", err)
	}
	for want := 1; want <= 2; want++ {
		g.let <- struct{}{}
		if got := <-turns; got != want {
			t.Errorf("turn %d, want %d", got, want)
		}
	}
}
