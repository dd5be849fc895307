package hosts

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"dowse/engine"
	"dowse/internal/testenv"
)

func TestMain(m *testing.M) { os.Exit(testenv.Of(m).Run()) }

// machine is a command that runs a script in the place of ssh.
func machine(t *testing.T, script string) string {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the commands are shell scripts")
	}
	path := filepath.Join(t.TempDir(), "ssh")
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+script+"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	return path
}

// replies is a machine that has one reply to everything.
func replies(t *testing.T, r *engine.Result) string {
	t.Helper()
	value, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "reply")
	if err := os.WriteFile(file, fmt.Appendf(nil, "{\"version\":6}\n{\"done\":true,\"value\":%s}\n", value), 0o600); err != nil {
		t.Fatal(err)
	}
	return machine(t, "read -r line\ncat "+file)
}

// found is a result of passages from /home/NAME, on and off the topic.
func found(name string, relevant ...bool) *engine.Result {
	r := &engine.Result{Stats: engine.Stats{Files: 2, Chunks: 3}}
	for i, on := range relevant {
		r.Passages = append(r.Passages, engine.Passage{Rank: i + 1, Path: fmt.Sprintf("/home/%s/%d.md", name, i), LineStart: 1, LineEnd: 2, Text: "the heron\n", Score: 9 - float64(i), Relevant: on, Highlights: []engine.Range{{Start: 4, End: 9}}})
	}
	return r
}

// pool is of machines of which each is a command.
func pool(t *testing.T, commands map[string]string) *Pool {
	t.Helper()
	p := NewPool(func() map[string]string { return commands })
	t.Cleanup(p.Close)
	return p
}

// ask asks machines of which each is a command, and returns paths by rank, and what was told.
func ask(t *testing.T, own func() *engine.Result, commands map[string]string, names ...string) (r *engine.Result, told []string, err error) {
	t.Helper()
	here := Here{}
	if own != nil {
		here.Search = func(context.Context, bool, []Fit, func(string, error)) (*engine.Result, error) { return own(), nil }
	}
	r, err = pool(t, commands).Search(t.Context(), engine.Request{Query: "heron", K: 5, Hosts: names}, here, func(text string) {
		if !strings.HasSuffix(text, "has not answered yet") { // which a busy machine may say
			told = append(told, text)
		}
	})
	return r, told, err
}

func paths(r *engine.Result) string {
	var out []string
	for _, p := range r.Passages {
		out = append(out, p.Path)
	}
	return strings.Join(out, " ")
}

// TestOneMachineKeepsItsRanking as it is, but for the name in front of paths.
func TestOneMachineKeepsItsRanking(t *testing.T) {
	want := found("ann", true, true, false)
	r, told, err := ask(t, nil, map[string]string{"larch": replies(t, want)}, "larch")
	if err != nil || len(told) > 0 || paths(r) != "larch:/home/ann/0.md larch:/home/ann/1.md larch:/home/ann/2.md" || r.Stats.Merged != "" {
		t.Fatalf("%+v, %q, %v", r, told, err)
	}
	for i, p := range r.Passages {
		w := want.Passages[i]
		if p.Score != w.Score || p.Relevant != w.Relevant || p.Text != w.Text || p.LineEnd != w.LineEnd || len(p.Highlights) != 1 || p.Highlights[0] != w.Highlights[0] {
			t.Errorf("%+v, want %+v", p, w)
		}
	}
}

// TestRankingsAreMergedByRank: the first of each machine, then the second, those off the topic last; and that is said.
func TestRankingsAreMergedByRank(t *testing.T) {
	own := func() *engine.Result { return found("me", true, false) }
	r, told, err := ask(t, own, map[string]string{"larch": replies(t, found("ann", true, true, true)), "elm": replies(t, found("bob", true))}, "larch", "here", "elm", "larch")
	const want = "/home/me/0.md larch:/home/ann/0.md elm:/home/bob/0.md larch:/home/ann/1.md larch:/home/ann/2.md"
	if err != nil || len(told) > 0 || paths(r) != want || !strings.HasPrefix(r.Stats.Merged, "the rankings of here, larch, elm are merged by rank: ") || r.Stats.Chunks != 9 {
		t.Fatalf("%s\n%+v, %q, %v", paths(r), r.Stats, told, err)
	}
	for i, p := range r.Passages {
		if p.Rank != i+1 || i > 0 && p.Score > r.Passages[i-1].Score {
			t.Errorf("%+v", p)
		}
	}
}

