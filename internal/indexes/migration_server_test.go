package indexes_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"dowse/engine/endpoint/endpointtest"
	"dowse/internal/app"
	"dowse/internal/config"
	"dowse/internal/testapp"
)

// TestIndexPassesToAServerAndBack: an index that a model of this machine built is searched by
// that until the server's is complete, and the other way round by words.
func TestIndexPassesToAServerAndBack(t *testing.T) {
	server := startVectors(t, endpointtest.VLLM)
	a := testapp.New(t)
	owner, err := a.OpenOwner(t.Context(), func() {})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := owner.Index(t.Context(), []string{testapp.Notes(t, map[string]string{
		"heron.md": "A heron stands in the reeds of the lake.\n",
		"grep.md":  "Ken Thompson wrote grep overnight.\n",
		"bread.md": "Rye bread proofs for three hours.\n",
	})}, nil); err != nil {
		t.Fatal(err)
	}
	if err := owner.Close(); err != nil {
		t.Fatal(err)
	}
	settings := fmt.Sprintf("[embed]\nendpoint = %q\nendpoint_model = 'm'\n", server.URL) + "[rerank]\nmodel = 'off'\n"
	if err := os.WriteFile(a.Home.ConfigFile(), []byte(settings), 0o600); err != nil {
		t.Fatal(err)
	}
	server.Break(endpointtest.Away, -1) // a server that was never met does not stand in the way of what there is
	if a, err = app.New(); err != nil {
		t.Fatal(err)
	}
	reader, err := a.OpenStack(t.Context(), true)
	if err != nil {
		t.Fatal(err)
	}
	if got := testapp.Search(t, reader, "heron lake"); got.Stats.ByWords != "" || got.Passages[0].VectorRank != 1 {
		t.Errorf("%+v", got.Stats)
	}
	if err := reader.Close(); err != nil {
		t.Fatal(err)
	}
	server.Break(endpointtest.None, 0)
	for _, step := range []struct{ use, before, after string }{
		{"", config.DefaultModel, "m at "},
		{config.DefaultModel, "", config.DefaultModel},
	} {
		if step.use != "" {
			if _, err := a.UseModel(step.use); err != nil {
				t.Fatal(err)
			}
		}
		if a, err = app.New(); err != nil {
			t.Fatal(err)
		}
		if owner, err = a.OpenOwner(t.Context(), func() {}); err != nil {
			t.Fatal(err)
		}
		st, err := owner.Status(t.Context())
		if err != nil || st.Model != step.before || st.Change == nil {
			t.Errorf("before: %+v, %v", st, err)
		}
		got := testapp.Search(t, owner, "heron lake")
		if (got.Stats.ByWords == "") != (step.before != "") || filepath.Base(got.Passages[0].Path) != "heron.md" {
			t.Errorf("before: %+v", got.Stats)
		}
		if _, err := owner.Index(t.Context(), nil, nil); err != nil {
			t.Fatal(err)
		}
		got = testapp.Search(t, owner, "heron lake")
		st, err = owner.Status(t.Context())
		if err != nil || len(st.Model) < len(step.after) || st.Model[:len(step.after)] != step.after || st.Change != nil || got.Stats.ByWords != "" || got.Passages[0].VectorRank != 1 {
			t.Errorf("after: %+v, %+v, %v", st, got.Stats, err)
		}
		if err := owner.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

func startVectors(t *testing.T, f endpointtest.Flavour) *endpointtest.Vectors {
	t.Helper()
	server := endpointtest.StartVectors(f)
	t.Cleanup(server.Close)
	return server
}
