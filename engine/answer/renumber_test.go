package answer

import "testing"

// TestRenumber: citations get the numbers that the passages have elsewhere.
func TestRenumber(t *testing.T) {
	to := map[int]int{1: 1, 2: 7, 3: 12, 4: 2}
	for text, want := range map[string]string{
		"":                             "",
		"Nothing is cited.":            "Nothing is cited.",
		"It rained [1]. It blew.":      "It rained [1]. It blew.",
		"It rained [2]. It blew [3].":  "It rained [7]. It blew [12].",
		"It rained [2, 3] [4].":        "It rained [7, 12] [2].",
		"It rained [2-4].":             "It rained [7, 12, 2].",
		"It rained [9]. It blew [4].":  "It rained. It blew [2].",
		"It rained [9, 4].":            "It rained [2].",
		"`a[2]` rained [2].":           "`a[2]` rained [7].",
		"It rained [2":                 "It rained [2",
		"It rained [passage 3] twice.": "It rained [12] twice.",
	} {
		if got := Renumber(text, to); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
