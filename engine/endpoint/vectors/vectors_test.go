package vectors

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"dowse/engine"
	"dowse/engine/endpoint"
	"dowse/engine/endpoint/endpointtest"
	"dowse/internal/testenv"
)

func TestMain(m *testing.M) { os.Exit(testenv.Of(m).Run()) }

// quickly are options under which a test need not wait for anything.
func quickly(server *endpointtest.Vectors, folder string) Options {
	brief := endpoint.Options{Pause: time.Millisecond, Idle: time.Second}
	return Options{
		Server: endpoint.Server{URL: server.URL, Model: "m"}, Folder: folder,
		Query: "query: ", Passage: "passage: ",
		Documents: brief, Queries: brief, Patience: 20 * time.Millisecond, Pause: time.Millisecond, Rest: time.Hour,
	}
}

// start starts a server, and an embedder that knows it.
func start(t *testing.T, change func(*Options)) (*endpointtest.Vectors, *Embedder) {
	t.Helper()
	server := endpointtest.StartVectors(endpointtest.Ollama)
	t.Cleanup(server.Close)
	o := quickly(server, t.TempDir())
	if change != nil {
		change(&o)
	}
	return server, open(t, o)
}

func open(t *testing.T, o Options) *Embedder {
	t.Helper()
	e, err := Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	})
	return e
}

// passages are n texts, no two alike.
func passages(n int) (texts []string) {
	for i := range n {
		texts = append(texts, strings.Repeat(fmt.Sprintf("%c%c heron ", 'a'+i%26, 'a'+i/26), 3))
	}
	return texts
}

// TestVectorsAreTheServers: of any number of texts, each behind its prompt, in requests that
// every server takes.
func TestVectorsAreTheServers(t *testing.T) {
	server, e := start(t, nil)
	server.Forget()
	texts := passages(100)
	got, err := e.EmbedDocuments(t.Context(), texts)
	if err != nil {
		t.Fatal(err)
	}
	d := e.Dim()
	for i, text := range texts {
		if c := cosine(got[i*d:(i+1)*d], server.Vector("passage: "+text)); c < 1-1e-6 {
			t.Errorf("text %d: cosine %g", i, c)
		}
	}
	requests, sent := server.Asked()
	if requests != 4 || len(sent) != 104 { // 31 texts at a time, and a sentence of the probe
		t.Errorf("%d requests of %d texts", requests, len(sent))
	}
	vector, tokens, err := e.SearchEmbedder().EmbedQuery(t.Context(), "who wrote grep")
	if err != nil || tokens == 0 || cosine(vector, server.Vector("query: who wrote grep")) < 1-1e-6 {
		t.Errorf("%d tokens, %v", tokens, err)
	}
}

// TestNothingElseIsSent: beside the texts there are the probe's sentences alone.
func TestNothingElseIsSent(t *testing.T) {
	server, e := start(t, nil)
	server.Forget()
	if _, err := e.EmbedDocuments(t.Context(), []string{"a secret"}); err != nil {
		t.Fatal(err)
	}
	_, sent := server.Asked()
	sent = slices.DeleteFunc(sent, func(text string) bool { return slices.Contains(e.probe.Texts, text) })
	if !slices.Equal(sent, []string{"passage: a secret"}) {
		t.Errorf("%q", sent)
	}
}

// TestProbeIsKept: a model that is known is not asked again, makes the same fingerprint under
// another address, and another one with other prompts.
func TestProbeIsKept(t *testing.T) {
	server, e := start(t, nil)
	requests, _ := server.Asked()
	if requests != 2 {
		t.Errorf("asked %d times", requests)
	}
	o := e.options
	o.Server.URL = "http://127.0.0.1:1/v1" // where nobody is
	if moved := open(t, o); moved.Fingerprint() != e.Fingerprint() || moved.Dim() != e.Dim() || moved.Scale() != e.Scale() {
		t.Error("the model is another one at another address")
	}
	o.Query = "q: "
	if _, err := Open(t.Context(), o); err == nil || !strings.Contains(err.Error(), "no server answers") {
		t.Errorf("with another prompt: %v", err)
	}
	o.Server.URL = server.URL
	if other := open(t, o); other.Fingerprint() == e.Fingerprint() {
		t.Error("the prompt does not count")
	}
}

