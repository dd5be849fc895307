package cli

import (
	"bytes"
	"strings"
	"testing"

	"dowse/engine"
)

// printedAsText prints a result for people.
func printedAsText(out *bytes.Buffer, result *engine.Result) error {
	s := &streams{out: out, err: out}
	return finished(newReporter(s, queryFlags{output: outputFlags{format: formatText}}), result)
}

func TestLessRelevantPassagesStandApart(t *testing.T) {
	result := &engine.Result{Passages: []engine.Passage{
		{Rank: 1, Path: "/n/birds.md", LineStart: 3, Text: "A heron.\n", Relevant: true},
		{Rank: 2, Path: "/n/grep.md", LineStart: 1, Text: "Ken wrote it.\n"},
		{Rank: 3, Path: "/n/tax.md", LineStart: 1, Text: "Filed.\n"},
	}}
	first, rest := "/n/birds.md:3\n    A heron.\n", "/n/grep.md:1\n    Ken wrote it.\n/n/tax.md:1\n    Filed.\n"
	for relevant, want := range []string{first + rest, first + "\nless relevant:\n" + rest} {
		result.Passages[0].Relevant = relevant > 0
		var out bytes.Buffer
		if err := printedAsText(&out, result); err != nil || out.String() != want {
			t.Errorf("%d relevant: got\n%s\nwant\n%s%v", relevant, out.String(), want, err)
		}
	}
}

func TestAnswerComesFirstAndCitesTheResults(t *testing.T) {
	result := &engine.Result{
		Passages: []engine.Passage{
			{Rank: 1, Path: "/n/birds.md", LineStart: 3, Text: "A heron.\n"},
			{Rank: 2, Path: "/n/grep.md", LineStart: 1, Heading: "Tools", Text: "Ken wrote grep in 1973.\n"},
		},
		Answer: &engine.Answer{
			Text: "Ken\x1b[2J wrote grep in 1974. [2]", Citations: []engine.AnswerCitation{{N: 2}},
			Highlights: []engine.Range{{Start: 0, End: 3}},
			Sentences:  []engine.AnswerSentence{{Unsupported: []engine.Unsupported{{Range: engine.Range{Start: 22, End: 26}}}}},
		},
	}
	var out bytes.Buffer
	if err := printedAsText(&out, result); err != nil {
		t.Fatal(err)
	}
	want := "Ken␛[2J wrote grep in 1974(?). [2]\n(?) is not in the passages cited for it\n\n" +
		"[1] /n/birds.md:3\n    A heron.\n[2] /n/grep.md:1  Tools\n    Ken wrote grep in 1973.\n"
	if out.String() != want {
		t.Errorf("got\n%s\nwant\n%s", out.String(), want)
	}
	coloured := answerText(painter(true), result.Answer)
	for _, piece := range []string{string(hit) + "Ken" + string(reset), string(doubt) + "1974" + string(reset), string(heading) + "[2]" + string(reset)} {
		if !strings.Contains(coloured, piece) {
			t.Errorf("%q lacks %q", coloured, piece)
		}
	}
	result.Answer = &engine.Answer{
		Text: "Ken wrote grep in 1973. [2]", Citations: []engine.AnswerCitation{{N: 2}}, How: engine.Extracted,
		Confidence: engine.Perhaps, Highlights: []engine.Range{{Start: 0, End: 3}},
	}
	if got, want := answerText(painter(false), result.Answer), "Perhaps; this is the nearest that your files say:\nKen wrote grep in 1973. [2]\n\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if coloured := answerText(painter(true), result.Answer); strings.Contains(coloured, string(hit)) || !strings.Contains(coloured, string(muted)+"Ken"+string(reset)) {
		t.Errorf("an uncertain answer looks sure: %q", coloured)
	}
	result.Answer.How = "m"
	if got, want := answerText(painter(false), result.Answer), "Ken wrote grep in 1973. [2]\nPerhaps; your files do not say all of this.\n\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	nearest := engine.Answer{Text: "Ken wrote grep. [2]", How: engine.Extracted, Confidence: engine.None}
	result.Answer = &engine.Answer{Text: engine.UnansweredText, How: engine.Extracted, Confidence: engine.None, Declined: true, Quotation: &nearest}
	if got, want := answerText(painter(false), result.Answer), engine.UnansweredText+"\n\nThe nearest that they say:\nKen wrote grep. [2]\n\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	result.Answer = &engine.Answer{Problem: "the pack vanished"} // told on stderr
	out.Reset()
	if err := printedAsText(&out, result); err != nil || !strings.HasPrefix(out.String(), "[1] /n/birds.md:3\n") {
		t.Errorf("got %q, %v", out.String(), err)
	}
}
