package search

import (
	"testing"

	"dowse/engine"
)

// TestAQuestionThatGoesOnMayChangeTheSubject: "and" and a pronoun do not hold a question to
// what was said where it finds something better elsewhere, nor what follows it; one that
// finds nothing better goes on.
func TestAQuestionThatGoesOnMayChangeTheSubject(t *testing.T) {
	w, f := boilers(t)
	w.index(file{root + "/recipes.md", "The app that I keep recipes in is Mela, the sourdough too.\n", on(1, 4)})
	f.says = engine.Answer{Text: "The pipe froze. [1]", Citations: []engine.AnswerCitation{{N: 1}}}
	w.ask(engine.Request{Query: "why did the boiler cut out", Context: "home", Answer: true})
	r, _ := w.ask(engine.Request{Query: "and the app for recipes", Context: "home", Answer: true})
	if r.Context.Standalone != "" || r.Passages[0].Path != root+"/recipes.md" || len(f.job.Follows) > 0 {
		t.Errorf("a new subject: read as %q, found %s, follows %q", r.Context.Standalone, names(r), f.job.Follows)
	}
	r, _ = w.ask(engine.Request{Query: "what is it", Context: "home", Answer: true})
	if r.Passages[0].Path != root+"/recipes.md" || len(f.job.Follows) != 1 || f.job.Follows[0] != "and the app for recipes" {
		t.Errorf("after the new subject: found %s, follows %q", names(r), f.job.Follows)
	}
	r, _ = w.ask(engine.Request{Query: "and the sourdough", Context: "home", Answer: true})
	if r.Context.Standalone == "" || r.Passages[0].Path != root+"/recipes.md" {
		t.Errorf("on the subject: read as %q, found %s", r.Context.Standalone, names(r))
	}
}

// TestContrastOfAQuestion: each part of it tells the way that it should, and none is told
// where the mode has but one list, or no file answered before.
func TestContrastOfAQuestion(t *testing.T) {
	const question = "which app keeps recipes"
	level := (&contrast{}).standsAlone(question, 1.5)
	for _, c := range []struct {
		contrast contrast
		more     bool
	}{{contrast{meaning: .3}, true}, {contrast{words: 1}, true}, {contrast{asked: .5}, false}} {
		if p := c.contrast.standsAlone(question, 1.5); p > level != c.more {
			t.Errorf("%+v: %.3f beside %.3f", c.contrast, p, level)
		}
	}
	w, _ := boilers(t)
	w.ask(engine.Request{Query: "why did the boiler cut out", Context: "home", Answer: true})
	for _, mode := range []engine.Mode{engine.Lexical, engine.Vector, engine.RRF} { // as words alone tell
		if r, _ := w.ask(engine.Request{Query: "and the zebra crossing", Context: "home", Mode: mode}); r.Context.Standalone == "" {
			t.Errorf("%s: asked alone", mode)
		}
	}
	w.unindex(root + "/boiler.md")
	if r, _ := w.ask(engine.Request{Query: "and the zebra crossing", Context: "home"}); r.Context.Standalone == "" {
		t.Error("without the files that answered: asked alone")
	}
}
