package engine

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// Query is a parsed query line: text to look for, and filters on what may be
// returned at all.
type Query struct {
	Words   []string // plain words, in order
	Phrases []string // contents of "quotes": must stand in the passage as written
	Without []string // words and phrases behind -: must not stand in the passage
	Exact   []Exact  // =words and patterns: every one must hold

	In    []string // in: names of folders; a file must lie in one of them
	NotIn []string // -in: none may hold it
	// Folders and NotFolders are absolute paths in the place of In and NotIn, once Resolve has found them.
	Folders, NotFolders []string

	Paths    []string // path: every one must match
	NotPaths []string // -path: none may match
	Exts     []string // ext: one of these, without the dot, lower case
	NotExts  []string // -ext:

	Facts []FactFilter // tag:, from:, to:, title:, type:; every one must hold. There is one type: at most, and one -type:

	After  time.Time // of that time or later; zero means any time
	Before time.Time // before; zero means any time

	text []string // words and phrases in the order typed, for the embedder
}

// FactFilter is a filter on what a document says of itself.
type FactFilter struct {
	Key    string   // tag, from, to, title or type
	Values []string // in small letters; one of them must match
	Not    bool     // or none, if Not
}

// Literal returns a query for a text taken literally, without the query syntax.
func Literal(text string) *Query {
	return &Query{Words: []string{text}, text: []string{text}}
}

// QueryHelp says in a few words what a query line may hold: an example, and what it
// means.
var QueryHelp = [][2]string{
	{"dns cache", "words, and what they mean"},
	{`"exact words"`, "only with this phrase"},
	{`-word -"phrase"`, "without it; also -path: -ext:"},
	{"=Word grep:/a.c/", "as it is written; a pattern"},
	{"in:work path:x", "of that folder, x in their path"},
	{"ext:md type:pdf", "of this ending, of this kind"},
	{"tag:x title:roof", "what they say; also from: to:"},
	{"after:2026-01", "dated or changed since; also 7d"},
	{"before:2026", "dated or changed before then"},
}

// ErrQuery is wrapped by every complaint about a query line.
var ErrQuery = errors.New("query not understood")

// Text is what the query asks about, without filters, negations and quotes:
// what is embedded.
func (q *Query) Text() string { return strings.Join(q.text, " ") }

// Unmark drops the mark with which a question ends from what is embedded, so that one
// answer comes of it with and without.
func (q *Query) Unmark() {
	if n := len(q.text); n > 0 {
		if bare := strings.TrimRight(q.text[n-1], "?!. "); bare != "" {
			q.text[n-1] = bare
		} else if n > 1 {
			q.text = q.text[:n-1]
		}
	}
}

// HasText reports whether there is anything to look for besides filters.
func (q *Query) HasText() bool { return len(q.text) > 0 }

// Asked is what a passage must hold and must not, as typed: "name server" -router.
func (q *Query) Asked() string {
	var asked []string
	for _, phrase := range q.Phrases {
		asked = append(asked, `"`+phrase+`"`)
	}
	for _, x := range q.Exact {
		asked = append(asked, x.Typed)
	}
	for _, text := range q.Without {
		if strings.ContainsFunc(text, unicode.IsSpace) {
			text = `"` + text + `"`
		}
		asked = append(asked, "-"+text)
	}
	return strings.Join(asked, " ")
}

// Empty reports whether the query asks for nothing: it holds no word, no phrase, and no
// filter with a value.
func (q *Query) Empty() bool {
	return !q.HasText() && len(q.Without) == 0 && len(q.Exact) == 0 && len(q.In) == 0 && len(q.NotIn) == 0 && len(q.Paths) == 0 && len(q.NotPaths) == 0 && len(q.Exts) == 0 &&
		len(q.NotExts) == 0 && len(q.Facts) == 0 && q.After.IsZero() && q.Before.IsZero()
}

