package cli

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"dowse/engine"
	"dowse/internal/reply"
)

// live is a terminal's reporter and what it wrote. Notes go to the same place.
func live() (*reporter, *bytes.Buffer) {
	var out bytes.Buffer
	return &reporter{streams: &streams{out: &out, err: &out}, live: &liveAnswer{out: &out, paint: painter(false)}}, &out
}

// finished has a reporter tell a result.
func finished(r *reporter, result *engine.Result) error {
	q := queryFlags{output: r.output}
	_, err := r.finish(result, q.found(r.streams, result, reply.Page{Limit: len(result.Passages)}, &engine.Request{}))
	return err
}

var liveFound = []engine.Passage{
	{Rank: 1, Path: "/n/birds.md", LineStart: 3, Text: "A heron.\n"},
	{Rank: 2, Path: "/n/grep.md", LineStart: 1, Text: "Ken wrote grep in 1973.\n"},
}

const livePassages = "[1] /n/birds.md:3\n    A heron.\n[2] /n/grep.md:1\n    Ken wrote grep in 1973.\n\n"

// TestLiveAnswerOnlyGrows lets answers grow and end in every way. What was
// written is never longer than what is known, and never taken back.
func TestLiveAnswerOnlyGrows(t *testing.T) {
	final := engine.Answer{
		Text: "Ken wrote grep in 1974. [2] It was night. [1, 2]", How: "small", Millis: 1500,
		Citations:  []engine.AnswerCitation{{N: 2, Path: "/n/grep.md", LineStart: 7}},
		Sentences:  []engine.AnswerSentence{{Unsupported: []engine.Unsupported{{Range: engine.Range{Start: 18, End: 22}, Elsewhere: 1}}}},
		Generation: &engine.Generation{Tokens: 12, Speed: 20.4, Drafted: 9, Accepted: 7},
	}
	foot := "(?) is not in the passages cited for it: 1974 (but in [1])\n[2] /n/grep.md:7\nby small, 12 tokens, 20 a second, 7 of 9 drafted accepted, 1.5s\n"
	cut := final
	cut.Text = "Ken wrote grep in 1974. [2]"
	extracted := engine.Answer{Text: "Ken wrote grep in 1973. [2]", How: engine.Extracted, Citations: final.Citations, Highlights: []engine.Range{{Start: 0, End: 3}}}
	nearest, unsure := extracted, final
	nearest.Confidence, unsure.Confidence = engine.Perhaps, engine.Perhaps
	declined := engine.Answer{Text: engine.DeclinedText, Confidence: engine.None, Declined: true, How: "small", Millis: 90}
	for name, c := range map[string]struct {
		grows []string
		ends  engine.Answer
		want  string
	}{
		"to its end":    {[]string{"", " Ken", " Ken wrote grep in 1974. [", " Ken wrote grep in 1974. [2] It was night. [1,"}, final, final.Text + "\n" + foot},
		"all at once":   {[]string{final.Text}, final, final.Text + "\n" + foot},
		"cut":           {[]string{"Ken wrote grep in 1974. [2] And then"}, cut, "Ken wrote grep in 1974. [2] And then …\n" + foot},
		"twice":         {[]string{"Ken wrote", "", "Ken", "Ken wrote grep"}, cut, "Ken wrote grep in 1974. [2]\n" + foot},
		"not at all":    {nil, final, "Ken wrote grep in 1974(? [1]). [2] It was night. [1, 2]\n" + doubtLegend + "\n" + foot[strings.Index(foot, "\n")+1:]},
		"extracted":     {nil, extracted, "Ken wrote grep in 1973. [2]\n[2] /n/grep.md:7\n"},
		"then replaced": {[]string{"Thompson wr"}, extracted, "Thompson wr\nKen wrote grep in 1973. [2]\n[2] /n/grep.md:7\n"},
		"then declined": {[]string{"The passages do not say."}, declined, "The passages do not say.\nNothing found in your files that answers this.\nby small, 90ms\n"},
		"uncertain":     {nil, nearest, nearest.Caveat() + ":\nKen wrote grep in 1973. [2]\n[2] /n/grep.md:7\n"},
		"written, uncertain": {[]string{"Ken wrote"}, unsure, unsure.Text + "\n" + foot[:strings.Index(foot, "\n")+1] +
			unsure.Caveat() + ".\n" + foot[strings.Index(foot, "\n")+1:]},
		"with a problem": {[]string{"Ken wr"}, engine.Answer{Problem: "the pack vanished"}, "Ken wr\n"},
	} {
		t.Run(name, func(t *testing.T) {
			r, out := live()
			r.event(engine.Event{Found: liveFound})
			before := out.String()
			for _, text := range c.grows {
				r.event(engine.Event{Answer: &engine.Answer{Text: text}})
				if !strings.HasPrefix(out.String(), before) {
					t.Fatalf("%q became %q", before, out.String())
				}
				before = out.String()
			}
			err := finished(r, &engine.Result{Passages: liveFound, Answer: &c.ends})
			if want := livePassages + c.want; err != nil || out.String() != want {
				t.Errorf("%v; got\n%s\nwant\n%s", err, out.String(), want)
			}
		})
	}
}

