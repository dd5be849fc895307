package engine

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// CompletionRequest asks how the filter can be completed that is typed at a place of a
// query line.
type CompletionRequest struct {
	Line   string   `json:"line"`
	Cursor int      `json:"cursor"`       // in bytes
	Max    int      `json:"max"`          // suggestions wanted; 0 means DefaultSuggestions
	In     []string `json:"in,omitempty"` // absolute folders that are searched; empty means all
	// Asked says that the person asked for suggestions by a key: what may be meant as a
	// word, such as from, is completed too.
	Asked bool `json:"asked,omitempty"`
}

// DefaultSuggestions is the number of suggestions when a request names none.
const DefaultSuggestions = 10

// Completion is what a filter may go on with, the best first.
type Completion struct {
	Start       int          `json:"start"` // the bytes of the line that a suggestion takes the place of
	End         int          `json:"end"`
	Key         string       `json:"key,omitempty"` // of the filter, "" while that is being typed
	Suggestions []Suggestion `json:"suggestions,omitempty"`
	More        int          `json:"more,omitempty"` // that there are beside these
}

// Suggestion is one way to complete a filter.
type Suggestion struct {
	Text   string `json:"text"`             // that stands in the line then, quoted where it has to be
	Label  string `json:"label"`            // for people; not yet safe for a terminal
	Detail string `json:"detail,omitempty"` // what it means, likewise
	Files  int    `json:"files,omitempty"`  // that have it
}

// Typing is the part of a filter that stands under the cursor.
type Typing struct {
	Key     string // "" while the key itself is being typed
	Negated bool
	Text    string   // of it, up to the cursor, in small letters
	Others  []string // of a list of values, those beside it
	Start   int      // the bytes of the line that a completion takes the place of
	End     int

	place int // in Others that it comes before
}

// isList reports whether a filter takes several values, with commas between them.
func isList(key string) bool { return key == "ext" || key == "type" || key == "tag" }

// TypingAt returns what is being typed of a filter at a byte of a query line, and reports
// whether anything is. Plain words are left in peace: a key counts from its second letter
// until it is complete, since from and to are words, as the beginning of before is. Where
// the person asked for suggestions every place between filters counts, the empty one too.
func TypingAt(line string, cursor int, asked bool) (Typing, bool) {
	cursor = min(max(cursor, 0), len(line))
	for _, t := range splitQuery(line) {
		if cursor < t.start || cursor > t.end {
			continue
		}
		switch t.key {
		case exactKey, grepKey: // of passages, which nobody lists
			return Typing{}, false
		case "":
		default:
			return typingValue(line, cursor, t)
		}
		return typingKey(cursor, t, asked)
	}
	return Typing{Start: cursor, End: cursor}, asked
}

// typingKey is TypingAt within a word.
func typingKey(cursor int, t term, asked bool) (Typing, bool) {
	out := Typing{Negated: t.negated, Text: strings.ToLower(t.value), Start: t.at, End: t.end}
	switch {
	case t.quoted || cursor != t.end:
		return Typing{}, false
	case asked && t.value == "-":
		return Typing{Negated: true, Start: t.end, End: t.end}, true
	case asked:
		return out, true
	case len(out.Text) < 2, out.Text == "be", isFilterKey(out.Text):
		return Typing{}, false
	}
	return out, len(CompleteKey(out).Suggestions) > 0
}

// typingValue is TypingAt within a filter.
func typingValue(line string, cursor int, t term) (Typing, bool) {
	if cursor < t.at {
		return Typing{}, false // in its key
	}
	out := Typing{Key: t.key, Negated: t.negated, Start: t.at, End: t.end}
	value, at := line[t.at:t.end], cursor-t.at
	if t.quoted {
		closed := len(value) > 1 && strings.HasSuffix(value, `"`)
		switch {
		case closed && at == len(value):
			return Typing{}, false // behind it
		case closed:
			value = value[1 : len(value)-1]
		default: // what follows is not meant to be of it, though the quotation runs on
			end := len(value)
			if i := strings.IndexFunc(value[max(at, 1):], unicode.IsSpace); i >= 0 {
				end = max(at, 1) + i
			}
			value, out.End = value[1:end], t.at+end
		}
		at = max(at-1, 0)
	}
	if !isList(t.key) {
		out.Text = strings.ToLower(value[:at])
		return out, true
	}
	begin := strings.LastIndexByte(value[:at], ',') + 1
	out.Text = strings.ToLower(strings.TrimLeftFunc(value[begin:at], unicode.IsSpace))
	if t.key == "tag" {
		out.Text = strings.TrimLeft(out.Text, "#/")
	}
	_, after, _ := strings.Cut(value[at:], ",")
	out.Others = listed(value[:begin])
	out.place = len(out.Others)
	out.Others = append(out.Others, listed(after)...)
	return out, true
}

// listed returns the values of a list.
func listed(text string) (values []string) {
	for v := range strings.SplitSeq(text, ",") {
		if v = strings.TrimSpace(v); v != "" {
			values = append(values, v)
		}
	}
	return values
}

// Complete returns what stands in the line from Start to End when a value is chosen. ok is
// false where the query syntax has no way to write that value.
func (t Typing) Complete(value string) (text string, ok bool) {
	if !utf8.ValidString(value) || strings.ContainsFunc(value, unicode.IsControl) {
		return "", false
	}
	if isList(t.Key) {
		if strings.Contains(value, ",") {
			return "", false
		}
		value = strings.Join(slices.Insert(slices.Clone(t.Others), t.place, value), ",")
	}
	if value != "" && value[0] != '"' && !strings.ContainsFunc(value, unicode.IsSpace) {
		return value, true
	}
	if strings.Contains(value, `"`) {
		if isList(t.Key) {
			return "", false
		}
		longest := ""
		for part := range strings.SplitSeq(value, `"`) { // any part of it finds it
			if part = strings.TrimSpace(part); len(part) > len(longest) {
				longest = part
			}
		}
		value = longest
	}
	return `"` + value + `"`, value != ""
}

// CompleteKey returns the filters whose key begins with the typed text.
func CompleteKey(t Typing) *Completion {
	out := &Completion{Start: t.Start, End: t.End}
	for _, f := range filterKeys {
		if strings.HasPrefix(f.key, t.Text) {
			out.Suggestions = append(out.Suggestions, Suggestion{Text: f.key + ":", Label: f.key + ":", Detail: f.leaves})
		}
	}
	return out
}
