package search

import (
	"slices"
	"testing"

	"dowse/engine"
)

// TestRespelled: a mistyped word finds what is spelt like it, and the result says so in
// the spelling of the passages; not while the person types, and not for a phrase.
func TestRespelled(t *testing.T) {
	w := newWorld(t)
	w.index(file{root + "/kube.md", "Kubernetes deployment of the ingress\n", on(1, 1)}, file{root + "/soup.md", "tomatoes and onions\n", on(1, 2)})
	r := w.search(engine.Request{Query: "Kuberntes", Mode: engine.Lexical})
	if want := []engine.Respelling{{Word: "Kuberntes", As: "kubernetes"}}; !slices.Equal(r.Respelled, want) || len(r.Passages) != 1 {
		t.Errorf("respelled %v, %d passages; want %v", r.Respelled, len(r.Passages), want)
	} else if h := r.Passages[0].Highlights; len(h) != 1 || h[0] != (engine.Range{Start: 0, End: len("Kubernetes")}) {
		t.Errorf("highlights %v", h)
	}
	for _, req := range []engine.Request{
		{Query: "Kuberntes", Mode: engine.Lexical, Estimate: true},
		{Query: `"Kuberntes"`, Mode: engine.Lexical},
		{Query: "tomatoes", Mode: engine.Lexical},
	} {
		if r := w.search(req); len(r.Respelled) > 0 {
			t.Errorf("%+v: respelled %v", req, r.Respelled)
		}
	}
}
