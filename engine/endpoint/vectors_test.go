package endpoint

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"dowse/engine/endpoint/endpointtest"
)

// startVectors starts a server of vectors and a client that loses patience soon.
func startVectors(t *testing.T, f endpointtest.Flavour, o Options) (*endpointtest.Vectors, *Client) {
	t.Helper()
	server := endpointtest.StartVectors(f)
	t.Cleanup(server.Close)
	if o.URL = server.URL; f == endpointtest.TEI && o.Model == "rerank" {
		o.URL = server.Root()
	}
	o.Model, o.Pause = "m", time.Millisecond
	client, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	return server, client
}

var vectorTexts = []string{"the heron stands in the reeds", "Ken Thompson wrote grep", "rye bread proofs for three hours"}

// TestEmbed: each program's vectors are read, in the order of the texts, whatever the order
// and the form that they come in.
func TestEmbed(t *testing.T) {
	for _, f := range endpointtest.Flavours {
		for _, fault := range []endpointtest.Fault{endpointtest.None, endpointtest.Base64, endpointtest.Shuffled} {
			server, client := startVectors(t, f, Options{Key: "hush"})
			server.Break(fault, -1)
			vectors, err := client.Embed(t.Context(), vectorTexts, 0)
			if err != nil {
				t.Fatalf("%s, %s: %v", f, fault, err)
			}
			for i, text := range vectorTexts {
				if !slices.Equal(vectors[i], server.Vector(text)) {
					t.Errorf("%s, %s: the vector of %q is another one", f, fault, text)
				}
			}
			if keys := server.Keys(); len(keys) != 1 || keys[0] != "Bearer hush" {
				t.Errorf("%s: keys %q", f, keys)
			}
			if short, err := client.Embed(t.Context(), vectorTexts, 16); err != nil || len(short[0]) != 16 {
				t.Errorf("%s, %s: of 16 dimensions: %v, %v", f, fault, short, err)
			}
		}
	}
}

// TestEmbedRefusesWhatIsNone: a reply that is not what was asked for is none, with the reason.
func TestEmbedRefusesWhatIsNone(t *testing.T) {
	for fault, want := range map[endpointtest.Fault]struct {
		says   string
		outage bool
	}{
		endpointtest.Away:      {"ended the connection", true},
		endpointtest.Overload:  {"status 429): slow down", true},
		endpointtest.WebPage:   {"web page", false},
		endpointtest.Fewer:     {"for 2 texts of 3", false},
		endpointtest.Outside:   {"number 3 of 3", false},
		endpointtest.Twice:     {"number 0 of 3", false},
		endpointtest.Null:      {"null in it", false},
		endpointtest.Huge:      {"no list of numbers", false},
		endpointtest.Ragged:    {"of 49 and of 48 numbers", false},
		endpointtest.Truncated: {"middle of the answer", true},
		endpointtest.Stall:     {"did not answer in time", true},
		endpointtest.Reported:  {"it reports: out of memory", false},
		endpointtest.Moved:     {"sent on to http://elsewhere.example, which is not done", false},
	} {
		var o Options
		if fault == endpointtest.Stall {
			o.Idle = 50 * time.Millisecond
		}
		server, client := startVectors(t, endpointtest.VLLM, o)
		server.Break(fault, -1)
		_, err := client.Embed(t.Context(), vectorTexts, 0)
		if err == nil || !strings.Contains(err.Error(), want.says) || IsOutage(err) != want.outage {
			t.Errorf("%s: %v, outage %t; want it to say %q", fault, err, IsOutage(err), want.says)
		}
		requests, _ := server.Asked()
		if tries := map[bool]int{true: 4, false: 1}[fault == endpointtest.Overload]; requests != tries {
			t.Errorf("%s: asked %d times", fault, requests)
		}
	}
}

// TestBusyServerIsAskedAgain: until it has time, and no longer than it asks for.
func TestBusyServerIsAskedAgain(t *testing.T) {
	server, client := startVectors(t, endpointtest.Ollama, Options{})
	server.Break(endpointtest.Overload, 2)
	if _, err := client.Embed(t.Context(), vectorTexts, 0); err != nil {
		t.Error(err)
	}
	if requests, _ := server.Asked(); requests != 3 {
		t.Errorf("asked %d times", requests)
	}
	_, slow := startVectors(t, endpointtest.Ollama, Options{})
	slow.options.Pause = time.Hour
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := slow.Embed(ctx, vectorTexts, 0); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// TestTooLongIsARefusal: a text that a server cannot take is told from a server that is away.
func TestTooLongIsARefusal(t *testing.T) {
	server, client := startVectors(t, endpointtest.LlamaCpp, Options{})
	server.Break(endpointtest.Picky, -1)
	_, err := client.Embed(t.Context(), []string{strings.Repeat("word ", 200)}, 0)
	if !Refuses(err) || IsOutage(err) || !strings.Contains(err.Error(), "too large to process") {
		t.Error(err)
	}
}

// TestRerank: each program's scores are read in the order of the documents.
func TestRerank(t *testing.T) {
	for _, f := range []endpointtest.Flavour{endpointtest.LlamaCpp, endpointtest.VLLM, endpointtest.TEI} {
		for _, fault := range []endpointtest.Fault{endpointtest.None, endpointtest.Shuffled} {
			server, client := startVectors(t, f, Options{Model: "rerank"})
			server.Break(fault, -1)
			scores, err := client.Rerank(t.Context(), "who wrote grep", vectorTexts)
			if err != nil || len(scores) != 3 || !(scores[1] > scores[0]) || !(scores[1] > scores[2]) {
				t.Errorf("%s, %s: %v, %v", f, fault, scores, err)
			}
			server.Forget()
			if _, err := client.Rerank(t.Context(), "who wrote grep", vectorTexts); err != nil {
				t.Error(err)
			}
			if requests, texts := server.Asked(); requests != 1 || !slices.Equal(texts, vectorTexts) {
				t.Errorf("%s: the second time it took %d requests, with %q", f, requests, texts)
			}
		}
	}
}

func TestRerankRefusesWhatIsNone(t *testing.T) {
	for fault, says := range map[endpointtest.Fault]string{
		endpointtest.Fewer:    "for 2 texts of 3",
		endpointtest.Outside:  "number 3 of 3",
		endpointtest.Twice:    "number 0 of 3",
		endpointtest.Null:     "no score of the text",
		endpointtest.WebPage:  "web page",
		endpointtest.Reported: "out of memory",
	} {
		server, client := startVectors(t, endpointtest.LlamaCpp, Options{})
		server.Break(fault, -1)
		if _, err := client.Rerank(t.Context(), "who wrote grep", vectorTexts); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v; want it to say %q", fault, err, says)
		}
	}
}
