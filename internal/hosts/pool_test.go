package hosts

import (
	"context"
	"errors"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"dowse/engine"
)

// fits is a machine that ranks with others as one; it notes its process, and does something when it is to count.
func fits(t *testing.T, counts string) (command, processes string) {
	t.Helper()
	processes = filepath.Join(t.TempDir(), "processes")
	return machine(t, `echo $$ >>`+processes+`
while read -r line; do
	case $line in
	*'"op":"peer"'*) echo '{"version":6,"done":true,"value":{"can":["rank 1"],"fingerprint":"f"}}' ;;
	*) `+counts+` ;;
	esac
done`), processes
}

// sound is the reply to a call that counts nothing.
const sound = `echo '{"version":6,"done":true,"value":{"chunks":3,"length":9,"languages":1,"terms":[]}}'`

// counted has the machines of a pool count, and returns what was told.
func counted(t *testing.T, p *Pool, names ...string) (told []string, err error) {
	t.Helper()
	here := Here{Fingerprint: "f", Search: func(ctx context.Context, _ bool, fit []Fit, failed func(string, error)) (*engine.Result, error) {
		for _, f := range fit {
			if _, err := f.Count(ctx, engine.CountRequest{}); err != nil {
				failed(f.Name, err)
			}
		}
		return &engine.Result{}, nil
	}}
	_, err = p.Search(t.Context(), engine.Request{Query: "heron", Hosts: append(names, "here")}, here, func(text string) {
		if !strings.HasSuffix(text, "has not answered yet") { // which a busy machine may say
			told = append(told, text)
		}
	})
	return told, err
}

// TestStoppedMachineIsNamed at once, and given up when it has said nothing for some seconds.
func TestStoppedMachineIsNamed(t *testing.T) {
	command, _ := fits(t, "kill -STOP $$")
	p := pool(t, map[string]string{"larch": command})
	var told []string
	ctx, cancel := context.WithCancel(t.Context())
	here := Here{Fingerprint: "f", Search: func(ctx context.Context, _ bool, fit []Fit, _ func(string, error)) (*engine.Result, error) {
		_, err := fit[0].Count(ctx, engine.CountRequest{})
		return nil, err
	}}
	_, err := p.Search(ctx, engine.Request{Query: "heron", Hosts: []string{"larch"}}, here, func(text string) { told = append(told, text); cancel() })
	if !errors.Is(err, context.Canceled) || len(told) != 1 || told[0] != "larch has not answered yet" {
		t.Errorf("%q, %v", told, err)
	}
}

// TestMachineThatFailsWhileItCounts is named with why, and the search goes on.
func TestMachineThatFailsWhileItCounts(t *testing.T) {
	for counts, want := range map[string]string{
		`printf '{"version":6,"done":tr'; kill -9 $$`:                                        "larch: it ended",
		`echo '{"version":6,"done":true,"value":{"chunks":1e999}}'`:                          "larch: it sends what dowse does not",
		`echo '{"version":6,"done":true,"value":{"chunks":-1}}'`:                             "larch: it sends what dowse does not",
		`echo '{"version":6,"done":true,"value":{"chunks":1,"terms":[{"df":-1}]}}'`:          "larch: it sends what dowse does not",
		`echo '{"version":6,"done":true,"value":[]}'`:                                        "larch: it sends what dowse does not",
		`echo '{"version":6,"done":true,"error":"a \u001b[31mfault"}'`:                       "larch: a [31mfault",
		`echo '{"version":6}'; echo '{"done":true,"error":"call \"count\" not understood"}'`: "larch: call \"count\" not understood",
		`yes '{"version":6}'`:      "larch: it sends more than is taken of a machine",
		`yes x | tr -d '\n'`:       "larch: it sends more than is taken of a machine",
		`echo 'no such' >&2; exit`: "larch: it ended: no such",
	} {
		command, _ := fits(t, counts)
		told, err := counted(t, pool(t, map[string]string{"larch": command}), "larch")
		if strings.Contains(counts, "yes") && len(told) == 1 && strings.HasPrefix(told[0], "larch: it says nothing") {
			continue // as busy a machine as that has not read enough of it in time
		}
		if err != nil || len(told) != 1 || told[0] != want+"; its passages are missing" {
			t.Errorf("%s: %q, %v", counts, told, err)
		}
	}
}

