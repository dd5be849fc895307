package engine

import "testing"

func TestModelChangeText(t *testing.T) {
	for want, c := range map[string]ModelChange{
		"changing the model: 3,412 of 20,000 passages, 12 min left; searches use a until then":                                                       {From: "a", To: "b", Done: 3412, All: 20000, Seconds: 700, Working: true},
		"changing the model: 0 of 7 passages; searches go by words alone until b is ready":                                                           {To: "b", All: 7, Working: true},
		"changing the model: 9 of 9 passages, tidying; searches use a until then":                                                                    {From: "a", To: "b", Done: 9, All: 7, Seconds: .2, Working: true},
		"changing the model: 0 of 7 passages, and nobody is at it: dowse index, dowse watch and the screen go on with it; searches use a until then": {From: "a", To: "b", All: 7},
		"changing the model: 0 of 7 passages, the disk is full; searches use a until then":                                                           {From: "a", To: "b", All: 7, Seconds: 3, Problem: "the disk is full"},
		"changing the model: 1 of 90,000 passages, 3 h left; searches use a until then":                                                              {From: "a", To: "b", Done: 1, All: 90000, Seconds: 3 * 3600, Working: true},
		"changing the model: 3 of 9 passages, 1 s left; searches use a until then":                                                                   {From: "a", To: "b", Done: 3, All: 9, Seconds: .2, Working: true},
		"searches use b": {To: "b", Over: true},
	} {
		if got := c.String(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
