package tui

import (
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/muesli/termenv"

	"dowse/engine"
	"dowse/tui/cells"
)

var update = flag.Bool("update", false, "write the golden frames anew")

// goldenState is what is done before a frame is taken.
type goldenState struct {
	name string
	do   func(*screen)
}

// goldenStates are all but those of conversations.
func goldenStates() []goldenState {
	return []goldenState{
		{"start", func(*screen) {}},
		{"results", func(s *screen) { s.typed("dns cache"); s.press("down") }},
		{"indexing", func(s *screen) {
			s.fake.events <- engine.Event{Progress: indexing(time.Now())}
			s.typed("cache")
		}},
		{"folders", foldersScreen},
		{"first", firstScreen},
		{"models", modelsScreen},
		{"pulling", pullingScreen},
		{"machine", machineScreen},
		{"explained", func(s *screen) { machineScreen(s); s.press("alt+?") }},
		{"swapped", swappedScreen},
		{"reranking", func(s *screen) { rerankedScreen(s, 350*time.Millisecond) }},
		{"reranked", func(s *screen) { rerankedScreen(s, time.Second) }},
		{"answer", func(s *screen) { s.fake.answerer = flushing(); s.typed("dns cache"); s.press("ctrl+r", "shift+tab") }},
		{"written", func(s *screen) {
			s.fake.answerer = writing()
			s.typed("dns cache")
			s.press("ctrl+r", "ctrl+o")
		}},
		{"quotation", func(s *screen) {
			s.fake.answerer = quoting()
			s.typed("dns cache")
			s.press("ctrl+r", "ctrl+o")
		}},
		{"markdown", func(s *screen) { s.fake.answerer = markdownWriter(); s.typed("dns cache"); s.press("ctrl+r") }},
		{"reading", func(s *screen) { readingScreen(s, 500*time.Millisecond) }},
		{"stopped", func(s *screen) { readingScreen(s, 3500*time.Millisecond); s.press("ctrl+c") }},
		{"perhaps", func(s *screen) {
			s.fake.answerer = perhaps()
			s.typed("dns cache")
			s.press("ctrl+r")
		}},
		{"declined", func(s *screen) {
			s.fake.answerer = &fakeAnswerer{says: engine.Answer{Text: engine.DeclinedText, Confidence: engine.None, Declined: true, How: engine.Extracted, Millis: 38}}
			s.typed("dns cache")
			s.press("ctrl+r")
		}},
		{"nearest", func(s *screen) {
			nearest := perhaps().says
			nearest.Confidence = engine.None
			s.fake.answerer = &fakeAnswerer{says: engine.Answer{
				Text: engine.UnansweredText, Citations: nearest.Citations, Confidence: engine.None, Declined: true, Quotation: &nearest,
				How: engine.Extracted, Millis: 38,
			}}
			s.typed("dns cache")
			s.press("ctrl+r")
		}},
		{"line", func(s *screen) {
			s.fake.relevant = 2
			s.typed("dns cache")
			s.pass(time.Second)
			s.press("down", "down")
		}},
		{"irrelevant", func(s *screen) { s.fake.relevant = -1; s.typed("cache"); s.pass(time.Second) }},
		{"related", func(s *screen) { s.typed("dns cache"); s.pass(time.Second); s.press("down", "f10") }},
		{"folded", func(s *screen) { s.fake.copies = []int{0, 1, 1}; s.typed("cache"); s.press("down") }},
		{"unfolded", func(s *screen) { s.fake.copies = []int{0, 1, 1}; s.typed("cache"); s.press("ctrl+x", "down") }},
		{"selected", func(s *screen) { s.typed("cache"); s.press("ctrl+v", "down", "ctrl+v") }},
		{"sought", func(s *screen) { s.typed("cache"); s.press("alt+/"); s.typed("cache"); s.press("enter") }},
		{"grouped", func(s *screen) { s.fake.found = diary(); s.typed("mildew"); s.press("ctrl+x", "down") }},
		{"about", func(s *screen) { library(s.fake); s.typed("slates"); s.press("down") }},
		{"suggested", func(s *screen) { s.fake.tags = gardenTags(); s.typed("cache tag:"); s.press("tab", "tab") }},
		{"filters", func(s *screen) { s.typed("cache "); s.press("ctrl+@") }},
		{"key", func(s *screen) { s.typed("cache ta") }},
		{"help", func(s *screen) { s.press("f1") }},
		{"left-out", func(s *screen) { s.press("f9") }},
		{"nothing", func(s *screen) { s.typed("zebra") }},
	}
}

