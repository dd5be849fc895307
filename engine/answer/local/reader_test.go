package local

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"dowse/engine"
	"dowse/engine/answer"
	"dowse/models"
)

// oilJob asks about three passages.
func oilJob(question string) engine.AnswerJob {
	return engine.AnswerJob{Question: question, Passages: []engine.Passage{
		{Rank: 1, Path: "/notes/energy.md", Heading: "Energy", LineStart: 3, LineEnd: 4,
			Text: "Crude oil is traded in barrels of 159 litres.\nIn 1999 a barrel cost less than twenty dollars for most of the year.\n"},
		{Rank: 2, Path: "/notes/crisis.md", Heading: "1973 oil crisis", LineStart: 10, LineEnd: 11,
			Text: "The 1973 oil crisis began in October 1973 when the members of the Organization of Arab Petroleum Exporting Countries proclaimed an oil embargo.\nBy the end of the embargo in March 1974 the price of oil had risen from 3 to nearly 12 dollars a barrel.\n"},
		{Rank: 3, Path: "/notes/iran.md", Heading: "1979 oil crisis", LineStart: 1, LineEnd: 1,
			Text: "A second crisis followed in 1979, when output fell in the wake of the Iranian revolution.\n"},
	}}
}

const whenOil = "When did the 1973 oil crisis begin?"

func requireRead(t *testing.T, a *answer.Extractor) {
	t.Helper()
	said, err := a.Answer(t.Context(), oilJob(whenOil))
	if err != nil || said.Problem != "" || said.Declined || said.How != engine.Extracted || !strings.HasSuffix(said.Short, "October 1973") {
		t.Fatalf("%+v, %v", said, err)
	}
	if c := said.Citations; len(c) == 0 || c[0].N != 2 || c[0].Path != "/notes/crisis.md" || c[0].LineStart != 10 {
		t.Errorf("cites %+v", c)
	}
	if h := said.Highlights; len(h) != 1 || said.Text[h[0].Start:h[0].End] != said.Short || !strings.Contains(said.Text, "proclaimed an oil embargo.") || !strings.HasSuffix(said.Text, "[2]") {
		t.Errorf("highlights %v of %q", h, said.Text)
	}
}

// TestReaderAnswers in short, and declines what no passage answers.
func TestReaderAnswers(t *testing.T) {
	a := newReadingAnswerer(t, bareHome(t))
	requireRead(t, a)
	for _, question := range []string{"Who painted the ceiling of the Sistine Chapel?", "How tall is the lighthouse of Genoa?"} {
		if said, err := a.Answer(t.Context(), oilJob(question)); err != nil || !said.Declined || said.Problem != "" || said.Short != "" || len(said.Citations) != 0 {
			t.Errorf("%s: %+v, %v", question, said, err)
		}
	}
	job := oilJob(whenOil)
	job.Passages = nil
	if said, err := a.Answer(t.Context(), job); err != nil || !said.Declined || said.Problem != "" {
		t.Errorf("no passages: %+v, %v", said, err)
	}
	job.Passages = []engine.Passage{{Rank: 1, Path: "/notes/empty.md", Heading: "1973 oil crisis", Text: "  \n"}}
	if said, err := a.Answer(t.Context(), job); err != nil || !said.Declined || said.Problem != "" {
		t.Errorf("a heading above nothing: %+v, %v", said, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := a.Answer(ctx, oilJob(whenOil)); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	requireRead(t, a)
}

// readerFiles are where the weights of the reader, and those below it, lie.
func readerFiles(a *fixture) (adapter, base string) {
	folder := filepath.Dir(models.PackPath(a.cache, models.DefaultReader))
	return filepath.Join(folder, "adapter", "adapter_model.safetensors"), models.PackPath(a.cache, models.DefaultReranker)
}

// flipByte changes a byte in the middle of a file, which is another file after that:
// what is under a mapping stays.
func flipByte(path string) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	data[len(data)/2] ^= 0x10
	return errors.Join(os.WriteFile(path+".new", data, 0o600), os.Rename(path+".new", path))
}

// removing removes models in the order in which a problem names them.
func removing(names ...string) func(a *fixture) error {
	return func(a *fixture) error {
		for _, name := range names {
			if err := a.remove(name); err != nil {
				return err
			}
		}
		return nil
	}
}

// readerFaults are what may become of the reader's files, and what mends it.
var readerFaults = map[string]struct {
	spoil func(a *fixture) error
	says  []string
	mend  func(a *fixture) error
}{
	"damaged adapter": {
		func(a *fixture) error { adapter, _ := readerFiles(a); return flipByte(adapter) },
		[]string{"its adapter is damaged", "run dowse models remove dowse-read-6, and dowse will reinstall it"},
		removing(models.DefaultReader),
	},
	"damaged base": {
		func(a *fixture) error { _, base := readerFiles(a); return flipByte(base) },
		[]string{"the checksum of block", "run dowse models remove dowse-read-6 and dowse models remove dowse-rerank-6, and dowse will reinstall both"},
		removing(models.DefaultReader, models.DefaultReranker),
	},
	"no folder": {
		func(a *fixture) error {
			return errors.Join(os.RemoveAll(a.cache), os.WriteFile(a.cache, nil, 0o600))
		},
		[]string{"the model dowse-read-6, which dowse brings along, cannot be unpacked", "set DOWSE_HOME to a folder that can be written"},
		func(a *fixture) error { return os.Remove(a.cache) },
	},
	"no folder for models": {
		func(a *fixture) error {
			folder := filepath.Join(a.cache, "models")
			return errors.Join(os.RemoveAll(folder), os.WriteFile(folder, nil, 0o600))
		},
		[]string{"the model dowse-read-6, which dowse brings along, cannot be put into", "see that this folder may be written and has room"},
		func(a *fixture) error { return os.Remove(filepath.Join(a.cache, "models")) },
	},
}

// requireUnread asks, and wants the reason that there is no answer.
func requireUnread(t *testing.T, a *answer.Extractor, says []string) {
	t.Helper()
	said, err := a.Answer(t.Context(), oilJob(whenOil))
	if err == nil {
		t.Fatalf("%+v", said)
	}
	for _, want := range append(says, "look for the answer: the model dowse-read-6") {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("said %q, want %q in it", err, want)
		}
	}
	if quoted, err := a.Quote(t.Context(), answer.Asked{Question: whenOil}, answer.ByRank(oilJob(whenOil).Passages)); err == nil {
		t.Errorf("quoted %+v", quoted)
	}
}