// Parse reads a query line:
//
//	words            rank passages by them and by their meaning
//	"a phrase"       the passage must contain it
//	-word -"phrase"  the passage must not contain it
//	=Word ="a B"     the passage must contain it as it is written, case and signs
//	grep:/colou?r/   the passage must match the pattern; behind the second / an i: in any case
//	in:work          in the indexed folder of this name, or in:work/sub in one below it
//	path:notes       the path must contain it, or match it if it has * or ?
//	ext:md,txt       one of these file extensions
//	type:pdf,mail    one of these kinds of files
//	tag:garden       the document has one of these tags
//	from:ann         who wrote or sent it
//	to:ben           who got it
//	title:roof       what it is called
//	after:2026-01    dated or modified since; also 2026, 2026-01-31, 7d, 2w, 3m, 1y
//	before:2026-01   dated or modified earlier
//
// A minus before a filter excludes. A value may be quoted: path:"my notes". A prefix
// that is none of these, as in http://x, is a word. A filter without a value
// is ignored, since it is being typed, and so is punctuation outside quotes in a line
// without a word. now is the moment that relative dates
// count back from, and its location the one that dates are read in.
func Parse(line string, now time.Time) (*Query, error) {
	q := &Query{}
	for _, t := range splitQuery(line) {
		if err := q.add(t, now); err != nil {
			return nil, fmt.Errorf("%w: %w", ErrQuery, err)
		}
	}
	if !slices.ContainsFunc(q.text, hasWord) {
		q.Words, q.text = nil, slices.Concat(q.Phrases, q.exactTexts())
	}
	return q, nil
}

// hasWord reports whether a text has a letter, a number or a picture, and not punctuation alone.
func hasWord(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return unicode.In(r, unicode.L, unicode.N, unicode.So) })
}

// term is one blank-separated unit of a query line.
type term struct {
	negated bool
	key     string // filter name, lower case, or ""
	value   string
	quoted  bool

	start, at, end int // of the line, in bytes: where it begins, its value begins, it ends

	typed string // from start to end
}

// add files one term into the query.
func (q *Query) add(t term, now time.Time) error {
	if t.key != "" {
		if t.value == "" {
			return nil
		}
		return q.addFilter(t, now)
	}
	if strings.TrimSpace(t.value) == "" {
		return nil
	}
	switch {
	case t.negated:
		q.Without = append(q.Without, t.value)
	case t.quoted:
		q.Phrases = append(q.Phrases, t.value)
		q.text = append(q.text, t.value)
	default:
		q.Words = append(q.Words, t.value)
		q.text = append(q.text, t.value)
	}
	return nil
}

// addFilter files a key:value term into the query.
func (q *Query) addFilter(t term, now time.Time) error {
	switch t.key {
	case exactKey, grepKey:
		return q.addExact(t)
	case "in":
		if t.negated {
			q.NotIn = append(q.NotIn, t.value)
		} else {
			q.In = append(q.In, t.value)
		}
	case "path":
		if t.negated {
			q.NotPaths = append(q.NotPaths, t.value)
		} else {
			q.Paths = append(q.Paths, t.value)
		}
	case "ext":
		for e := range strings.SplitSeq(t.value, ",") {
			e = strings.ToLower(strings.TrimPrefix(strings.TrimSpace(e), "."))
			if e == "" {
				continue
			}
			if t.negated {
				q.NotExts = append(q.NotExts, e)
			} else {
				q.Exts = append(q.Exts, e)
			}
		}
	case "type", "tag", "from", "to", "title":
		q.addFact(t)
	case "after", "before":
		when, err := parseDate(t.value, now)
		if err != nil {
			return fmt.Errorf("%s:%s: %w", t.key, t.value, err)
		}
		// -after:X is before:X, and the other way round. Of several the
		// narrowest counts: all must hold.
		if (t.key == "after") != t.negated {
			if when.After(q.After) {
				q.After = when
			}
		} else if q.Before.IsZero() || when.Before(q.Before) {
			q.Before = when
		}
	}
	return nil
}