// TestOtherModelRanksByItself, and is left out of an answer.
func TestOtherModelRanksByItself(t *testing.T) {
	command := machine(t, `while read -r line; do
	case $line in
	*'"op":"peer"'*) echo '{"version":6,"done":true,"value":{"can":["rank 1"],"fingerprint":"g"}}' ;;
	*) echo '{"version":6,"done":true,"value":{"results":[{"path":"/a","text":"x"}]}}' ;;
	esac
done`)
	p := pool(t, map[string]string{"larch": command})
	here := Here{Fingerprint: "f", Search: func(_ context.Context, own bool, fit []Fit, _ func(string, error)) (*engine.Result, error) {
		if !own || len(fit) > 0 {
			t.Errorf("%v, %v", own, fit)
		}
		return found("me", true), nil
	}}
	var told []string
	req := engine.Request{Query: "heron", Hosts: []string{"larch", "here"}}
	r, err := p.Search(t.Context(), req, here, func(text string) { told = append(told, text) })
	if err != nil || paths(r) != "/home/me/0.md larch:/a" || !strings.Contains(r.Stats.Merged, "different models") {
		t.Errorf("%+v, %q, %v", r, told, err)
	}
	req.Answer = true
	if r, err = p.Search(t.Context(), req, here, func(string) {}); err != nil || paths(r) != "/home/me/0.md" || len(r.Stats.Away) != 1 || r.Stats.Merged != "" {
		t.Errorf("%+v, %v", r, err)
	}
}

// ranked is a part of a ranking as dowse sends it.
func ranked() *engine.Ranked {
	return &engine.Ranked{
		Files: []engine.RankedFile{{Path: "/n/a.md", Root: 2}}, Chunks: []engine.RankedChunk{{ID: 7}, {ID: 9}},
		Words:   engine.RankedList{Chunks: []int{1, 0}, Scores: []float64{3, 2}, Matched: []int{1, 1}},
		Meaning: engine.RankedList{Chunks: []int{0}, Scores: []float64{.5}}, Listed: []int{1},
		Defined: map[string][]engine.RankedDefinition{"Close": {{Chunk: 1}}}, LeftFiles: 1, LeftChunks: 2, All: 2,
	}
}