// readingScreen is an answer that the model reads for, a while after it was asked.
func readingScreen(s *screen, after time.Duration) {
	s.fake.answerer = reading()
	s.typed("dns cache")
	s.press("ctrl+r")
	s.pass(after)
}

// machineScreen shows the machine panel after six changes of its pools.
func machineScreen(s *screen) {
	for i := range int64(6) {
		s.fake.events <- engine.Event{Memory: []engine.PoolUse{
			{Pool: "weights", Bytes: 23_000_000, Peak: 23_000_000},
			{Pool: "scratch", Bytes: i % 3 * 3_000_000, Peak: 9_000_000},
			{Pool: "postings", Bytes: i * 500_000, Peak: 4_000_000},
		}}
	}
	s.typed("dns")
	s.press("ctrl+o")
}

// firstScreen is what is seen before anything is indexed.
func firstScreen(s *screen) {
	s.fake.status.Files, s.fake.status.Chunks, s.fake.status.Roots = 0, 0, nil
	s.fake.folders = nil
	s.model.options.Choose, s.model.status = true, nil
	s.send(statusDone{&s.fake.status, nil})
}

// swappedScreen shows the machine panel beside a model whose rows are swapped.
func swappedScreen(s *screen) {
	s.fake.status.Budget = &engine.Budget{Bytes: 256_000_000, Full: 512_000_000}
	s.fake.status.Writer = &engine.ModelUse{
		Name: "SmolLM2-135M-Instruct", Way: engine.Swapped, Layers: 30, Cache: 41_000_000,
		Hits: 312_400, Misses: 98_100, TokenBytes: 12_300_000, Sparsity: .4,
	}
	s.typed("dns")
	s.press("ctrl+o")
}

// goldenSizes are those at which the main screens are compared; others are only
// checked for what holds for every frame, but for the second size.
var goldenSizes = [][2]int{{60, 20}, {80, 24}, {110, 34}, {200, 60}}

// mainScreens are what people look at most.
var mainScreens = []string{"start", "results", "grouped", "quotation", "markdown", "written", "conversation", "conversations", "folders", "first", "models", "machine", "explained", "help"}

// goldenThemes are drawn with all their colours. A frame is the same in both but
// for what its inks are.
var goldenThemes = []string{"dark", "light"}

// TestGoldenFrames compares whole screens: one file holds the frames of a state as
// text, the runs of cells that are drawn alike, and what each ink is in each theme.
// After a change that is meant: go test ./tui -run Golden -update.
func TestGoldenFrames(t *testing.T) {
	for _, state := range append(goldenStates(), conversationStates...) {
		t.Run(state.name, func(t *testing.T) {
			var frames []string
			var legends strings.Builder
			for _, theme := range goldenThemes {
				drawn, legend := goldenFrames(t, state, theme)
				if frames == nil {
					frames = drawn
				}
				for i := range frames {
					if frames[i] != drawn[i] {
						t.Errorf("theme %s draws other text or runs:\n%s\nwant\n%s", theme, drawn[i], frames[i])
					}
				}
				fmt.Fprintf(&legends, "== %s\n%s", theme, cells.Legend(legend))
			}
			compare(t, state.name, strings.Join(frames, "")+legends.String())
		})
	}
}

// goldenFrames draws a state in its sizes, and returns what its inks are.
func goldenFrames(t *testing.T, state goldenState, theme string) (frames, legend []string) {
	colours := termenv.TrueColor
	for i, size := range goldenSizes {
		withScreen(t, size[0], size[1], Options{Version: "1.2.3", Theme: theme, profile: &colours}, func(_ *testing.T, s *screen) {
			state.do(s)
			s.drain()
			text := s.frame()
			if i == 1 || slices.Contains(mainScreens, state.name) {
				inks := s.cells().Inks(&legend)
				frames = append(frames, fmt.Sprintf("== %dx%d\n%s\n-- inks\n%s\n", size[0], size[1], text, strings.Join(inks, "\n")))
			}
		})
	}
	return frames, legend
}

