package daemon

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"dowse/engine"
	"dowse/internal/testwait"
)

// start serves a fake and returns a client of it.
func start(t *testing.T) (*fake, *Client, *Server) {
	t.Helper()
	f := newFake()
	path := filepath.Join(t.TempDir(), "run", "s.sock")
	server, err := Listen(path, f)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = server.Close() })
	client, err := Dial(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	return f, client, server
}

func TestEveryCallReachesTheService(t *testing.T) {
	_, client, _ := start(t)
	ctx := t.Context()
	var stages []string
	result, err := client.Search(ctx, engine.Request{Query: "dns", K: 3}, func(e engine.Event) {
		stages = append(stages, fmt.Sprintf("%s=%d", e.Stage.Name, e.Stage.Out))
	})
	if err != nil || result.Query != "dns" || len(result.Passages) != 1 || !result.Stats.Warm {
		t.Errorf("Search: %+v, %v", result, err)
	}
	if got := strings.Join(stages, " "); got != "parse=1 fuse=3" {
		t.Errorf("events %s", got)
	}
	stages = nil
	related, err := client.Related(ctx, engine.RelatedRequest{Path: "/a\xfe", Line: 7, K: 4}, func(e engine.Event) {
		stages = append(stages, fmt.Sprintf("%s=%d", e.Stage.Name, e.Stage.Out))
	})
	if err != nil || related.Like.Path != "/a\xfe" || related.Like.LineEnd != 9 || related.Passages[0].Path != "/b\xff" || !related.Stats.Warm || len(stages) != 1 || stages[0] != "vector=4" {
		t.Errorf("Related: %+v, %v, events %v", related, err, stages)
	}
	if p, err := client.Preview(ctx, engine.Passage{Path: "/p"}, 4, 5); err != nil || p.Path != "/p" || p.FirstLine != 4 || p.LineTotal != 5 {
		t.Errorf("Preview: %+v, %v", p, err)
	}
	if s, err := client.Status(ctx); err != nil || s.Files != 7 || s.Memory["acts"].Peak != 2 {
		t.Errorf("Status: %+v, %v", s, err)
	}
	var problem string
	if f, err := client.ForgetAnswers(ctx); err != nil || *f != (engine.Forgotten{Answers: 3, Tokens: 40, Models: 1, Bytes: 200}) {
		t.Errorf("ForgetAnswers: %+v, %v", f, err)
	}
	if b, err := client.ChangeBudget(ctx, engine.LowerBudget); err != nil || *b != (engine.BudgetStep{Budget: engine.Budget{Bytes: 20, Full: 40}, Before: 30}) {
		t.Errorf("ChangeBudget: %+v, %v", b, err)
	}
	if _, err := client.ChangeBudget(ctx, "more"); !errors.Is(err, engine.ErrBudgetChange) {
		t.Errorf("ChangeBudget by more: %v", err)
	}
	asked := engine.CompletionRequest{Line: "path:\xff", Cursor: 6, Max: 9, In: []string{"/a\xff"}}
	if got, err := client.Complete(ctx, asked); err != nil || !reflect.DeepEqual(*got, engine.Completion{
		Start: 6, End: 6, Key: "path", More: 9, Suggestions: []engine.Suggestion{{Text: "path:\xff", Label: "/a\xff", Files: 3}},
	}) {
		t.Errorf("Complete: %+v, %v", got, err)
	}
	if got, err := client.Complete(ctx, engine.CompletionRequest{}); err != nil || len(got.Suggestions) > 0 {
		t.Errorf("Complete: %+v, %v", got, err)
	}
	if r, err := client.Check(ctx, func(e engine.Event) { problem = e.Problem }); err != nil || r.Problems != 1 || problem != "a page is torn" {
		t.Errorf("Check: %+v, %q, %v", r, problem, err)
	}
	if left, err := client.LeftOut(ctx); err != nil || !reflect.DeepEqual(left, []engine.LeftOut{{Path: "/notes/\xff.bin", Reason: "binary", Detail: "gzip"}}) {
		t.Errorf("LeftOut: %+v, %v", left, err)
	}
	if files, err := client.Files(ctx, engine.FilesRequest{After: "/\xfe", Limit: 3}); err != nil || files.More != 3 || files.Files[0].Path != "/\xfe\xff" {
		t.Errorf("Files: %+v, %v", files, err)
	}
	if text, err := client.Read(ctx, engine.ReadRequest{Path: "/\xff", From: 8}); err != nil || !reflect.DeepEqual(*text, engine.FileText{Path: "/\xff", Text: "t", LineStart: 8}) {
		t.Errorf("Read: %+v, %v", text, err)
	}
	for path, want := range map[string]error{"/none": engine.ErrNotIndexed, "/gone": engine.ErrFileGone, "/short": engine.ErrNoPlace} {
		if _, err := client.Read(ctx, engine.ReadRequest{Path: path}); !errors.Is(err, want) {
			t.Errorf("Read of %s: %v", path, err)
		}
	}
	if r, err := client.Index(ctx, []string{"/a", "/b"}, func(engine.Event) {}); err != nil || r.Files != 2 {
		t.Errorf("Index: %+v, %v", r, err)
	}
}

func TestErrorsKeepTheirIdentity(t *testing.T) {
	_, client, _ := start(t)
	_, err := client.Search(t.Context(), engine.Request{Query: "bad"}, nil)
	if !errors.Is(err, engine.ErrQuery) || !strings.Contains(err.Error(), "after:x") {
		t.Errorf("error %v", err)
	}
}