// TestReaderFaults: whatever is wrong with it when it is opened, the reason is told;
// what that advises mends it for the next question.
func TestReaderFaults(t *testing.T) {
	for what, c := range readerFaults {
		t.Run(what, func(t *testing.T) {
			app := bareHome(t)
			if _, err := app.find(models.DefaultReader); err != nil {
				t.Fatal(err)
			}
			if err := c.spoil(app); err != nil {
				t.Fatal(err)
			}
			a := newReadingAnswerer(t, app)
			requireUnread(t, a, c.says)
			if err := c.mend(app); err != nil {
				t.Fatal(err)
			}
			requireRead(t, a)
		})
	}
}

// TestReaderChangesBetweenQuestions: damage is seen by the next question, and what
// the program replaces by itself is not noticed.
func TestReaderChangesBetweenQuestions(t *testing.T) {
	app := bareHome(t)
	a := newReadingAnswerer(t, app)
	requireRead(t, a)
	for _, name := range []string{"damaged adapter", "damaged base"} {
		c := readerFaults[name]
		if err := c.spoil(app); err != nil {
			t.Fatal(err)
		}
		requireUnread(t, a, c.says)
		if err := c.mend(app); err != nil {
			t.Fatal(err)
		}
		requireRead(t, a)
	}
	adapter, base := readerFiles(app)
	for _, path := range []string{adapter, base} {
		if err := errors.Join(os.WriteFile(path+".new", []byte("cut"), 0o600), os.Rename(path+".new", path)); err != nil {
			t.Fatal(err)
		}
		requireRead(t, a)
		if info, err := os.Stat(path); err != nil || info.Size() == 3 {
			t.Errorf("%s was not put there anew: %v", path, err)
		}
	}
}

// TestReaderIsRemovedInUse: who has it open goes on, and it is back for the next.
func TestReaderIsRemovedInUse(t *testing.T) {
	app := bareHome(t)
	a := newReadingAnswerer(t, app)
	requireRead(t, a)
	for _, name := range []string{models.DefaultReranker, models.DefaultReader} { // in either order
		if err := app.remove(name); err != nil {
			t.Fatal(err)
		}
		requireRead(t, a)
	}
	requireRead(t, newReadingAnswerer(t, app))
	if adapter, base := readerFiles(app); errors.Join(stat(adapter), stat(base)) != nil {
		t.Errorf("%s and %s are not back", adapter, base)
	}
}

func stat(path string) error {
	_, err := os.Stat(path)
	return err
}

// TestReaderOfAReadOnlyCache: who may not write into the cache is told so, unless
// all lies there.
func TestReaderOfAReadOnlyCache(t *testing.T) {
	if runtime.GOOS == "windows" || os.Getuid() == 0 {
		t.Skip("nothing is read-only for this user")
	}
	app := bareHome(t)
	if err := os.MkdirAll(app.cache, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(app.cache, 0o500); err != nil { // its owner's alone, as it is to be
		t.Fatal(err)
	}
	requireUnread(t, newReadingAnswerer(t, app), []string{"permission denied", "see that this folder may be written"})
	if err := os.Chmod(app.cache, 0o700); err != nil {
		t.Fatal(err)
	}
	requireRead(t, newReadingAnswerer(t, app))
}
