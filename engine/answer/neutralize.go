package answer

import "regexp"

var (
	// delimiters are what could end a passage's block, or the turn of a
	// conversation in the templates that models are trained with.
	delimiters = regexp.MustCompile(`(?i)<(\s*/?\s*(?:passage|s\s*>|start_of_turn|end_of_turn|bos>|eos>|think|tool_call|system)|[|｜])`)
	turnMarks  = regexp.MustCompile(`(?i)\[(/?INST)\]|<<(/?SYS)>>`)
	// references are numbers in brackets as articles have them, which would
	// look like citations; a[1] is left alone.
	references = regexp.MustCompile(`(^|[\s.,;:!?"'”’)])\[([0-9]{1,3}(?:\s*,\s*[0-9]{1,3})*)\]`)
)

// neutralize changes what a passage could be mistaken by for the prompt
// around it: delimiters lose their bracket, references become (3).
func neutralize(text string) string {
	text = delimiters.ReplaceAllString(text, "‹$1")
	text = turnMarks.ReplaceAllString(text, "($1$2)")
	// Twice, since neighbours share the character between them.
	text = references.ReplaceAllString(text, "$1($2)")
	return references.ReplaceAllString(text, "$1($2)")
}
