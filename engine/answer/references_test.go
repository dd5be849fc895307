package answer

import "testing"

// TestReferencesAreTakenOutWhole: of marks of sources nothing stays behind, and what only
// looks like them stays.
func TestReferencesAreTakenOutWhole(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"Visitors rose to 1.2 million,[5],[6] up from 800,000.", "Visitors rose to 1.2 million, up from 800,000."},
		{"Visitors rose to 1.2 million[5](#cite-5),[6](#cite-6) up from 800,000.", "Visitors rose to 1.2 million up from 800,000."},
		{"[3], [4] The lamp burns 72 W.", "The lamp burns 72 W."},
		{",[6] up from 40 in 1999", "up from 40 in 1999"},
		{"The lamp[^lamp] burns 72 W.[^2][^3]", "The lamp burns 72 W."},
		{"[^2]: Letter of the keeper, 1911.", "Letter of the keeper, 1911."},
		{"It was built in 1066.[3] The tower came later [\\[4\\]](https://x.y/4).", "It was built in 1066. The tower came later."},
		{"The tower[[7]](https://x.y/#7) leans.", "The tower leans."},
		{"It leans by 4%[1][2], as they say.", "It leans by 4%, as they say."},
		{"take args[0] and a[1], not `b.[2]`", "take args[0] and a[1], not `b.[2]`"},
		{"see [3] for the proof", "see [3] for the proof"},
		{"the [draft](https://x.y/z) of [May 3](may.md)", "the draft of May 3"},
		{"[ ] call Ann", "[ ] call Ann"},
		{"[3]", "[3]"},
	} {
		checkPlain(t, Prose, c.text, c.want)
	}
	checkPlain(t, Code, "x.[1]", "x.[1]")
}
