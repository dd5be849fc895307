package collection

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// writeQuestions makes a file of lines.
func writeQuestions(t *testing.T, lines string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "questions.jsonl")
	if err := os.WriteFile(path, []byte(lines), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestReadNoteQuestions reads judged questions and those to learn from, whose path
// is also given where the note does not answer.
func TestReadNoteQuestions(t *testing.T) {
	got, err := ReadNoteQuestions(writeQuestions(t, `{"question": "a", "kind": "when", "path": "x.md", "quotes": ["q"], "short": null, "answer": "A.", "must": ["m"]}
{"question": "b", "path": null, "about": "x.md", "quotes": []}

{"question": "c", "path": "x.md", "answerable": false}
{"question": "d", "path": "x.md", "answerable": true, "short": "s"}
`))
	want := []NoteQuestion{
		{Text: "a", Kind: "when", Path: "x.md", Quotes: []string{"q"}, Answer: "A.", Must: []string{"m"}, Answerable: true},
		{Text: "b", About: "x.md", Quotes: []string{}},
		{Text: "c"},
		{Text: "d", Path: "x.md", Short: "s", Answerable: true},
	}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, %v\nwant %+v", got, err, want)
	}
}

func TestReadNoteQuestionsSaysWhatIsDamaged(t *testing.T) {
	for lines, want := range map[string]string{
		"{\"question\": \"a\"}\n\n{\"question\": \"b\"": "questions.jsonl, line 3: ",
		"{\"question\": \"a\"}\n{\"kind\": \"when\"}":   "questions.jsonl, line 2: there is no question",
		"{\"question\": 5}":                             "questions.jsonl, line 1: ",
		"\n":                                            "holds no questions",
		`{"question": "` + strings.Repeat("a", maxQuestionLine) + `"}`: "questions.jsonl, line 1: ",
	} {
		if _, err := ReadNoteQuestions(writeQuestions(t, lines)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.40q: %v, want %q", lines, err, want)
		}
	}
}
