package answer

import (
	"strings"
	"unicode"

	"dowse/internal/pattern"
)

// Marks of Markdown that plain removes.
var (
	imageMark    = pattern.New(`!\[([^\]\n]*)\]\([^)\n]*\)`)
	linkMark     = pattern.New(`\[([^\]\n]+)\](?:\([^)\n]*\)|\[[^\]\n]*\])`)
	emphasisMark = pattern.New(`(\*\*|__)(\S(?:[^*_\n]*\S)?)(?:\*\*|__)`)
	stressMark   = pattern.New(`(^|[\s("'])([*_])(\pL[\pL\pN '’-]*)[*_]($|[\s.,;:!?)"'])`)
	quoteMark    = pattern.New(`(?m)^[ \t]*(?:>[ \t]?)+`)
)

// plain is a piece as shown: code as it is, other text on one line without
// marks of links, emphasis and quotes, without control characters.
func plain(text string, k Kind) string {
	text = withoutControls(text)
	if k == Code {
		return strings.Trim(text, "\n")
	}
	text = quoteMark.ReplaceAllString(text, "")
	text = imageMark.ReplaceAllString(text, "$1")
	text = withoutReferences(text)
	text = linkMark.ReplaceAllString(text, "$1")
	text = emphasisMark.ReplaceAllString(text, "$2")
	text = stressMark.ReplaceAllString(text, "$1$3$4")
	return strings.Join(strings.Fields(text), " ")
}

// withoutControls drops control and format characters, which move cursors, hide
// text or reverse it, and invalid UTF-8; it keeps line ends and tabs.
func withoutControls(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return r
		case r == '\u2028' || r == '\u2029':
			return '\n'
		case r == unicode.ReplacementChar || unicode.IsControl(r):
			return -1
		case r == '\u200d' || r == '\u200c': // parts of emoji and words
			return r
		case unicode.Is(unicode.Cf, r):
			return -1
		}
		return r
	}, text)
}

// Servers put prompts into their model's chat template, and many parse its
// special tokens anywhere. The model is unknown here, so the tokens of all
// families are broken: they lose their first bracket or get a mark in front;
// the words stay. Local models get the same from package chat.
var (
	// delimiters could end a passage's block or a turn. <|im_start|> and the
	// like are broken by their first two characters.
	delimiters = pattern.New(`(?i)<([|｜]|[a-z_]{1,32}[|｜]>|\s*/?\s*(?:` + strings.Join([]string{
		`passage`, `think`, `system`, `tool_(?:call|response|result)`, `function_call`,
		`(?:start|end|begin)_?of_?[a-z]`, // Gemma, Granite, Idefics and older ones
		`im_(?:start|end|sep|user|assistant|system|middle)`, `(?:extra_id|reserved|special|unused)_?[0-9]`, `seed:`, `fim[_-]`, `eot_id`,
		`(?:s|[bes]os|bos_token|eos_token|sop|eo[adhmpt]|pad|unk|mask|cls|sep|gmask|user|assistant|human|bot|model)\s*>`,
	}, "|") + `))`)
	// brackets are turns of Llama 2 and Mistral, ChatGLM, EXAONE and Falcon.
	brackets = pattern.New(`(?i)\[(/?(?:INST|SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_(?:CALLS?|RESULTS?|CONTENT)|THINK|MODEL_SETTINGS|[gs]MASK)|[|｜][a-z_ ]+[|｜])\]` +
		`|<<(/?SYS)>>|>>(QUESTION|ANSWER|TITLE|ABSTRACT|INTRODUCTION|SUMMARY|COMMENT|DOMAIN|PREFIX|SUFFIX|MIDDLE)<<`)
	// tildes are turns of MiniMax: ]~b] and [e~[.
	tildes = pattern.New(`(\]~!?b|\[e~)([\[\]])`)
	// roles begin turns of templates without tokens, as Alpaca's and Vicuna's;
	// only at the start of a line and in that spelling, since notes of talks
	// begin lines with names too.
	roles = pattern.New(`(?m)^([ \t]*)(#{2,4} ?(?:Instruction|Response|Input|System|User|Assistant|Human):|(?:USER|ASSISTANT|SYSTEM|Human|Assistant):)`)
	// references are bracketed numbers of articles, which look like citations;
	// a[1] is left alone.
	references = pattern.New(`(^|[\s.,;:!?"'”’)])\[([0-9]{1,3}(?:\s*,\s*[0-9]{1,3})*)\]`)
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