func TestHangingUpCancelsTheSearch(t *testing.T) {
	f, client, _ := start(t)
	ctx, cancel := context.WithCancel(t.Context())
	go func() { <-f.blocked; cancel() }()
	if _, err := client.Search(ctx, engine.Request{Query: "block"}, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("client: %v", err)
	}
	select {
	case err := <-f.released:
		if !errors.Is(err, context.Canceled) {
			t.Errorf("server: %v", err)
		}
	case <-time.After(testwait.Patience):
		t.Fatal("the search went on after the client hung up")
	}
}

func TestAnswerGrowsAcrossTheSocket(t *testing.T) {
	f, client, _ := start(t)
	var told []string
	hear := func(e engine.Event) {
		switch {
		case len(e.Found) > 0:
			told = append(told, e.Found[0].Path)
		case e.Answer != nil:
			told = append(told, e.Answer.Text)
		}
	}
	r, err := client.Search(t.Context(), engine.Request{Query: "it rains", Answer: true}, hear)
	if err != nil || strings.Join(told, "|") != "/a|it |it rains " {
		t.Fatalf("heard %q, %v", told, err)
	}
	if a := r.Answer; a == nil || a.Text != "it rains " || a.Citations[0] != (engine.AnswerCitation{N: 1, Path: "/a", LineStart: 2, LineEnd: 3}) ||
		a.Sentences[0].Unsupported[0].Elsewhere != 1 {
		t.Errorf("answer %+v", r.Answer)
	}
	for word, want := range map[string]engine.Confidence{"sure": engine.Sure, "perhaps": engine.Perhaps, "none": engine.None} {
		r, err := client.Search(t.Context(), engine.Request{Query: word, Answer: true}, func(engine.Event) {})
		if err != nil || len(r.Passages) != 2 || !r.Passages[0].Relevant || r.Passages[1].Relevant || r.Irrelevant() {
			t.Errorf("%s: passages %+v, %v", word, r.Passages, err)
		}
		if err != nil || r.Answer.Confidence != want || r.Answer.Declined != (want == engine.None) {
			t.Errorf("%s: answer %+v, %v", word, r.Answer, err)
		}
	}
	if r, err := client.Search(t.Context(), engine.Request{Query: "it rains"}, func(engine.Event) {}); err != nil || r.Answer != nil {
		t.Errorf("unasked: %+v, %v", r, err)
	}
	if r, err := client.Search(t.Context(), engine.Request{Query: " ", Answer: true}, hear); err != nil || r.Answer == nil || r.Answer.Citations == nil {
		t.Errorf("no citations: %+v, %v", r, err)
	}

	ctx, cancel := context.WithCancel(t.Context())
	go func() { <-f.blocked; cancel() }()
	if _, err := client.Search(ctx, engine.Request{Query: "halt it", Answer: true}, hear); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	select {
	case <-f.released:
	case <-time.After(testwait.Patience):
		t.Fatal("the answer went on after the client hung up")
	}
}

func TestSubscribe(t *testing.T) {
	f, client, server := start(t)
	events, err := client.Subscribe(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	f.events <- engine.Event{Changed: &engine.Changed{Added: 3}}
	if e := <-events; e.Changed == nil || e.Changed.Added != 3 {
		t.Errorf("got %+v", e)
	}
	close(f.events) // the owner ends
	if err := server.Close(); err != nil {
		t.Error(err)
	}
	if e, ok := <-events; !ok || e.Problem == "" {
		t.Errorf("the end of the owner was not told: %+v", e)
	}
	if _, ok := <-events; ok {
		t.Error("channel still open")
	}
}

func TestNobodyListens(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.sock")
	if _, err := Dial(t.Context(), path); !errors.Is(err, ErrNobody) {
		t.Errorf("no file: %v", err)
	}
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Dial(t.Context(), path); !errors.Is(err, ErrNobody) {
		t.Errorf("left-over file: %v", err)
	}
	server, err := Listen(path, newFake())
	if err != nil {
		t.Fatalf("left-over socket was not replaced: %v", err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("socket mode %v, %v", info.Mode(), err)
	}
	if err := server.Close(); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
		t.Error("socket left behind")
	}
}

func TestVersionsMustAgree(t *testing.T) {
	_, client, _ := start(t)
	conn, err := net.Dial("unix", client.path)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close() //nolint:errcheck // a test's connection
	if _, err := fmt.Fprintln(conn, `{"version":99,"op":"hello"}`); err != nil {
		t.Fatal(err)
	}
	var f frame
	if err := json.NewDecoder(conn).Decode(&f); err != nil || !errors.Is(decodeError(f), ErrVersion) {
		t.Errorf("frame %+v, %v", f, err)
	}
}

func TestGarbageOnTheSocket(t *testing.T) {
	_, client, _ := start(t)
	for _, text := range []string{"\n", "{\n", "GET / HTTP/1.1\n", `{"version":4,"op":"search"}` + "\n", `{"version":4,"op":"rm"}` + "\n"} {
		conn, err := net.Dial("unix", client.path)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := conn.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
		var f frame
		for frames := json.NewDecoder(conn); err == nil && !f.Done; {
			err = frames.Decode(&f)
		}
		if err != nil || f.Error == "" {
			t.Errorf("%q: frame %+v, %v", text, f, err)
		}
		_ = conn.Close()
	}
	if _, err := client.Status(t.Context()); err != nil {
		t.Errorf("the server did not survive: %v", err)
	}
}
