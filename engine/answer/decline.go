package answer

import (
	"math"
	"strings"

	"dowse/engine"
	"dowse/internal/pattern"
)

// denials are models' wordings of declining.
var denials = pattern.New(`not in your files` +
	`|\b(?:passages?|texts?|context|files|notes|documents?|sources?)(?: provided| given| above)? (?:do|does|did)(?: not|n't) (?:\w+ ){0,2}(?:contain|mention|say|provide|specify|state|include|hold|answer|give|discuss|address|explicitly)` +
	`|\b(?:none|neither) of (?:the|these|your) (?:\w+ )?(?:passages?|files|notes|documents?|sources?)\b` +
	`|\bno (?:\w+ )?(?:information|mention|answer)\b.{0,60}\b(?:passages?|text|context|files|notes|documents?|sources?)\b` +
	`|\b(?:is|are|was|were)(?: not|n't) (?:\w+ )?(?:mentioned|stated|specified|provided|given|found|answered|included|discussed)(?: explicitly)?(?: \w+){0,2} (?:in|by) (?:the|these|any of the|your) (?:\w+ )?(?:passages?|text|context|files|notes|documents?|sources?)` +
	`|\b(?:cannot|can't|can not|could not|unable to) (?:be )?(?:answer|answered|determine|determined|find|found)\b.{0,60}\b(?:passages?|text|context|files|notes|documents?|sources?)\b` +
	`|^(?:i'm sorry, (?:but )?|sorry, (?:but )?|unfortunately, )?i (?:do not|don't) know\b` +
	`|^(?:i|we) (?:do not|don't) have (?:\w+ )?information\b`)

// declines reports whether a model's answer declines. A denial beside citations
// is part of an answer ("[1] does not say when, but [2] ..."), unless the
// answer begins with the words that models are told to use.
func declines(text string, citations int) bool {
	flat := flatten(text)
	if strings.HasPrefix(flat, strings.TrimSuffix(strings.ToLower(Denial), ".")) {
		return true
	}
	return citations == 0 && denials.MatchString(flat)
}

// Conclude reads a finished answer. It drops a sentence cut off for want of
// room, unless that is all, and words every declining answer alike.
func (c *Checker) Conclude(text string, cut bool) Answer {
	text = strings.TrimSpace(text)
	if begun := c.Check(text, false).Sentences; cut && len(begun) > 1 {
		text = text[:begun[len(begun)-2].End]
	}
	said := c.Check(text, true)
	if said.Declined {
		return Declined()
	}
	return said
}

// Verifier judges a quotation by a second model that was trained to decline
// where question and text do not fit (after Hu and others, "Read + Verify:
// Machine Reading Comprehension with Unanswerable Questions", 2019). A logistic
// regression over both models, fitted to questions outside their training,
// gives the probability.
type Verifier struct {
	// Bias, Support and Assent weigh: 1; the logit of the quotation's support;
	// the log odds that the second model does not decline.
	Bias, Support, Assent float64
	// SureFrom and PerhapsFrom are the least probabilities of a sure and of a
	// nearest answer.
	SureFrom, PerhapsFrom float64
}

// leastChance keeps probabilities from 0 and 1 before taking logits.
const leastChance = 1e-6

// logit is the log odds of a probability.
func logit(p float64) float64 {
	p = min(max(p, leastChance), 1-leastChance)
	return math.Log(p / (1 - p))
}

func logistic(x float64) float64 { return 1 / (1 + math.Exp(-x)) }

// Verify returns the probability that a quotation answers, and its confidence,
// given the second model's probability of declining.
func (v *Verifier) Verify(support, declining float64) (float64, Confidence) {
	p := logistic(v.Bias + v.Support*logit(support) - v.Assent*logit(declining))
	return p, confidenceAt(p, v.SureFrom, v.PerhapsFrom)
}

// DeclineFrom is the probability of declining, 0 to 1, from which a quotation
// of some support is no answer.
func (v *Verifier) DeclineFrom(support float64) float64 {
	if v.Assent <= 0 { // the second model changes nothing
		if _, c := v.Verify(support, 0.5); c == None {
			return 0
		}
		return 1
	}
	return logistic((v.Bias + v.Support*logit(support) - logit(v.PerhapsFrom)) / v.Assent)
}

// leastDeclining is a probability of declining that models seldom fall below.
const leastDeclining = 0.002

// Hopeless reports whether no second model could make a quotation of some
// support an answer.
func (v *Verifier) Hopeless(support float64) bool { return v.DeclineFrom(support) < leastDeclining }

// nearestFrom is the least Support at which a declined quotation is still
// shown. Of 704 held-out questions about notes, quotations with support .20 to
// .25 held the evidence in 6 of 42 cases, with .25 to .30 in 12 of 50.
const nearestFrom = 0.25

// Near reports whether a declined quotation is worth showing.
func (a Answer) Near() bool { return a.Text != "" && a.Support >= nearestFrom }

// OrDeclined returns the answer, or the declining one where its confidence is
// None.
func (a Answer) OrDeclined() Answer {
	if a.Confidence != None {
		return a
	}
	return Answer{Text: engine.DeclinedText, Confidence: None, Declined: true, Support: a.Support}
}

// Declined is the answer that the passages hold none.
func Declined() Answer { return Answer{Confidence: None}.OrDeclined() }

// Denial is how models are trained, and told, to decline. People read
// engine.DeclinedText.
const Denial = "Not in your files."

// confidenceAt grades the probability p.
func confidenceAt(p, sureFrom, perhapsFrom float64) Confidence {
	switch {
	case p >= sureFrom:
		return Sure
	case p >= perhapsFrom:
		return Perhaps
	}
	return None
}

// shownText is the text for people. It shows nothing while a model's own
// declining words may be coming.
func shownText(said Answer) string {
	text, denial := strings.TrimSpace(said.Text), Denial
	switch {
	case said.Declined:
		return engine.DeclinedText
	case said.Confidence == "" && (strings.HasPrefix(denial, text) || strings.HasPrefix(text, denial)):
		return ""
	}
	return said.Text
}

// ShownQuoted converts a quotation for front ends. One that is too unlikely
// stands below the declining words, so that a person may judge it.
func ShownQuoted(quoted Answer) *engine.Answer {
	if quoted.Confidence != None || !quoted.Near() {
		return Shown(quoted.OrDeclined(), engine.Extracted)
	}
	nearest := Shown(quoted, engine.Extracted)
	return &engine.Answer{
		Text: engine.UnansweredText, Citations: nearest.Citations, Confidence: engine.None, Declined: true, Quotation: nearest, How: engine.Extracted,
	}
}
