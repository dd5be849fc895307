package app_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"dowse/engine"
	"dowse/engine/endpoint/endpointtest"
	"dowse/internal/app"
	"dowse/internal/doctor"
	"dowse/internal/registry"
	"dowse/internal/testapp"
)

// served is a dowse whose settings let a server embed, on a machine without any model.
func served(t *testing.T, server *endpointtest.Vectors, more string) *app.App {
	t.Helper()
	home := t.TempDir()
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	t.Setenv("DOWSE_HOME", home)
	settings := fmt.Sprintf("[embed]\nendpoint = %q\nendpoint_model = 'm'\nquery_prompt = 'query: '\n", server.URL) + more
	if err := os.WriteFile(filepath.Join(home, "config.toml"), []byte(settings), 0o600); err != nil {
		t.Fatal(err)
	}
	a, err := app.New()
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func startVectors(t *testing.T, f endpointtest.Flavour) *endpointtest.Vectors {
	t.Helper()
	server := endpointtest.StartVectors(f)
	t.Cleanup(server.Close)
	return server
}

var herons = map[string]string{
	"heron.md": "A heron stands in the reeds of the lake.\n",
	"grep.md":  "Ken Thompson wrote grep overnight.\n",
	"bread.md": "Rye bread proofs for three hours.\n",
}

const rerankOff = "[rerank]\nmodel = 'off'\n"

// TestServerEmbeds: an index is built and searched by the vectors of a server; one that
// changes its model is noticed, by searches and by indexing, and none of its vectors gets
// into the index before a person says so.
func TestServerEmbeds(t *testing.T) {
	server := startVectors(t, endpointtest.LlamaCpp)
	a := served(t, server, rerankOff)
	folder := testapp.Notes(t, herons)
	owner, err := a.OpenOwner(t.Context(), func() {})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := owner.Index(t.Context(), []string{folder}, nil); err != nil {
		t.Fatal(err)
	}
	got := testapp.Search(t, owner, "heron lake")
	if got.Stats.ByWords != "" || got.Passages[0].VectorRank != 1 || filepath.Base(got.Passages[0].Path) != "heron.md" || got.Stats.Sent == nil {
		t.Errorf("%+v", got)
	}
	if _, texts := server.Asked(); !slices.Contains(texts, "query: heron lake") || !slices.Contains(texts, "Ken Thompson wrote grep overnight.") {
		t.Errorf("the server got %q", texts)
	}
	st, err := owner.Status(t.Context())
	if err != nil || st.Model != "m at "+st.Servers[0].Host || st.Servers[0].For != "embedding" || st.Servers[0].Remote {
		t.Errorf("%+v, %v", st, err)
	}

	server.Become("another one")
	got = testapp.Search(t, owner, "heron lake")
	if !strings.Contains(got.Stats.ByWords, "has another model behind that name") || filepath.Base(got.Passages[0].Path) != "heron.md" || got.Passages[0].VectorRank != 0 {
		t.Errorf("%+v", got)
	}
	if err := os.WriteFile(filepath.Join(folder, "new.md"), []byte("Terns dive for fish.\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := owner.Index(t.Context(), nil, nil); !errors.Is(err, engine.ErrNoVectors) {
		t.Error(err)
	}
	if st, err := owner.Status(t.Context()); err != nil || st.Files != 4 || st.Lacking != 1 {
		t.Errorf("%+v, %v", st, err)
	}
	if err := owner.Close(); err != nil {
		t.Fatal(err)
	}

	changed, err := a.UseEndpoint(t.Context(), registry.AsEmbedder)
	if err != nil || !changed {
		t.Fatalf("%t, %v", changed, err)
	}
	reader, err := a.OpenStack(t.Context(), true)
	if err != nil {
		t.Fatal(err)
	}
	if got = testapp.Search(t, reader, "heron lake"); !strings.Contains(got.Stats.ByWords, "built with a model that a server had or has") {
		t.Errorf("the index of the model before is searched: %+v", got.Stats)
	}
	if err := reader.Close(); err != nil {
		t.Fatal(err)
	}
	owner = testapp.Own(t, a, folder)
	if got = testapp.Search(t, owner, "terns"); got.Stats.ByWords != "" || filepath.Base(got.Passages[0].Path) != "new.md" || got.Passages[0].VectorRank != 1 {
		t.Errorf("%+v", got)
	}
}

// TestIndexIsNotPutAsideForASilentServer: where the settings name a server that does not
// answer, the index that there is stays.
func TestIndexIsNotPutAsideForASilentServer(t *testing.T) {
	server := startVectors(t, endpointtest.Ollama)
	a := served(t, server, rerankOff)
	owner, err := a.OpenOwner(t.Context(), func() {})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := owner.Index(t.Context(), []string{testapp.Notes(t, herons)}, nil); err != nil {
		t.Fatal(err)
	}
	if err := owner.Close(); err != nil {
		t.Fatal(err)
	}
	server.Break(endpointtest.Away, -1)
	other := *a
	other.Config.EmbedServer.Model = "unheard-of"
	if _, err := other.OpenOwner(t.Context(), func() {}); err == nil || !strings.Contains(err.Error(), "start the server, or put a model of this machine to use") {
		t.Error(err)
	}
	owner = testapp.Own(t, a)
	got := testapp.Search(t, owner, "who wrote grep")
	if !strings.Contains(got.Stats.ByWords, "by words alone: m at") || filepath.Base(got.Passages[0].Path) != "grep.md" {
		t.Errorf("%+v", got)
	}
}

// TestServerReranks: the ranking is the server's, with what is known of it, and the line of
// relevance is not drawn by it; where it fails hybrid's ranking stands and says why.
func TestServerReranks(t *testing.T) {
	server := startVectors(t, endpointtest.VLLM)
	a := served(t, startVectors(t, endpointtest.Ollama), fmt.Sprintf("[rerank]\nendpoint = %q\nendpoint_model = 'm'\n", server.URL))
	owner := testapp.Own(t, a, testapp.Notes(t, herons))
	got := testapp.Search(t, owner, "heron of the lake")
	if r := got.Stats.Rerank; r == nil || !strings.HasPrefix(r.Model, "m at 127.0.0.1") || r.Sent == nil || r.Sent.Passages != 3 || filepath.Base(got.Passages[0].Path) != "heron.md" {
		t.Errorf("%+v", got.Stats.Rerank)
	}
	for _, p := range got.Passages {
		if !p.Relevant {
			t.Errorf("%s is told to be off the topic", p.Path)
		}
	}
	server.Break(endpointtest.Fewer, -1)
	got = testapp.Search(t, owner, "heron of the lake")
	if r := got.Stats.Rerank; r == nil || !strings.Contains(r.Instead+r.Problem, "answered for 2 texts of 3") {
		t.Errorf("%+v", r)
	}
}

// TestDoctorKnowsServers: it says what servers get, that one is away, and that one changed.
func TestDoctorKnowsServers(t *testing.T) {
	server := startVectors(t, endpointtest.VLLM)
	a := served(t, server, fmt.Sprintf("[rerank]\nendpoint = %q\nendpoint_model = 'm'\n", server.URL))
	finding := func(topic string) doctor.Finding {
		for _, f := range doctor.Examine(t.Context(), a) {
			if f.Topic == topic {
				return f
			}
		}
		return doctor.Finding{}
	}
	if f := finding("model"); f.Level != doctor.Fine || !strings.Contains(f.Detail, "a server on this machine, gets the text of all files") || !strings.Contains(f.Detail, "vectors of 48 numbers, \"query: \" before questions") {
		t.Errorf("%+v", f)
	}
	if f := finding("reranker"); f.Level != doctor.Fine || !strings.Contains(f.Detail, "gets your questions and the passages that may answer them") {
		t.Errorf("%+v", f)
	}
	server.Become("another one")
	if f := finding("model"); f.Level != doctor.Warning || !strings.Contains(f.Detail, "dowse models use endpoint --as embedder") {
		t.Errorf("%+v", f)
	}
}

// TestSecretsAreSentToNoServer: a server that embeds or reranks never gets the text of files that hold secrets, whatever the settings say.
func TestSecretsAreSentToNoServer(t *testing.T) {
	files := map[string]string{"heron.md": herons["heron.md"], "prod.env": "# heron lake\nDB_PASSWORD=Zw7Qx9unguessable\n"}
	server := startVectors(t, endpointtest.LlamaCpp)
	a := served(t, server, rerankOff+"[extract]\nsecrets = true\n")
	owner := testapp.Own(t, a, testapp.Notes(t, files))
	testapp.Search(t, owner, "heron lake password")
	st, err := owner.Status(t.Context())
	if err != nil || st.Files != 1 || st.Skipped["passwords"] != 1 {
		t.Errorf("%+v, %v", st, err)
	}
	_, texts := server.Asked()
	if len(texts) == 0 || strings.Contains(strings.Join(texts, " "), "unguessable") {
		t.Errorf("the server got %q", texts)
	}
}
