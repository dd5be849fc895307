package search

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"dowse/engine"
)

// errAway is the error of an embedder that a server is, which is away.
var errAway = fmt.Errorf("%w: it is away", engine.ErrNoVectors)

// TestWordsAloneWithoutVectors: where the embedder of the query, or of passages that are
// compared again, is away, the ranking is that by words, and says so once.
func TestWordsAloneWithoutVectors(t *testing.T) {
	for name, breaks := range map[string]func(*world){
		"query": func(w *world) {
			w.embedder.instead = func(context.Context, string) ([]float32, int, error) { return nil, 0, errAway }
		},
		"passages": func(w *world) { w.opts.Embedder = absent{w.embedder} },
	} {
		w, _ := grown(t, 66)
		w.settle(64)
		w.opts.Reranker = &backwards{}
		want := w.search(engine.Request{Query: "word7", Mode: engine.Lexical})
		breaks(w)
		var told []string
		for _, mode := range []engine.Mode{"", engine.Hybrid, engine.Reranked} {
			got, err := w.Search(t.Context(), engine.Request{Query: "word7", Mode: mode}, func(e engine.Event) {
				if e.Problem != "" {
					told = append(told, e.Problem)
				}
			})
			if err != nil {
				t.Fatalf("%s, %s: %v", name, mode, err)
			}
			if names(got) != names(want) || !strings.Contains(got.Stats.ByWords, "by words alone: ") || !strings.Contains(got.Stats.ByWords, "it is away") || got.Stats.Sent != nil {
				t.Errorf("%s, %s: %s, %+v", name, mode, names(got), got.Stats)
			}
			if ranked := stagesOf(got); strings.Count(ranked, "filter") != 1 {
				t.Errorf("%s, %s: stages %s", name, mode, ranked)
			}
		}
		if len(told) != 3 {
			t.Errorf("%s: told %q", name, told)
		}
		if got := w.search(engine.Request{Query: "word7", Mode: engine.Lexical}); got.Stats.ByWords != "" {
			t.Errorf("%s: %q where words were asked for", name, got.Stats.ByWords)
		}
		if _, err := w.Search(t.Context(), engine.Request{Query: "word7", Mode: engine.Vector}, nil); err == nil || !strings.Contains(err.Error(), "it is away") {
			t.Errorf("%s, by meaning alone: %v", name, err)
		}
	}
}

// absent embeds queries, and passages not for now.
type absent struct{ *embedder }

func (absent) EmbedDocuments(context.Context, []string) ([]float32, error) { return nil, errAway }

func stagesOf(r *engine.Result) string {
	var names []string
	for _, s := range r.Stats.Stages {
		names = append(names, s.Name)
	}
	return strings.Join(names, " ")
}

// TestLikenessWithoutVectors: what passages are like is told by codes alone, and said so.
func TestLikenessWithoutVectors(t *testing.T) {
	w, files := grown(t, 66)
	w.settle(64)
	want := w.related(engine.RelatedRequest{Path: files[0].path, Line: 1, Estimate: true})
	w.opts.Embedder = absent{w.embedder}
	told := ""
	got, err := w.Related(t.Context(), engine.RelatedRequest{Path: files[0].path, Line: 1}, func(e engine.Event) { told += e.Problem })
	if err != nil || len(got.Passages) == 0 || !strings.Contains(told, "ranked by estimates: it is away") {
		t.Fatalf("%+v, %v, %q", got, err, told)
	}
	for i := range got.Passages {
		if got.Passages[i].ChunkID != want.Passages[i].ChunkID {
			t.Errorf("place %d is another one", i+1)
		}
	}
}

// TestTypedTextIsNotSentAway: while the person types, an embedder on another machine gets
// nothing, and what rests is ranked by it.
func TestTypedTextIsNotSentAway(t *testing.T) {
	w, _ := grown(t, 66)
	w.settle(16)
	asked := 0
	w.embedder.instead = func(_ context.Context, text string) ([]float32, int, error) {
		asked++
		return wordVector(text), 1, nil
	}
	w.opts.Distant, w.opts.Sent = true, &engine.Sent{To: "https://far.example", Model: "m", Remote: true}
	got := w.search(engine.Request{Query: "word7", Estimate: true})
	if asked != 0 || !got.Stats.Estimated || got.Stats.Sent != nil || len(got.Passages) == 0 {
		t.Errorf("asked %d times, %+v", asked, got.Stats)
	}
	got = w.search(engine.Request{Query: "word7"})
	if s := got.Stats.Sent; asked != 1 || s == nil || !s.Remote || s.Passages != got.Stats.Recomputed || s.Passages == 0 || s.Bytes <= len("word7") {
		t.Errorf("asked %d times, %+v of %d", asked, s, got.Stats.Recomputed)
	}
}

// TestChangedTextIsNotSentToBeReranked: a server gets passages as they were indexed alone.
func TestChangedTextIsNotSentToBeReranked(t *testing.T) {
	fake := &backwards{}
	w, files := reranked(t, fake, 20)
	for _, f := range files {
		w.disk.write(f.path, strings.ReplaceAll(f.text, "word", "secret"))
	}
	w.search(engine.Request{Query: "word7"})
	if len(fake.job.Passages) == 0 {
		t.Error("the reranker of this machine reads what stands there now")
	}
	fake.job = engine.RerankJob{}
	w.opts.RerankSends = true
	got := w.search(engine.Request{Query: "word7"})
	if len(fake.job.Passages) != 0 || len(got.Passages) == 0 {
		t.Errorf("%d passages, of which %d were sent", len(got.Passages), len(fake.job.Passages))
	}
}

// TestSecretsAreNotSentToBeReranked: files that hold secrets are found, no server reads them, and nobody answers from them.
func TestSecretsAreNotSentToBeReranked(t *testing.T) {
	fake := &backwards{}
	w, files := reranked(t, fake, 20)
	w.disk.secret = func(path string) bool { return path != files[0].path }
	w.search(engine.Request{Query: "word7"})
	if len(fake.job.Passages) < 2 {
		t.Error("the reranker of this machine reads secrets")
	}
	fake.job = engine.RerankJob{}
	w.opts.RerankSends = true
	answers := &teller{}
	w.opts.Answerer = answers
	got := w.search(engine.Request{Query: "word7", Answer: true, K: 30})
	secret := 0
	for _, p := range got.Passages {
		if p.Secret {
			secret++
		}
	}
	for _, text := range fake.job.Passages {
		if !strings.Contains(files[0].text, strings.TrimSpace(text)) {
			t.Errorf("%q was sent", text)
		}
	}
	for _, p := range answers.job.Passages {
		if p.Path != files[0].path {
			t.Errorf("%s is to be answered from", p.Path)
		}
	}
	if secret == 0 {
		t.Error("secrets are not found")
	}
	for _, p := range engine.MakeTurn("word7", got, time.Now()).Passages {
		if p.Path != files[0].path {
			t.Errorf("a conversation keeps %s", p.Path)
		}
	}
	w.disk.secret = func(string) bool { return true }
	if got := w.search(engine.Request{Query: "word7", Answer: true}); got.Answer == nil || !strings.Contains(got.Answer.Problem, "hold secrets") || len(got.Passages) == 0 {
		t.Errorf("answered %+v", got.Answer)
	}
}
