package bench

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"dowse/engine/answer"
	"dowse/lab/collection"
)

// foundAlways finds the same passages for every question.
type foundAlways []answer.Passage

func (s foundAlways) Search(context.Context, string) ([]answer.Passage, error) {
	if s == nil {
		return nil, errors.New("index gone")
	}
	return s, nil
}

// Quote quotes the first sentence of the first passage.
func (s foundAlways) Quote(_ context.Context, question string, found []answer.Passage) (answer.Answer, error) {
	if question == "<why>" {
		return answer.Answer{Confidence: answer.None}, nil
	}
	text := "Jürgen çame. [4]"
	return answer.Answer{
		Text: text, Support: 0.25, Confidence: answer.None,
		Sentences: []answer.Sentence{{Range: answer.Range{End: len(text)}, Citations: []int{4}}},
		Citations: []answer.Citation{{N: 4, Path: found[0].Path}},
	}, nil
}

// TestListsCountCodePoints cuts text with characters of several bytes by the
// offsets that are written.
func TestListsCountCodePoints(t *testing.T) {
	text := "## Café\n\nJürgen çame. Then “left”.\n\n- où est-ce?\n\n| a | b |\n|---|---|\n| 1 | zwölf |\n\n```\nécho\n```\n"
	questions := []collection.NoteQuestion{
		{Text: "wer?", Kind: "who", Path: "a/x.md", Quotes: []string{"Jürgen çame"}, Short: "Jürgen", Answerable: true},
		{Text: "<why>", Kind: "cause"},
	}
	var out strings.Builder
	found := foundAlways{{Number: 4, Path: "a/x.md", Heading: "Café", Text: text, Score: 0.5}}
	if err := WriteLists(t.Context(), &out, questions, found, ignored); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
	if len(lines) != 2 || !strings.Contains(lines[1], `"question":"<why>"`) || !strings.Contains(lines[1], `"path":"","about":"","quotes":[],"short":"","answerable":false`) || !strings.Contains(lines[1], `"quoted":[],"support":0}`) {
		t.Fatalf("wrote %q", lines)
	}
	var l List
	if err := json.Unmarshal([]byte(lines[0]), &l); err != nil {
		t.Fatal(err)
	}
	if q := (listQuoted{4, "a/x.md", "Café", "Jürgen çame."}); len(l.Quoted) != 1 || l.Quoted[0] != q || l.Support != 0.25 {
		t.Errorf("quoted %+v, want %+v", l.Quoted, q)
	}
	if p := l.Passages[0]; l.Path != "a/x.md" || !l.Answerable || l.Short != "Jürgen" || p.Heading != "Café" || p.Score != 0.5 || p.Text != text {
		t.Errorf("list %+v", l)
	}
	runes := []rune(text)
	var got []string
	for _, p := range l.Passages[0].Pieces {
		got = append(got, p.Kind+": "+string(runes[p.RuneStart:p.RuneEnd]))
	}
	want := []string{
		"heading: Café", "prose: Jürgen çame.", "prose: Then “left”.", "item: où est-ce?",
		"row: | a | b |", "row: | 1 | zwölf |", "code: écho",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("pieces\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if a, b := l.Passages[0].Pieces[1].Block, l.Passages[0].Pieces[2].Block; a != b {
		t.Errorf("two sentences of a paragraph are of the blocks %d and %d", a, b)
	}
	if err := WriteLists(t.Context(), &out, questions, foundAlways(nil), ignored); err == nil || !strings.Contains(err.Error(), `search for "wer?": index gone`) {
		t.Errorf("error of a search: %v", err)
	}
}
