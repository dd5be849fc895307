package generatebench

import (
	"slices"

	"dowse/engine/generate/draft"
)

// Way is a way of drafting that is compared.
type Way struct {
	Name    string
	Options draft.Options
	History bool // the answers before are drafted from too
}

// None is the way that drafts nothing: plain decoding.
const None = "none"

// Plain is the way that those without past answers are measured against: the
// plain suffix automaton over prompt and answer.
const Plain = "suffix automaton"

// Everything is the way that uses all there is to draft from.
const Everything = "+ past answers"

// remembering is the plain suffix automaton over past answers too: what those
// with past answers are measured against, since the text that a way draws from
// is worth as much as how it does.
const remembering = "with past answers"

// plainOf names the plain suffix automaton over the text that a way draws from.
func plainOf(way string) string {
	if slices.ContainsFunc(Ways(), func(w Way) bool { return w.Name == way && w.History }) {
		return remembering
	}
	return Plain
}

// Ways returns what is compared: no drafts, the published baseline, and the
// parts of ours one after the other.
func Ways() []Way {
	automaton := draft.Options{Automaton: true}
	calibrated := draft.Options{Automaton: true, Calibration: true}
	reused := draft.Options{Automaton: true, Calibration: true, Reuse: true}
	return []Way{
		{Name: None},
		{Name: "prompt lookup", Options: draft.Options{Lookup: true}},
		{Name: Plain, Options: automaton},
		{Name: remembering, Options: automaton, History: true},
		{Name: "+ calibration", Options: calibrated},
		{Name: "+ reuse", Options: reused},
		{Name: "+ branches", Options: draft.Full()},
		{Name: Everything, Options: draft.Full(), History: true},
	}
}

// speedWays are the ways that answer from end to end, plain decoding first: all
// of them, or beside it everything at once alone.
func speedWays(quick bool) []Way {
	return slices.DeleteFunc(Ways(), func(w Way) bool {
		return w.Name == remembering || quick && w.Name != None && w.Name != Everything
	})
}

// Half returns the items of the even conversations of a set, or of the odd ones.
// What drafting guesses from was learned on the even ones.
func Half(set Set, odd bool) Set {
	half := Set{Name: set.Name}
	for _, item := range set.Items {
		if item.Number%2 == 1 == odd {
			half.Items = append(half.Items, item)
		}
	}
	return half
}
