package answer

import (
	"regexp"
	"strings"
)

// A server puts a prompt into the template of its own model, and many of them read
// the special tokens of that template wherever they stand. Which model it is nobody
// tells, so that those of all families are broken: they lose their first bracket,
// or a mark goes in front, and the words stay. Locally package chat keeps the
// content of messages apart from the template; what is done here is the same.
var (
	// delimiters are what could end a passage's block, or a turn. <|im_start|> and
	// its like are broken by their first two characters, whatever follows.
	delimiters = regexp.MustCompile(`(?i)<([|｜]|[a-z_]{1,32}[|｜]>|\s*/?\s*(?:` + strings.Join([]string{
		`passage`, `think`, `system`, `tool_(?:call|response|result)`, `function_call`,
		`(?:start|end|begin)_?of_?[a-z]`, // Gemma, Granite, Idefics and older ones
		`im_(?:start|end|sep|user|assistant|system|middle)`, `(?:extra_id|reserved|special|unused)_?[0-9]`, `seed:`, `fim[_-]`, `eot_id`,
		`(?:s|[bes]os|bos_token|eos_token|sop|eo[adhmpt]|pad|unk|mask|cls|sep|gmask|user|assistant|human|bot|model)\s*>`,
	}, "|") + `))`)
	// brackets are the turns of Llama 2 and Mistral, ChatGLM, EXAONE and Falcon.
	brackets = regexp.MustCompile(`(?i)\[(/?(?:INST|SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_(?:CALLS?|RESULTS?|CONTENT)|THINK|MODEL_SETTINGS|[gs]MASK)|[|｜][a-z_ ]+[|｜])\]` +
		`|<<(/?SYS)>>|>>(QUESTION|ANSWER|TITLE|ABSTRACT|INTRODUCTION|SUMMARY|COMMENT|DOMAIN|PREFIX|SUFFIX|MIDDLE)<<`)
	// tildes are those of MiniMax: ]~b] and [e~[.
	tildes = regexp.MustCompile(`(\]~!?b|\[e~)([\[\]])`)
	// roles begin a turn where a template has no tokens of its own, as Alpaca's and
	// Vicuna's. Only at the start of a line, and spelt as there: notes of talks have
	// names in front as well.
	roles = regexp.MustCompile(`(?m)^([ \t]*)(#{2,4} ?(?:Instruction|Response|Input|System|User|Assistant|Human):|(?:USER|ASSISTANT|SYSTEM|Human|Assistant):)`)
	// references are numbers in brackets as articles have them, which would
	// look like citations; a[1] is left alone.
	references = regexp.MustCompile(`(^|[\s.,;:!?"'”’)])\[([0-9]{1,3}(?:\s*,\s*[0-9]{1,3})*)\]`)
)

// neutralize changes what a passage could be mistaken by for the prompt
// around it: delimiters lose their bracket, roles are marked as quoted, references
// become (3).
func neutralize(text string) string {
	text = delimiters.ReplaceAllString(text, "‹$1")
	text = brackets.ReplaceAllString(text, "($1$2$3)")
	text = tildes.ReplaceAllString(text, "$1 $2")
	text = roles.ReplaceAllString(text, "$1› $2")
	// Twice, since neighbours share the character between them.
	text = references.ReplaceAllString(text, "$1($2)")
	return references.ReplaceAllString(text, "$1($2)")
}
