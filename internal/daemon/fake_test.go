package daemon

import (
	"context"
	"dowse/engine"
	"fmt"
	"strings"
)

// fake is a Service whose answers say what they were asked.
type fake struct {
	engine.Ranker
	events   chan engine.Event
	blocked  chan struct{} // closed when a search for "block" has begun
	released chan error    // receives how that search ended
}

func newFake() *fake {
	return &fake{events: make(chan engine.Event), blocked: make(chan struct{}), released: make(chan error, 1)}
}

func (f *fake) Search(ctx context.Context, req engine.Request, emit func(engine.Event)) (*engine.Result, error) {
	switch req.Query {
	case "block":
		close(f.blocked)
		<-ctx.Done()
		f.released <- ctx.Err()
		return nil, ctx.Err()
	case "bad":
		return nil, fmt.Errorf("%w: after:x", engine.ErrQuery)
	}
	if req.Answer {
		return f.answer(ctx, req, emit)
	}
	emit(engine.Event{Stage: &engine.StageStats{Name: "parse", Out: 1}})
	emit(engine.Event{Stage: &engine.StageStats{Name: "fuse", Out: req.K}})
	return &engine.Result{Query: req.Query, Passages: []engine.Passage{{Rank: 1, Path: "/a\x1b[31m\xff", Text: "t"}}}, nil
}

// answer says one word at a time; after "halt" it waits to be cancelled.
func (f *fake) answer(ctx context.Context, req engine.Request, emit func(engine.Event)) (*engine.Result, error) {
	result := &engine.Result{Query: req.Query, Passages: []engine.Passage{{Rank: 1, Path: "/a", Text: "it rains", Relevant: true}, {Rank: 2, Path: "/b"}}}
	emit(engine.Event{Found: result.Passages})
	a := engine.Answer{How: "m", Citations: []engine.AnswerCitation{}}
	for word := range strings.FieldsSeq(req.Query) {
		a.Text += word + " "
		emit(engine.Event{Answer: &a})
		if word == "halt" {
			close(f.blocked)
			<-ctx.Done()
			f.released <- ctx.Err()
			return nil, ctx.Err()
		}
	}
	a.Citations = []engine.AnswerCitation{{N: 1, Path: "/a", LineStart: 2, LineEnd: 3}}
	a.Sentences = []engine.AnswerSentence{{Range: engine.Range{End: 2}, Unsupported: []engine.Unsupported{{Kind: "name", Elsewhere: 1}}}}
	switch c := engine.Confidence(req.Query); c {
	case engine.Sure, engine.Perhaps, engine.None:
		a.Confidence, a.Declined = c, c == engine.None
	}
	result.Answer = &a
	return result, nil
}

func (f *fake) Related(ctx context.Context, req engine.RelatedRequest, emit func(engine.Event)) (*engine.Related, error) {
	if req.Path == "/block" {
		close(f.blocked)
		<-ctx.Done()
		f.released <- ctx.Err()
		return nil, ctx.Err()
	}
	emit(engine.Event{Stage: &engine.StageStats{Name: "vector", Out: req.K}})
	return &engine.Related{
		Like:     engine.Place{Path: req.Path, LineStart: req.Line, LineEnd: req.Line + 2, Heading: "H"},
		Passages: []engine.Passage{{Rank: 1, Path: "/b\xff", Score: 0.5}},
	}, nil
}

func (f *fake) Preview(_ context.Context, p engine.Passage, before, after int) (*engine.Preview, error) {
	return &engine.Preview{Path: p.Path, FirstLine: before, LineTotal: after}, nil
}

func (f *fake) Status(context.Context) (*engine.Status, error) {
	return &engine.Status{Files: 7, Memory: map[string]engine.PoolSize{"acts": {Bytes: 1, Peak: 2}}}, nil
}

func (f *fake) Subscribe(context.Context) (<-chan engine.Event, error) { return f.events, nil }

func (f *fake) Index(_ context.Context, folders []string, emit func(engine.Event)) (*engine.IndexReport, error) {
	emit(engine.Event{Progress: &engine.Progress{Phase: engine.Indexing}})
	return &engine.IndexReport{Files: len(folders)}, nil
}

func (f *fake) ForgetAnswers(context.Context) (*engine.Forgotten, error) {
	return &engine.Forgotten{Answers: 3, Tokens: 40, Models: 1, Bytes: 200}, nil
}

func (f *fake) ChangeBudget(_ context.Context, change engine.BudgetChange) (*engine.BudgetStep, error) {
	if change != engine.LowerBudget {
		return nil, engine.ErrBudgetChange
	}
	return &engine.BudgetStep{Budget: engine.Budget{Bytes: 20, Full: 40}, Before: 30}, nil
}

func (f *fake) Complete(_ context.Context, req engine.CompletionRequest) (*engine.Completion, error) {
	if req.Line == "" {
		return &engine.Completion{}, nil
	}
	return &engine.Completion{Start: req.Cursor, End: req.Cursor, Key: "path", More: req.Max,
		Suggestions: []engine.Suggestion{{Text: req.Line, Label: req.In[0], Files: 3}}}, nil
}

func (f *fake) FollowModel(context.Context) (*engine.ModelChange, error) {
	return &engine.ModelChange{From: "old", To: "new", Done: 3, All: 7, Working: true}, nil
}

func (f *fake) Check(_ context.Context, emit func(engine.Event)) (*engine.CheckReport, error) {
	emit(engine.Event{Problem: "a page is torn"})
	return &engine.CheckReport{Files: 9, Problems: 1}, nil
}

func (f *fake) Files(_ context.Context, req engine.FilesRequest) (*engine.Files, error) {
	return &engine.Files{Files: []engine.IndexedFile{{Path: req.After + "\xff"}}, More: req.Limit}, nil
}

func (f *fake) Read(_ context.Context, req engine.ReadRequest) (*engine.FileText, error) {
	switch req.Path {
	case "/none":
		return nil, fmt.Errorf("/none is %w", engine.ErrNotIndexed)
	case "/gone":
		return nil, engine.ErrFileGone
	case "/short":
		return nil, engine.ErrNoPlace
	}
	return &engine.FileText{Path: req.Path, Text: "t", LineStart: req.From}, nil
}

func (f *fake) Folders(context.Context) ([]engine.Folder, error) {
	return []engine.Folder{{NamedFolder: engine.NamedFolder{Name: "a\xff", Path: "/b\xfe"}, State: engine.Gone}}, nil
}

func (f *fake) ChangeFolder(_ context.Context, change engine.FolderChange, emit func(engine.Event)) (*engine.FolderReport, error) {
	emit(engine.Event{Problem: string(change.Action)})
	return &engine.FolderReport{Folder: engine.NamedFolder{Name: *change.Name, Path: change.Folder}}, nil
}

func (f *fake) Pack(_ context.Context, req engine.PackRequest, emit func(engine.Event)) (*engine.PackReport, error) {
	emit(engine.Event{Problem: req.Folder})
	return &engine.PackReport{File: req.File, NoText: req.NoText}, nil
}

func (f *fake) LeftOut(context.Context) ([]engine.LeftOut, error) {
	return []engine.LeftOut{{Path: "/notes/\xff.bin", Reason: "binary", Detail: "gzip"}}, nil
}

func (f *fake) Close() error { return nil }
