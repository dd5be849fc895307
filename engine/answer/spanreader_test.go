package answer

import (
	"context"
	"errors"
	"strings"
	"testing"

	"dowse/engine/lexical"
)

// pointer is a SpanReader that likes the given words, and everything else less.
type pointer struct {
	likes  map[string]float32 // words of a passage, and the logit of each end
	none   float32
	asked  []string
	failed error
	short  bool // one result too few
}

// ReadSpans takes each word for a token.
func (p *pointer) ReadSpans(_ context.Context, _ string, passages []string) (*SpanReading, error) {
	if p.failed != nil {
		return nil, p.failed
	}
	p.asked = passages
	found := &SpanReading{DeclineFrom: 0.5}
	for _, text := range passages {
		l := SpanLogits{None: [2]float32{p.none, p.none}}
		for at := 0; at < len(text); {
			end := at + len(text[at:])
			if i := strings.IndexAny(text[at:], " \n."); i >= 0 {
				end = at + i
			}
			if end > at {
				l.Tokens = append(l.Tokens, Range{at, end})
				l.Start, l.End = append(l.Start, -5), append(l.End, -5)
			}
			at = end + 1
		}
		for words, logit := range p.likes {
			from := strings.Index(text, words)
			for i, t := range l.Tokens {
				if from >= 0 && t.Start == from {
					l.Start[i] = logit
				}
				if from >= 0 && t.End == from+len(words) {
					l.End[i] = logit
				}
			}
		}
		found.Passages = append(found.Passages, l)
	}
	if p.short {
		found.Passages = found.Passages[1:]
	}
	return found, nil
}

var oilPassages = []Passage{
	{Number: 1, Path: "a.md", Heading: "Oil", Text: "Prices rose. The crisis began in October 1973 when exporters stopped. It ended in March."},
	{Number: 2, Path: "b.md", Text: "Nothing of this is told here. The sea is blue."},
}

// reading makes an extractor that reads with p.
func readingWith(t *testing.T, p *pointer) *Extractor {
	t.Helper()
	e, err := NewExtractor(Options{Analyzer: lexical.NewAnalyzer(), Reader: p})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// A span within a sentence is the answer in short, and its sentence is quoted.
func TestReaderPointsAtShortAnswers(t *testing.T) {
	p := &pointer{likes: map[string]float32{"October 1973": 4}}
	said, err := readingWith(t, p).Answer(t.Context(), "When did the crisis begin?", oilPassages)
	if err != nil {
		t.Fatal(err)
	}
	if said.Short == nil || said.Short.Text != "October 1973" || said.Short.Number != 1 ||
		oilPassages[0].Text[said.Short.Start:said.Short.End] != "October 1973" {
		t.Errorf("in short: %+v", said.Short)
	}
	if want := "The crisis began in October 1973 when exporters stopped. [1]"; said.Text != want || said.Support < 0.9 {
		t.Errorf("%q with support %.3f, want %q", said.Text, said.Support, want)
	}
	if p.asked[0] != "Oil\n"+oilPassages[0].Text || p.asked[1] != oilPassages[1].Text {
		t.Errorf("read %q: headings stand above their passages", p.asked)
	}
}

// A span that is most of a sentence is no answer in short; one in a heading is
// never taken.
func TestReaderPointsAtSentences(t *testing.T) {
	p := &pointer{likes: map[string]float32{"The sea is blue": 3, "Oil": 9}}
	said, err := readingWith(t, p).Answer(t.Context(), "What color does the sea have?", oilPassages)
	if err != nil {
		t.Fatal(err)
	}
	if said.Short != nil || said.Text != "The sea is blue. [2]" {
		t.Errorf("%q, in short %+v", said.Text, said.Short)
	}
}

// Where no answer is likelier than the best one, none is given.
func TestReaderDeclines(t *testing.T) {
	for _, c := range []struct {
		none     float32
		declined bool
	}{{3.9 - 0.7, false}, {3.9, true}} { // two passages without an answer: ln 2 more on either end
		p := &pointer{likes: map[string]float32{"October 1973": 4}, none: c.none}
		said, err := readingWith(t, p).Answer(t.Context(), "When did the crisis begin?", oilPassages)
		if err != nil {
			t.Fatal(err)
		}
		if said.Declined != c.declined || (said.Text == DeclinedText) != c.declined {
			t.Errorf("none %.1f: %q, declined %t with support %.3f", c.none, said.Text, said.Declined, said.Support)
		}
	}
	for _, passages := range [][]Passage{nil, {{Number: 1, Text: ""}}, {{Number: 1, Text: " \n"}}} {
		said, err := readingWith(t, &pointer{none: -9}).Answer(t.Context(), "When?", passages)
		if err != nil || !said.Declined {
			t.Errorf("%v: %+v, %v", passages, said, err)
		}
	}
}

// What is wrong with a reader is an error.
func TestReaderFails(t *testing.T) {
	broken := errors.New("the weights are gone")
	if _, err := readingWith(t, &pointer{failed: broken}).Answer(t.Context(), "When?", oilPassages); !errors.Is(err, broken) {
		t.Errorf("error %v, want %v", err, broken)
	}
	if _, err := readingWith(t, &pointer{short: true}).Answer(t.Context(), "When?", oilPassages); err == nil {
		t.Error("one result for two passages was taken")
	}
}