// TestQuotationComesFirst: what is quoted is written at once and once, and stays
// whatever becomes of the text below it.
func TestQuotationComesFirst(t *testing.T) {
	quoted := &engine.Answer{Text: "Ken wrote grep in 1973. [2]", How: engine.Extracted, Confidence: engine.Perhaps,
		Citations: []engine.AnswerCitation{{N: 2, Path: "/n/grep.md", LineStart: 1}}}
	written := engine.Answer{Text: "In 1973. [2]", How: "small", Confidence: engine.Perhaps, Quotation: quoted, Citations: quoted.Citations, Millis: 900}
	failed := *quoted
	failed.Problem = "the answer is quoted from the passages, without the model"
	declinedLater := engine.Answer{Text: engine.DeclinedText, Declined: true, Confidence: engine.None, How: engine.Extracted}
	nearest := *quoted
	nearest.Confidence = engine.None
	unanswered := engine.Answer{Text: engine.UnansweredText, Declined: true, Confidence: engine.None, How: engine.Extracted, Quotation: &nearest}
	head := livePassages + quoted.Caveat() + ":\n" + quoted.Text + "\n\n" + engine.WrittenFrom + ":\n"
	for name, c := range map[string]struct {
		grows []string
		ends  engine.Answer
		want  string
	}{
		"to its end":   {[]string{"", "In", "In 19"}, written, "In 1973. [2]\n[2] /n/grep.md:1\nby small, 900ms\n"},
		"all at once":  {[]string{""}, written, "In 1973. [2]\n[2] /n/grep.md:1\nby small, 900ms\n"},
		"not followed": {[]string{"", "In 18"}, *quoted, "In 18\nThe passages do not say all of this: what is quoted stands.\n[2] /n/grep.md:1\n"},
		"declined":     {[]string{""}, declinedLater, "Your files do not seem to answer this. What is quoted is the nearest that they say.\n"},
		"unanswered":   {[]string{""}, unanswered, "Your files do not seem to answer this. What is quoted is the nearest that they say.\n"},
		"failed":       {[]string{"", "In 18"}, failed, "In 18\n[2] /n/grep.md:1\n"},
	} {
		t.Run(name, func(t *testing.T) {
			r, out := live()
			r.event(engine.Event{Found: liveFound})
			for _, text := range c.grows {
				r.event(engine.Event{Answer: &engine.Answer{Text: text, How: "small", Quotation: quoted}})
				if !strings.HasPrefix(out.String(), head) {
					t.Fatalf("%q does not begin with\n%s", out.String(), head)
				}
			}
			err := finished(r, &engine.Result{Passages: liveFound, Answer: &c.ends})
			if err != nil || out.String() != head+c.want {
				t.Errorf("%v; got\n%s\nwant\n%s", err, out.String(), head+c.want)
			}
		})
	}
	if got := answerText(painter(false), &written); got != head[len(livePassages):]+"In 1973. [2]\n\n" {
		t.Errorf("in one piece %q", got)
	}
}

