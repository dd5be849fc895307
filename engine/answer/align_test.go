package answer

import (
	"testing"

	"dowse/engine"
)

// TestAlign: sentences get the passages that hold their words, whatever the model
// cited; one that nothing supports gets none.
func TestAlign(t *testing.T) {
	c := newChecker(t, "When does the Zaphod timer run?")
	for text, want := range map[string]string{
		"Anna Keller wrote the script in 2019. [1]":                    "Anna Keller wrote the script in 2019. [2]",
		"Anna Keller wrote the script in 2019":                         "Anna Keller wrote the script in 2019 [2]",
		"[1] The disk is named Meyer [7]. It holds 4 TB [3-5].":        "The disk is named Meyer. [1] It holds 4 TB. [2]",
		"La maison est bleue.":                                         "La maison est bleue.",
		"Run:\n```sh\nrestic restore latest --target /tmp/back\n```\n": "Run: [2]\n```sh\nrestic restore latest --target /tmp/back\n```\n[2]\n",
	} {
		if got := c.Align(text, true); got != want {
			t.Errorf("%q is aligned to %q, want %q", text, got, want)
		}
	}
	if got, want := c.Align("Anna Keller wrote the script. It holds", false), "Anna Keller wrote the script. [2] It holds"; got != want {
		t.Errorf("growing: %q, want %q", got, want)
	}
	said := c.Check(c.Align("Anna Keller wrote the script in 2023.", true), true)
	if got := issues(said); got != `number "2023" 0` || said.Confidence != engine.Perhaps {
		t.Errorf("a number of no passage: %s, %s", got, said.Confidence)
	}
	if said := c.Check(c.Align("La maison est bleue.", true), true); said.Confidence != engine.Perhaps {
		t.Errorf("what no passage says is %s", said.Confidence)
	}
}
