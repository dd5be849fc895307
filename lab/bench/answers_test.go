package bench

import (
	"context"
	"errors"
	"reflect"
	"strings"
	"testing"

	"dowse/engine/answer"
	"dowse/lab/collection"
)

// told answers from a list.
type told map[string]Reply

func (f told) Ask(_ context.Context, question string) (*Reply, error) {
	r, ok := f[question]
	if !ok {
		return nil, errors.New("index gone")
	}
	return &r, nil
}

// judgedNotes has a question for each verdict.
func judgedNotes() ([]collection.NoteQuestion, told) {
	must := func(text, kind string, patterns ...string) collection.NoteQuestion {
		return collection.NoteQuestion{Text: text, Kind: kind, Path: "bike.md", Quotes: []string{"nine litres\nof *oil*"}, Answer: "Nine.", Must: patterns, Answerable: true}
	}
	questions := []collection.NoteQuestion{
		must("right", "number", `NINE|9`, `lit(re|er)s.of`),
		must("wrong", "number", `nine`, `oil`),
		must("declined", "number", `nine`),
		must("perhaps right", "cause", `nine`),
		must("perhaps wrong", "cause", `nine`),
		must("unreadable", "cause", `nine(?! ten)`),
		must("unreadable and declined", "cause", `nine(?! ten)`),
		{Text: "by the short one", Kind: "fact", Path: "car.md", Quotes: []string{"The car is red"}, Short: "red", Answerable: true},
		{Text: "by a quote", Kind: "fact", Path: "car.md", Quotes: []string{"of the car", "It is *red*."}, Answerable: true},
		{Text: "invented", Kind: "cause"},
		{Text: "rightly declined", Kind: "cause"},
		{Text: "perhaps invented", Kind: "cause"},
	}
	bike := []answer.Passage{{Path: "other.md", Text: "ten"}, {Path: "bike.md", Heading: "Nine", Text: "litres\nof oil"}}
	car := []answer.Passage{{Path: "cart.md", Heading: "Cart", Text: "red > blue"}}
	return questions, told{
		"right":                   {Text: "Nine litres\nof it. [1]", Confidence: answer.Sure, Passages: bike, SearchMillis: 9, AnswerMillis: 1},
		"wrong":                   {Text: "Nine. [1]", Confidence: answer.Sure, Cited: []string{"Nine litres of", "oil"}, Passages: bike, SearchMillis: 3, AnswerMillis: 2},
		"declined":                {Text: "Not in your files.", Confidence: answer.None, Passages: car},
		"perhaps right":           {Text: "Perhaps nine litres of oil.", Confidence: answer.Perhaps, Passages: bike, SearchMillis: 3, AnswerMillis: 7},
		"perhaps wrong":           {Text: "Perhaps ten.", Confidence: answer.Perhaps, Cited: []string{"nine litres of oil"}, Passages: bike},
		"unreadable":              {Text: "Nine.", Confidence: answer.Sure, Passages: bike},
		"unreadable and declined": {Confidence: answer.None, Passages: bike},
		"by the short one":        {Text: "It is\n**RED**.", Confidence: answer.Sure, Passages: car, Problem: "the model is gone"},
		"by a quote":              {Text: "red", Confidence: answer.Sure, Passages: car, Problem: "again"},
		"invented":                {Text: "Nine.", Confidence: answer.Sure, Passages: bike},
		"rightly declined":        {Confidence: answer.None},
		"perhaps invented":        {Text: "Perhaps.", Confidence: answer.Perhaps},
	}
}