// TestHostilePartIsRefused: what would reach beyond a list, an index or what was asked for is let through nowhere.
func TestHostilePartIsRefused(t *testing.T) {
	req := &engine.RankRequest{}
	if !fitsRanked(ranked(), req) {
		t.Fatal("what dowse sends is refused")
	}
	many := make([]int, mostLists+1)
	for what, change := range map[string]func(r *engine.Ranked){
		"a file that is not there":         func(r *engine.Ranked) { r.Chunks[0].File = 1 },
		"a negative one":                   func(r *engine.Ranked) { r.Chunks[0].File = -1 },
		"a root behind the path":           func(r *engine.Ranked) { r.Files[0].Root = 9 },
		"a negative root":                  func(r *engine.Ranked) { r.Files[0].Root = -1 },
		"no path":                          func(r *engine.Ranked) { r.Files[0].Path = "" },
		"a chunk that is not there":        func(r *engine.Ranked) { r.Words.Chunks[0] = 2 },
		"a chunk twice":                    func(r *engine.Ranked) { r.Words.Chunks[0] = 0 },
		"more scores than chunks":          func(r *engine.Ranked) { r.Words.Scores = append(r.Words.Scores, 1) },
		"fewer words than chunks":          func(r *engine.Ranked) { r.Words.Matched = nil },
		"no number":                        func(r *engine.Ranked) { r.Meaning.Scores[0] = math.NaN() },
		"an infinite score":                func(r *engine.Ranked) { r.Words.Scores[0] = math.Inf(1) },
		"a score that hides all others":    func(r *engine.Ranked) { r.Words.Scores[0] = 1e300 },
		"a list that ascends":              func(r *engine.Ranked) { r.Words.Scores[1] = 4 },
		"more than was asked for":          func(r *engine.Ranked) { r.Listed = many },
		"a definition elsewhere":           func(r *engine.Ranked) { r.Defined["Close"][0].Chunk = -1 },
		"a negative count":                 func(r *engine.Ranked) { r.LeftFiles = -1 },
		"more left than there is":          func(r *engine.Ranked) { r.LeftChunks = 3 },
		"an impossible scale":              func(r *engine.Ranked) { r.Factor = math.NaN() },
		"a scale that turns a list around": func(r *engine.Ranked) { r.Factor = -1 },
	} {
		r := ranked()
		change(r)
		if fitsRanked(r, req) {
			t.Errorf("%s is let through", what)
		}
	}
	asked := &engine.CountRequest{Terms: []engine.RankTerm{{Term: "heron"}}}
	for what, c := range map[string]engine.Counts{
		"no terms":         {Chunks: 3},
		"a term too many":  {Chunks: 3, Terms: make([]engine.TermCount, 2)},
		"a frequency":      {Chunks: 3, Terms: []engine.TermCount{{DF: -1}}},
		"more than all":    {Chunks: 3, Terms: []engine.TermCount{{DF: 4}}},
		"chunks":           {Chunks: mostChunks + 1, Terms: []engine.TermCount{{}}},
		"length":           {Chunks: 3, Length: -1, Terms: []engine.TermCount{{}}},
		"a hostile term":   {Chunks: 3, Terms: []engine.TermCount{{Near: []engine.NearTerm{{Term: "a\x1b[2J", Count: 1, DF: 1}}}}},
		"an endless one":   {Chunks: 3, Terms: []engine.TermCount{{Longer: []string{strings.Repeat("x", 1<<20)}}}},
		"a negative count": {Chunks: 3, Terms: []engine.TermCount{{Near: []engine.NearTerm{{Term: "a", Count: -1}}}}},
	} {
		if fitsCounts(&c, asked) {
			t.Errorf("%s is let through", what)
		}
	}
}

// TestHostileTextHurtsNobody: text that could do harm on a terminal comes without that, and none reaches beyond itself.
func TestHostileTextHurtsNobody(t *testing.T) {
	r := &ranker{host: &host{name: "evil"}}
	text := engine.RankedText{Text: "a\x1b]0;x\ab\n", Before: "\u009b1m", Heading: "x\ny\x00", LineStart: 1, LineEnd: 1, Columns: "c\x1b"}
	text.Pack, text.Locator, text.About.Title = "/etc/passwd", &engine.Locator{Label: "page\x1b 1"}, "t\u202e"
	if err := r.checkRanked(&text); err != nil {
		t.Fatal(err)
	}
	if text.Text != "a]0;xb\n" || text.Before != "1m" || text.Heading != "x y" || text.Columns != "c" || text.Pack != "" || text.Locator.Label != "page 1" || text.About.Title != "t" {
		t.Errorf("%+v", text)
	}
	for what, text := range map[string]engine.RankedText{
		"endless":             {Text: strings.Repeat("x", mostText), Before: "x"},
		"lines that descend":  {LineStart: 3, LineEnd: 2},
		"a place behind it":   {Text: "x", Places: []engine.LocatorMark{{Offset: 1}}},
		"places out of order": {Text: "xyz", Places: []engine.LocatorMark{{Offset: 2}, {Offset: 1}}},
		"one before it":       {Text: "x", Places: []engine.LocatorMark{{Offset: -1}}},
	} {
		if err := r.checkRanked(&text); !errors.Is(err, engine.ErrUnfit) {
			t.Errorf("%s: %v", what, err)
		}
	}
}