// TestLiveAnswerCannotSteerTheTerminal: neither a passage nor a model writes
// control characters.
func TestLiveAnswerCannotSteerTheTerminal(t *testing.T) {
	r, out := live()
	r.event(engine.Event{Answer: &engine.Answer{How: "evil\x1b[2J", Sent: &engine.Sent{To: "http://evil\x1b]0;x\x07", Model: "m\x1b[2J", Passages: 2, Remote: true, Plain: true}}})
	r.event(engine.Event{Answer: &engine.Answer{Text: "Ken\x1b[2J"}})
	r.event(engine.Event{Problem: "it\x1b[2J broke"})
	a := &engine.Answer{Text: "Ken\x1b[2J. [1]", How: "evil\x1b[2J", Citations: []engine.AnswerCitation{{N: 1, Path: "/\x1b[2J"}}}
	if err := finished(r, &engine.Result{Answer: a}); err != nil || strings.Contains(out.String(), "\x1b") {
		t.Errorf("%v, %q", err, out.String())
	}
	for _, part := range []string{"dowse: warning: the question and 2 passages of your files are sent to m␛[2J at http://evil␛]0;x␇, which is not this machine, unencrypted\n", "Ken␛[2J\ndowse: it␛[2J broke\n"} {
		if !strings.Contains(out.String(), part) {
			t.Errorf("%q lacks %q", out.String(), part)
		}
	}
}

// TestPlainReportWaits: what is no terminal gets the answer first, then the
// passages, at the end.
func TestPlainReportWaits(t *testing.T) {
	var out, notes bytes.Buffer
	r := newReporter(&streams{out: &out, err: &notes}, queryFlags{answer: true, output: outputFlags{format: formatText}})
	r.event(engine.Event{Found: liveFound})
	sent := &engine.Sent{To: "http://localhost:1", Model: "m", Passages: 2}
	for range 3 {
		r.event(engine.Event{Answer: &engine.Answer{Text: "Ken", Sent: sent}})
	}
	r.abandon(true)
	if out.Len() > 0 || notes.String() != "dowse: the question and 2 passages of your files are sent to m at http://localhost:1, on this machine\n" {
		t.Errorf("%q, %q", out.String(), notes.String())
	}
	if err := finished(r, &engine.Result{Passages: liveFound, Answer: &engine.Answer{Text: "Ken. [2]", Sent: sent}}); err != nil || !strings.HasPrefix(out.String(), "Ken. [2]\n\n[1] /n/birds.md:3\n") {
		t.Errorf("%v, %q", err, out.String())
	}
}

// TestWaitForTheDiskIsToldOnce where there is no screen that could show how it goes on.
func TestWaitForTheDiskIsToldOnce(t *testing.T) {
	var out, notes bytes.Buffer
	r := newReporter(&streams{out: &out, err: &notes}, queryFlags{answer: true, output: outputFlags{format: formatText}})
	for _, note := range []string{"", "it waits: 2 s", "it waits: 4 s", ""} {
		r.event(engine.Event{Answer: &engine.Answer{Text: "Ken", Note: note}})
	}
	if notes.String() != "dowse: it waits: 2 s\n" || out.Len() > 0 {
		t.Errorf("%q, %q", notes.String(), out.String())
	}
}

// brokenPipe takes nothing.
type brokenPipe struct{}

var errPipe = errors.New("nobody reads")

func (brokenPipe) Write([]byte) (int, error) { return 0, errPipe }

func TestLiveAnswerTellsFailure(t *testing.T) {
	l := &liveAnswer{out: brokenPipe{}, paint: painter(false)}
	l.grow(&engine.Answer{Text: "Ken"})
	if err := l.finish(&engine.Result{Answer: &engine.Answer{Text: "Ken. [1]"}}); !errors.Is(err, errPipe) {
		t.Error(err)
	}
}