// cells are what a terminal shows of the view.
func (s *screen) cells() *cells.Screen {
	c := cells.New(s.model.width, s.model.height)
	_, _ = io.WriteString(c, strings.ReplaceAll(s.model.View(), "\n", "\r\n"))
	return c
}

// diary returns passages of which several are of one file, and one repeats another.
func diary() []engine.Passage {
	const log, copied = "/home/ada/notes/garden/log.md", "/home/ada/notes/old/log.md"
	at := func(rank int, path string, line int, heading, text string, lexical, vector int) engine.Passage {
		return engine.Passage{
			Rank: rank, Path: path, LineStart: line, LineEnd: line + 2, Heading: heading, Text: text, Score: 10 - float64(rank), Relevant: true,
			LexicalRank: lexical, VectorRank: vector, FileID: uint32(len(path)), ChunkID: uint32(rank), Modified: changedDays[rank%3],
		}
	}
	list := []engine.Passage{
		at(1, log, 44, "Log > June", "Powdery mildew on the courgettes, one part milk to nine of water.", 1, 2),
		at(2, log, 60, "Log > July", "The mildew came back after the rain.", 2, 1),
		at(3, "/home/ada/notes/garden/spray.md", 3, "Sprays", "What stops mildew, and what does not.", 3, 0),
		at(4, log, 12, "Log > May", "White dust on the leaves of the roses.", 0, 3),
		at(5, copied, 44, "Log > June", "Powdery mildew on the courgettes, one part milk to nine of water.", 1, 2),
		at(6, copied, 90, "Log > August", "Nothing grows but mildew.", 4, 4),
	}
	list[4].SimilarTo = 1
	return list
}

// library puts documents into the fake that say much of themselves.
func library(f *fakeSearcher) {
	const mail, paper = "/home/ada/mail/club.mbox", "/home/ada/papers/2301.00001.pdf"
	f.files = map[string]string{
		mail: "# Re: The roof\n\nFrom: Dora Quist <dora@example.net>; To: club@example.org; Date: Fri 15 Oct 1999 21:00\n\n" +
			"The roof of the shed leaks again. Somebody with a ladder should look at the slates on Saturday.\n",
		paper:                             "Codes of slates are kept, and slates are computed again where codes are too coarse to tell which slates are near.\n",
		"/home/ada/notes/garden/shed.md":  "# The shed\n\nTwenty slates are missing.\n",
		"/home/ada/notes/garden/plain.md": "Slates without anything.\n",
	}
	f.about = map[string]engine.About{
		mail:                             {Title: "Re: The roof", Authors: []string{"Dora Quist <dora@example.net>"}, To: []string{"club@example.org"}, Date: time.Date(1999, 10, 15, 21, 0, 0, 0, time.UTC), Format: "mbox"},
		paper:                            {Title: "Slates: a low-storage\x1b[2J vector index", Authors: []string{"Yichuan Wang", "Ann Lee", "Ben Okafor", "Carl Vogel", "Dora Quist"}, Date: time.Date(1999, 1, 3, 0, 0, 0, 0, time.UTC), Format: "pdf"},
		"/home/ada/notes/garden/shed.md": {Title: "The shed", Tags: []string{"garden/shed", "home office", "to do", "someday"}, Format: "markdown"},
	}
	f.where = map[string]engine.Locator{
		mail:  {Label: "message 17 (Re: The roof)", Parts: []engine.LocatorPart{{Unit: "message", Number: 17, Name: "Re: The roof"}}},
		paper: {Label: "page 3", Parts: []engine.LocatorPart{{Unit: "page", Number: 3}}},
	}
}

// rerankedScreen opens the machine panel a while after a reranking has begun.
func rerankedScreen(s *screen, after time.Duration) {
	var pools []engine.PoolUse
	for i, pool := range []string{"weights", "scratch", "postings", "vectors", "window", "words", "pages"} {
		pools = append(pools, engine.PoolUse{Pool: pool, Bytes: 4_000_000, Peak: int64(23-3*i) * 1_000_000})
	}
	s.fake.events <- engine.Event{Memory: pools}
	reranking(s, pruning())
	s.pass(after)
	s.press("ctrl+o")
}

// compare holds a frame against its golden file.
func compare(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name+".golden")
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v; write it with go test ./tui -run Golden -update", err)
	}
	if got != string(want) {
		t.Errorf("%s differs.\ngot:\n%s\nwant:\n%s", path, got, want)
	}
}