// addFact files a filter on what documents say of themselves. Names and titles have
// commas, so that a list is one of types or tags alone.
func (q *Query) addFact(t term) {
	values := []string{t.value}
	if t.key == "type" || t.key == "tag" {
		values = strings.Split(t.value, ",")
	}
	f := FactFilter{Key: t.key, Not: t.negated}
	for _, value := range values {
		value = strings.ToLower(strings.TrimSpace(value))
		if t.key == "tag" {
			value = strings.Trim(value, "#/")
		}
		if value != "" {
			f.Values = append(f.Values, value)
		}
	}
	if len(f.Values) == 0 {
		return
	}
	if t.key == "type" { // a file is of one type: of several filters one must hold
		for i, g := range q.Facts {
			if g.Key == f.Key && g.Not == f.Not {
				q.Facts[i].Values = slices.Concat(g.Values, f.Values)
				return
			}
		}
	}
	q.Facts = append(q.Facts, f)
}

// filterKeys are the prefixes that make a term a filter, and what the filters leave.
var filterKeys = []struct{ key, leaves string }{
	{"in", "files of this folder"},
	{"path", "files with this in their path"},
	{"ext", "files of this ending"},
	{"type", "files of this kind: note, mail, pdf"},
	{"tag", "documents with this tag"},
	{"from", "what they wrote or sent"},
	{"to", "messages that they got"},
	{"title", "documents with this in their title"},
	{grepKey, "passages that match: grep:/colou?r/"},
	{"after", "dated or changed then or later"},
	{"before", "dated or changed earlier"},
}

// isFilterKey reports whether a word before a colon is the prefix of a filter.
func isFilterKey(word string) bool {
	for _, f := range filterKeys {
		if strings.EqualFold(word, f.key) {
			return true
		}
	}
	return false
}

// splitQuery cuts a query line into terms. An unclosed quote runs to the end
// of the line, because that is how a phrase looks while it is typed.
func splitQuery(line string) []term {
	var terms []term
	rest := line
	for {
		rest = strings.TrimLeftFunc(rest, unicode.IsSpace)
		if rest == "" {
			return terms
		}
		t := term{start: len(line) - len(rest)}
		if len(rest) > 1 && rest[0] == '-' && !isSpaceAt(rest, 1) && rest[1] != '-' {
			t.negated = true
			rest = rest[1:]
		}
		if i := strings.IndexByte(rest, ':'); i > 0 && isFilterKey(rest[:i]) {
			t.key = strings.ToLower(rest[:i])
			rest = rest[i+1:]
		}
		if startsExact(rest) {
			t.key, rest = exactKey, rest[1:]
		}
		t.at = len(line) - len(rest)
		if t.key == grepKey && strings.HasPrefix(rest, "/") {
			t.value, rest = takePattern(rest)
		} else {
			t.value, t.quoted, rest = takeValue(rest)
		}
		t.end = len(line) - len(rest)
		t.typed = line[t.start:t.end]
		terms = append(terms, t)
	}
}

// quotationMarks begin a phrase, each with those that end it: keyboards make curly ones of straight ones.
var quotationMarks = map[string]string{`"`: `"`, "“": "”\"", "„": "“”\"", "«": "»"}

// takeValue takes a quoted or blank-delimited value off the front of s.
func takeValue(s string) (value string, quoted bool, rest string) {
	for open, closing := range quotationMarks {
		body, is := strings.CutPrefix(s, open)
		if !is {
			continue
		}
		if end := strings.IndexAny(body, closing); end >= 0 {
			_, size := utf8.DecodeRuneInString(body[end:])
			return body[:end], true, body[end+size:]
		}
		return body, true, ""
	}
	end := strings.IndexFunc(s, unicode.IsSpace)
	if end < 0 {
		return s, false, ""
	}
	return s[:end], false, s[end:]
}

// isSpaceAt reports whether a blank starts at byte i of s.
func isSpaceAt(s string, i int) bool {
	for _, r := range s[i:] {
		return unicode.IsSpace(r)
	}
	return true
}

// dateLayouts are the absolute dates that after: and before: take.
var dateLayouts = []string{"2006-01-02", "2006-01", "2006"}
