package cli

import (
	"slices"
	"testing"

	"dowse/engine"
)

// TestSentElsewhereIsTold: what left this machine is told, of embedding and of reranking, and
// nothing of servers on this machine.
func TestSentElsewhereIsTold(t *testing.T) {
	far := engine.Sent{To: "https://far.example", Model: "m", Passages: 31, Remote: true}
	near := engine.Sent{To: "http://localhost:1", Model: "m", Passages: 20}
	plain := engine.Sent{To: "http://far.example", Model: "r", Passages: 20, Remote: true, Plain: true}
	for _, c := range []struct {
		stats engine.Stats
		want  []string
	}{
		{engine.Stats{}, nil},
		{engine.Stats{Sent: &near, Rerank: &engine.RerankStats{Sent: &near}}, nil},
		{engine.Stats{Sent: &far, Rerank: &engine.RerankStats{Sent: &plain}}, []string{
			"warning: the question and 31 passages of your files are sent to m at https://far.example, which is not this machine",
			"warning: the question and 20 passages of your files are sent to r at http://far.example, which is not this machine, unencrypted",
		}},
	} {
		if got := sentElsewhere(&engine.Result{Stats: c.stats}); !slices.Equal(got, c.want) {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

func TestServerText(t *testing.T) {
	for want, s := range map[string]engine.ServerStatus{
		"m at localhost:1 gets all": {Model: "m", Host: "localhost:1", Gets: "all"},
		"m at far:1 gets all; it is not on this machine, and the way there is not encrypted": {Model: "m", Host: "far:1", Gets: "all", Remote: true},
		"m at far:1 gets all; it is not on this machine":                                     {Model: "m", Host: "far:1", Gets: "all", Remote: true, Encrypted: true},
	} {
		if got := serverText(s); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
