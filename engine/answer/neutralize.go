package answer

import (
	"regexp"
	"strings"
)

// Servers put prompts into their model's chat template, and many parse its
// special tokens anywhere. The model is unknown here, so the tokens of all
// families are broken: they lose their first bracket or get a mark in front;
// the words stay. Local models get the same from package chat.
var (
	// delimiters could end a passage's block or a turn. <|im_start|> and the
	// like are broken by their first two characters.
	delimiters = regexp.MustCompile(`(?i)<([|｜]|[a-z_]{1,32}[|｜]>|\s*/?\s*(?:` + strings.Join([]string{
		`passage`, `think`, `system`, `tool_(?:call|response|result)`, `function_call`,
		`(?:start|end|begin)_?of_?[a-z]`, // Gemma, Granite, Idefics and older ones
		`im_(?:start|end|sep|user|assistant|system|middle)`, `(?:extra_id|reserved|special|unused)_?[0-9]`, `seed:`, `fim[_-]`, `eot_id`,
		`(?:s|[bes]os|bos_token|eos_token|sop|eo[adhmpt]|pad|unk|mask|cls|sep|gmask|user|assistant|human|bot|model)\s*>`,
	}, "|") + `))`)
	// brackets are turns of Llama 2 and Mistral, ChatGLM, EXAONE and Falcon.
	brackets = regexp.MustCompile(`(?i)\[(/?(?:INST|SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_(?:CALLS?|RESULTS?|CONTENT)|THINK|MODEL_SETTINGS|[gs]MASK)|[|｜][a-z_ ]+[|｜])\]` +
		`|<<(/?SYS)>>|>>(QUESTION|ANSWER|TITLE|ABSTRACT|INTRODUCTION|SUMMARY|COMMENT|DOMAIN|PREFIX|SUFFIX|MIDDLE)<<`)
	// tildes are turns of MiniMax: ]~b] and [e~[.
	tildes = regexp.MustCompile(`(\]~!?b|\[e~)([\[\]])`)
	// roles begin turns of templates without tokens, as Alpaca's and Vicuna's;
	// only at the start of a line and in that spelling, since notes of talks
	// begin lines with names too.
	roles = regexp.MustCompile(`(?m)^([ \t]*)(#{2,4} ?(?:Instruction|Response|Input|System|User|Assistant|Human):|(?:USER|ASSISTANT|SYSTEM|Human|Assistant):)`)
	// references are bracketed numbers of articles, which look like citations;
	// a[1] is left alone.
	references = regexp.MustCompile(`(^|[\s.,;:!?"'”’)])\[([0-9]{1,3}(?:\s*,\s*[0-9]{1,3})*)\]`)
)

// neutralize breaks what a prompt could mistake for itself: delimiters lose
// their bracket, roles are quoted, references become (3).
func neutralize(text string) string {
	text = delimiters.ReplaceAllString(text, "‹$1")
	text = brackets.ReplaceAllString(text, "($1$2$3)")
	text = tildes.ReplaceAllString(text, "$1 $2")
	text = roles.ReplaceAllString(text, "$1› $2")
	// Twice, since neighbours share a character.
	text = references.ReplaceAllString(text, "$1($2)")
	return references.ReplaceAllString(text, "$1($2)")
}