// TestFailedMachineIsNamed, with why, and the passages of others are there.
func TestFailedMachineIsNamed(t *testing.T) {
	good := replies(t, found("ann", true))
	for script, want := range map[string]string{
		"exit 0":                               "bad: it ended; its passages are missing",
		"kill -9 $$":                           "bad: it ended; its passages are missing",
		"echo 'no route to bad' >&2; exit 255": "bad: it ended: no route to bad; its passages are missing",
		`printf 'a\n\033]0;x\007lost\n' >&2`:   "bad: it ended: ]0;xlost; its passages are missing",
		"echo Welcome":                         "bad: it does not answer as dowse does",
		`echo '{"version":5,"done":true}'`:     "bad: it has another version of dowse, an older one (protocol 5; this one speaks 6): update dowse there; its",
		`echo '{"version":7,"done":true}'`:     "bad: it has another version of dowse, a newer one (protocol 7; this one speaks 6): update dowse on this machine; its",
		`echo '{"version":6,"done":true,"error":"nothing is indexed \u001b[31myet"}'`: "bad: nothing is indexed [31myet; its",
	} {
		r, told, err := ask(t, nil, map[string]string{"bad": machine(t, script), "good": good}, "bad", "good")
		if err != nil || paths(r) != "good:/home/ann/0.md" || len(told) != 1 || !strings.HasPrefix(told[0], want) || len(r.Stats.Away) != 1 || r.Stats.Merged != "" {
			t.Errorf("%s: %+v, %q, %v", script, r, told, err)
		}
		if _, _, err := ask(t, nil, map[string]string{"bad": machine(t, script)}, "bad"); err == nil || !strings.HasPrefix(err.Error()+"; its", strings.TrimSuffix(want, " passages are missing")) {
			t.Errorf("%s alone: %v", script, err)
		}
	}
	if _, told, err := ask(t, nil, map[string]string{"bad": "/nowhere/ssh", "good": good}, "bad", "good"); err != nil || len(told) != 1 || !strings.HasPrefix(told[0], "bad: its command cannot be run") {
		t.Errorf("%q, %v", told, err)
	}
}

// TestSlowMachineIsNamed while it is waited for, and ctrl-c ends it.
func TestSlowMachineIsNamed(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	slow := pool(t, map[string]string{"slow": machine(t, "exec sleep 100")})
	var told []string
	_, err := slow.Search(ctx, engine.Request{Query: "heron", Hosts: []string{"slow"}}, Here{}, func(text string) { told = append(told, text); cancel() })
	if !errors.Is(err, context.Canceled) || len(told) != 1 || told[0] != "slow has not answered yet" {
		t.Errorf("%q, %v", told, err)
	}
}

// TestHostileMachineHurtsNobody: what no dowse sends is refused, and what could do harm on a terminal is taken out.
func TestHostileMachineHurtsNobody(t *testing.T) {
	for what, change := range map[string]func(r *engine.Result){
		"a highlight behind the text": func(r *engine.Result) { r.Passages[0].Highlights[0].End = 99 },
		"one before it":               func(r *engine.Result) { r.Passages[0].Highlights[0].Start = -1 },
		"an empty one":                func(r *engine.Result) { r.Passages[0].Highlights[0].End = 4 },
		"lines that descend":          func(r *engine.Result) { r.Passages[0].LineEnd = 0 },
		"no path":                     func(r *engine.Result) { r.Passages[0].Path = "" },
		"too much text":               func(r *engine.Result) { r.Passages[0].Text = strings.Repeat("x", mostText+1) },
		"too many":                    func(r *engine.Result) { *r = *found("ann", make([]bool, 5000)...) },
	} {
		r := found("ann", true)
		change(r)
		if got, _, err := ask(t, nil, map[string]string{"evil": replies(t, r)}, "evil"); err == nil || err.Error() != "evil: it sends what dowse does not" {
			t.Errorf("%s: %+v, %v", what, got, err)
		}
	}
	r := found("ann", true)
	p := &r.Passages[0]
	p.Path, p.Text, p.Heading, p.Title = "../../etc/pass\x1b[31mwd\n", "a\x1b]0;b\a\u202ec\r\n", "x\ny\x00", strings.Repeat("t", 1<<20)
	p.SimilarTo, p.Rank, p.Pack, p.Highlights = 7, -3, "/etc/passwd", nil
	p.Locator = &engine.Locator{Label: "page\x1b 1", Parts: []engine.LocatorPart{{Unit: "page", Number: -1}}}
	r.Stats.ByWords, r.Stats.Sent = "by\x1b words", &engine.Sent{To: "\x1b"}
	got, _, err := ask(t, nil, map[string]string{"evil": replies(t, r)}, "evil")
	if err != nil {
		t.Fatal(err)
	}
	q := got.Passages[0]
	if q.Path != "evil:/etc/pass[31mwd " || q.Text != "a]0;bc\n" || q.Heading != "x y" || len(q.Title) != mostName || q.SimilarTo != 0 || q.Rank != 1 || q.Pack != "" || q.Locator.Label != "page 1" || got.Stats.ByWords != "by words" || got.Stats.Sent != nil {
		t.Errorf("%q %q %q %d %+v %+v", q.Path, q.Text, q.Heading, len(q.Title), q, got.Stats)
	}
}

// TestNamesOfMachines: one that is not known is told, with those that are.
func TestNamesOfMachines(t *testing.T) {
	known := map[string]string{"larch": "ssh larch", "elm": "ssh -p 2222 elm"}
	for name, want := range map[string]string{"larhc": "did you mean larch?", "oak": "there are elm, larch"} {
		if _, _, err := pool(t, known).named([]string{name}); err == nil || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, _, err := pool(t, nil).named([]string{"oak"}); err == nil || !strings.HasSuffix(err.Error(), `dowse config edit, and below [hosts] oak = "ssh oak"`) {
		t.Errorf("%v", err)
	}
	list, own, err := pool(t, known).named([]string{"elm", "here", "elm"})
	if err != nil || !own || len(list) != 1 || strings.Join(list[0].command, " ") != "ssh -p 2222 elm dowse serve --stdio" {
		t.Errorf("%+v, %v, %v", list, own, err)
	}
	for place, want := range map[string]bool{"larch:/a": true, "oak:/a": false, "/larch:/a": false, "larch:": false, "larch": false} {
		if _, _, is := OnHost(known, place); is != want {
			t.Errorf("%s: %v", place, is)
		}
	}
}
