package answer

import (
	"regexp"
	"strings"
)

// denials are models' wordings of declining.
var denials = regexp.MustCompile(`not in your files` +
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
	if strings.HasPrefix(flat, strings.TrimSuffix(strings.ToLower(DeclinedText), ".")) {
		return true
	}
	return citations == 0 && denials.MatchString(flat)
}
