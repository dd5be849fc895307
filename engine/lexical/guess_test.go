package lexical_test

import (
	"context"
	"strings"
	"testing"

	"dowse/engine/lexical"
)

func TestGuess(t *testing.T) {
	c, store := indexOf(t,
		"kubernetes deployment of the ingress", "kubernetes pods", "infrastructure", "configuration of the router", "routes and router logs",
		"Wir haben die Versicherungen nicht gekündigt, weil sie noch laufen.")
	ctx := context.Background()
	for _, test := range []struct{ query, want string }{
		{"kuberntes", "kubernet"},          // a letter is missing
		{"kubrenetes", "kubernet"},         // two are swapped
		{"ukbernetes", "kubernet"},         // the first two
		{"kubernetess", "kubernet"},        // one is added
		{"infratsructre", "infrastructur"}, // two mistakes in a long word
		{"ruoter", "router"},
		{"Versichreung", "versicher"},
		{"Versicherungne", "versicher"},
		{"where is the Versicherungne", ""}, // which is no English word
		{"wo ist die Versicherungne", "versicher"},
		{"router", ""},   // it is there
		{"pdos", ""},     // too short to tell
		{"banana", ""},   // nothing is like it
		{"router77", ""}, // numbers are not spelt
	} {
		in, err := c.Languages(ctx, store)
		if err != nil {
			t.Fatal(err)
		}
		q := lexical.NewAnalyzer().QueryIn(test.query, in)
		found, err := c.Search(ctx, store, q, 10, nil)
		if err != nil {
			t.Fatal(err)
		}
		respelled, guesses, err := c.Guess(ctx, store, q, found.Terms)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		if len(guesses) > 0 {
			got = guesses[0].Term
			if !strings.HasSuffix(test.query, guesses[0].Word) || respelled[len(q)-1].Weight >= q[len(q)-1].Weight || !respelled[len(q)-1].Guessed {
				t.Errorf("%q: %+v, asked as %+v", test.query, guesses[0], respelled[0])
			}
		}
		if got != test.want {
			t.Errorf("%q: %q, want %q", test.query, got, test.want)
		}
	}
}