// TestAnswers counts answers whose verdicts are known.
func TestAnswers(t *testing.T) {
	questions, asker := judgedNotes()
	told := 0
	row, err := Answers(t.Context(), questions, asker, func(done int) { told += done })
	if err != nil {
		t.Fatal(err)
	}
	number := AnswerCounts{Answerable: 3, Right: 1, Wrong: 1, DeclinedWrong: 1, Note: 2, Evidence: 2, Quote: 1}
	cause := AnswerCounts{
		Answerable: 4, PerhapsRight: 1, PerhapsWrong: 1, Unjudged: 1, DeclinedWrong: 1, Note: 4, Evidence: 2, Quote: 2,
		Unanswerable: 3, DeclinedRight: 1, Invented: 1, PerhapsInvented: 1,
	}
	fact := AnswerCounts{Answerable: 2, Right: 1, Wrong: 1, Evidence: 1}
	all := AnswerCounts{
		Answerable: 9, Right: 2, Wrong: 2, PerhapsRight: 1, PerhapsWrong: 1, Unjudged: 1, DeclinedWrong: 2, Note: 6, Evidence: 5, Quote: 3,
		Unanswerable: 3, DeclinedRight: 1, Invented: 1, PerhapsInvented: 1,
	}
	kinds := []kindCounts{{"cause", cause}, {"fact", fact}, {"number", number}}
	if !reflect.DeepEqual(row.Kinds, kinds) {
		t.Errorf("got  %+v\nwant %+v", row.Kinds, kinds)
	}
	if row.All != all {
		t.Errorf("got  %+v\nwant %+v", row.All, all)
	}
	if row.Problems != 2 || row.Problem != "the model is gone" {
		t.Errorf("%d problems, the first %q", row.Problems, row.Problem)
	}
	verdicts := []verdict{right, wrong, declinedWrong, perhapsRight, perhapsWrong, unjudged, declinedWrong, right, wrong, invented, declinedRight, perhapsInvented}
	for i, a := range row.Answers {
		if a.Verdict != verdicts[i] || a.Question != questions[i].Text || a.Said != asker[a.Question].Text {
			t.Errorf("answer %d: %+v, want %s", i, a, verdicts[i])
		}
	}
	if want := len(questions) * (len(questions) + 1) / 2; len(row.Answers) != len(questions) || told != want {
		t.Errorf("%d answers, progress %d, want %d", len(row.Answers), told, want)
	}
	if _, err := Answers(t.Context(), []collection.NoteQuestion{{Text: "unknown"}}, asker, ignored); err == nil || !strings.Contains(err.Error(), `ask "unknown": index gone`) {
		t.Errorf("error of a search: %v", err)
	}
}

func TestAnswersTimes(t *testing.T) {
	questions, asker := judgedNotes()
	row, err := Answers(t.Context(), []collection.NoteQuestion{questions[0], questions[1], questions[3]}, asker, ignored)
	if err != nil || row.Search != 3 || row.Answer != 2 {
		t.Errorf("medians %g and %g, %v; want 3 and 2", row.Search, row.Answer, err)
	}
}

func TestAnswersReport(t *testing.T) {
	questions, asker := judgedNotes()
	row, err := Answers(t.Context(), questions, asker, ignored)
	if err != nil {
		t.Fatal(err)
	}
	row.Answerer = "extract"
	r := AnswersReport{Folder: "/judged", Questions: len(questions), Answerers: []AnswererRow{*row}, Unread: UnreadPatterns(questions)}
	var out strings.Builder
	if err := r.Write(&out); err != nil {
		t.Fatal(err)
	}
	text := strings.Join(strings.Fields(out.String()), " ")
	for _, want := range []string{
		"12 questions over /judged extract: search 0 ms, answer 0 ms",
		"2 questions had another answerer; the first: the model is gone",
		"number 3 2 2 1 1 0 1 0 1 0 0 0 0 ",
		"all 9 6 5 3 2 1 2 1 2 3 1 1 1 share 67% 56% 33% 22% 11% 22% 11% 22% 33% 33% 33% ",
		"right | number | right | Nine. | Nine litres of it. [1]",
		"not judged: \"unreadable\", since its pattern nine(?! ten) cannot be read: error parsing regexp: invalid or unsupported Perl syntax: `(?!`",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the report lacks %q:\n%s", want, out.String())
		}
	}
}