// TestDamagedProbeIsSaid: what is known of a model is not made up.
func TestDamagedProbeIsSaid(t *testing.T) {
	_, e := start(t, nil)
	for _, data := range []string{"", "{}", `{"texts":["a","b"],"queries":1,"vectors":"AAAA"}`, `{"texts":["a","b"],"queries":1,"vectors":"AAAAAAAAAAA="}`} {
		if err := os.WriteFile(e.probePath(), []byte(data), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Open(t.Context(), e.options); err == nil || !strings.Contains(err.Error(), "remove that file") {
			t.Errorf("%q: %v", data, err)
		}
	}
}

// TestFirstProbeOfTwoProcesses: both go by the one that was kept first.
func TestFirstProbeOfTwoProcesses(t *testing.T) {
	server, e := start(t, nil)
	server.Become("noise") // that of the second process is not the same
	p, err := e.firstProbe(t.Context())
	if err != nil || p.fingerprint() != e.Fingerprint() {
		t.Errorf("%v", err)
	}
	if left, err := filepath.Glob(filepath.Join(e.options.Folder, "*.json.*")); err != nil || len(left) > 0 {
		t.Errorf("%q, %v", left, err)
	}
}

// TestChangedModelIsNoticed: at once, while indexing and searching; its vectors are not
// handed on, and the old one put back is used again.
func TestChangedModelIsNoticed(t *testing.T) {
	server, e := start(t, nil)
	for _, change := range []func(){
		func() { server.Become("second") },
		func() { server.Become("first"); server.Break(endpointtest.Longer, -1) },
	} {
		change()
		for name, embed := range map[string]func() error{
			"indexing":  func() error { _, err := e.EmbedDocuments(t.Context(), passages(40)); return err },
			"searching": func() error { _, _, err := e.SearchEmbedder().EmbedQuery(t.Context(), "grep"); return err },
			"comparing": func() error { _, err := e.SearchEmbedder().EmbedDocuments(t.Context(), passages(3)); return err },
		} {
			if err := embed(); !errors.Is(err, errChanged) || !errors.Is(err, engine.ErrNoVectors) {
				t.Errorf("%s: %v", name, err)
			}
		}
		if err := e.Check(t.Context()); !errors.Is(err, errChanged) {
			t.Error(err)
		}
		server.Break(endpointtest.None, 0)
	}
	server.Become("first")
	if _, _, err := e.SearchEmbedder().EmbedQuery(t.Context(), "grep"); err != nil {
		t.Error(err)
	}
}

// TestAdopt takes a changed model as it is now, and tells an index of the one before.
func TestAdopt(t *testing.T) {
	server, e := start(t, nil)
	before := e.Fingerprint()
	if changed, err := e.Adopt(t.Context()); changed || err != nil || e.Fingerprint() != before {
		t.Errorf("%t, %v", changed, err)
	}
	server.Become("second")
	if changed, err := e.Adopt(t.Context()); !changed || err != nil || e.Fingerprint() == before {
		t.Errorf("%t, %v", changed, err)
	}
	if again := open(t, e.options); again.Fingerprint() != e.Fingerprint() {
		t.Error("it was not kept")
	}
	if err := e.Check(t.Context()); err != nil {
		t.Error(err)
	}
}

// TestIndexingWaits for a server that comes back, says so, and gives up in the end.
func TestIndexingWaits(t *testing.T) {
	server, e := start(t, func(o *Options) { o.Patience = time.Hour })
	var mu sync.Mutex
	var told []string
	e.Notify(func(sentence string) {
		mu.Lock()
		defer mu.Unlock()
		told = append(told, sentence)
	})
	server.Break(endpointtest.Away, 3)
	if _, err := e.EmbedDocuments(t.Context(), passages(3)); err != nil {
		t.Error(err)
	}
	mu.Lock()
	if len(told) != 2 || !strings.Contains(told[0], "the text of your files is sent to m at 127.0.0.1") || !strings.Contains(told[1], "it is waited for") {
		t.Errorf("%q", told)
	}
	mu.Unlock()
	e.options.Patience = 5 * time.Millisecond
	server.Break(endpointtest.Away, -1)
	if _, err := e.EmbedDocuments(t.Context(), passages(3)); !errors.Is(err, engine.ErrNoVectors) || !endpoint.IsOutage(err) {
		t.Error(err)
	}
	e.options.Patience = time.Hour
	ctx, cancel := context.WithCancel(t.Context())
	e.Notify(func(string) { cancel() })
	if _, err := e.EmbedDocuments(ctx, passages(3)); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// TestSearchDoesNotWait: a server that was away is not asked again for a while, unless
// indexing finds it back.
func TestSearchDoesNotWait(t *testing.T) {
	server, e := start(t, nil)
	server.Break(endpointtest.Away, -1)
	server.Forget()
	for range 3 {
		if _, _, err := e.SearchEmbedder().EmbedQuery(t.Context(), "grep"); !errors.Is(err, engine.ErrNoVectors) {
			t.Error(err)
		}
	}
	if requests, _ := server.Asked(); requests != 1 {
		t.Errorf("asked %d times", requests)
	}
	server.Break(endpointtest.None, 0)
	if _, err := e.EmbedDocuments(t.Context(), passages(1)); err != nil {
		t.Error(err)
	}
	if _, _, err := e.SearchEmbedder().EmbedQuery(t.Context(), "grep"); err != nil {
		t.Error(err)
	}
}

// TestLongTextIsCut: where Room was told, and again where the server reads less.
func TestLongTextIsCut(t *testing.T) {
	server, e := start(t, nil)
	long := strings.Repeat("heron ", 500)
	server.Forget()
	if _, err := e.EmbedDocuments(t.Context(), []string{long}); err != nil {
		t.Fatal(err)
	}
	_, sent := server.Asked()
	if n := e.Count(strings.TrimPrefix(sent[0], "passage: ")); n != room {
		t.Errorf("%d tokens were sent", n)
	}
	server.Break(endpointtest.Picky, -1)
	texts := append(passages(20), long)
	got, err := e.EmbedDocuments(t.Context(), texts)
	if err != nil {
		t.Fatal(err)
	}
	d := e.Dim()
	for i, text := range texts {
		if c := cosine(got[i*d:(i+1)*d], server.Vector("passage: "+text)); c < .95 { // of the long one, that of its half
			t.Errorf("text %d: cosine %g", i, c)
		}
	}
	server.Break(endpointtest.Zeros, -1)
	if _, err := e.EmbedDocuments(t.Context(), passages(2)); err == nil || !strings.Contains(err.Error(), "without a direction") {
		t.Error(err)
	}
}

// TestDimensions are asked for, and a server that does not know them is told from one that
// does.
func TestDimensions(t *testing.T) {
	server, e := start(t, func(o *Options) { o.Dimensions = 32 })
	if e.Dim() != 32 {
		t.Errorf("%d", e.Dim())
	}
	server.Break(endpointtest.Longer, -1)
	if _, err := e.EmbedQueries(t.Context(), []string{"grep"}); err == nil || !strings.Contains(err.Error(), "33 numbers where 32 were asked for") {
		t.Error(err)
	}
}

// standIn is a model of this machine with the vectors of a server.
type standIn struct {
	*Embedder
	server *endpointtest.Vectors
	noise  float32
	closed *int
}

func (s standIn) embed(prompt string, texts []string) (all []float32) {
	for _, text := range texts {
		v := s.server.Vector(prompt + text)
		v[1] += s.noise
		_ = normalize(v)
		all = append(all, v...)
	}
	return all
}

func (s standIn) EmbedQuery(_ context.Context, text string) ([]float32, int, error) {
	return s.embed("query: ", []string{text}), 1, nil
}
func (s standIn) EmbedQueries(_ context.Context, texts []string) ([]float32, error) {
	return s.embed("query: ", texts), nil
}
func (s standIn) EmbedDocuments(_ context.Context, texts []string) ([]float32, error) {
	return s.embed("passage: ", texts), nil
}
func (s standIn) Close() error { *s.closed++; return nil }

// TestStandIn: the model of this machine embeds while the server is away if its vectors are
// nearly the same, never otherwise, and never for the index.
func TestStandIn(t *testing.T) {
	for noise, agrees := range map[float32]bool{.02: true, .5: false} {
		server, e := start(t, nil)
		opened, closed := 0, 0
		e.options.Local = func(context.Context) (Local, error) {
			opened++
			return standIn{e, server, noise, &closed}, nil
		}
		if _, _, err := e.SearchEmbedder().EmbedQuery(t.Context(), "grep"); err != nil || opened != 0 {
			t.Errorf("opened %d while the server was there, %v", opened, err)
		}
		server.Break(endpointtest.Away, -1)
		for range 2 {
			vector, _, err := e.SearchEmbedder().EmbedQuery(t.Context(), "grep")
			if agrees && (err != nil || cosine(vector, server.Vector("query: grep")) < .99) || !agrees && !errors.Is(err, engine.ErrNoVectors) {
				t.Errorf("noise %g: %v", noise, err)
			}
			_, err = e.SearchEmbedder().EmbedDocuments(t.Context(), passages(3))
			if agrees != (err == nil) {
				t.Errorf("noise %g: %v", noise, err)
			}
			if !agrees && !strings.Contains(err.Error(), "makes other vectors") {
				t.Error(err)
			}
		}
		if _, err := e.EmbedDocuments(t.Context(), passages(3)); !errors.Is(err, engine.ErrNoVectors) {
			t.Errorf("the index was built without the server: %v", err)
		}
		if err := e.Close(); err != nil || opened != 1 || closed != 1 {
			t.Errorf("opened %d, closed %d, %v", opened, closed, err)
		}
	}
}

// TestASilentServerIsTold: whoever opens the model of a server that says nothing hears so
// before the limit is met.
func TestASilentServerIsTold(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body) // a server notices that its client is gone once it has read everything
		<-r.Context().Done()
	}))
	defer server.Close()
	var told []string
	_, err := Open(t.Context(), Options{
		Server: endpoint.Server{URL: server.URL + "/v1", Model: "m"}, Folder: t.TempDir(),
		Tell:      func(sentence string) { told = append(told, sentence) },
		Documents: endpoint.Options{Word: 40 * time.Millisecond, First: time.Second},
	})
	if !endpoint.IsOutage(err) {
		t.Errorf("error %v", err)
	}
	if want := "waiting for " + strings.TrimPrefix(server.URL, "http://") + " for 40ms"; len(told) != 1 || told[0] != want {
		t.Errorf("told %q, want %q alone", told, want)
	}
}
