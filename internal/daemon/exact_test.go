package daemon

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"time"

	"dowse/engine"
)

// odd are names as a disk may have them.
var odd = []string{
	"/a\xff/b\xc3(.md", "/caf\xe9.txt", "\x80", "/plain/ä.md", "/\U0010ff80\U0010ffff", "/\U0010fffe\xfe", "\xed\xa0\x80", "/\uFFFD\xff",
	"/a\x1b[31m", "",
}

// TestBytesSurviveJSON: any string comes back from JSON as it was.
// survives sends a name through JSON and back.
func survives(t *testing.T, name string) {
	t.Helper()
	data, err := json.Marshal(onWire(name))
	var back string
	if err == nil {
		err = json.Unmarshal(data, &back)
	}
	if got := offWire(back); got != name || err != nil {
		t.Errorf("%q came back as %q, %v", name, got, err)
	}
}

func TestBytesSurviveJSON(t *testing.T) {
	for _, name := range odd {
		survives(t, name)
	}
}

func FuzzBytesSurviveJSON(f *testing.F) {
	for _, name := range odd {
		f.Add(name)
	}
	f.Fuzz(survives)
}

// TestWholeValuesAreRewritten: strings are found wherever they are, and what
// others may read is not touched.
func TestWholeValuesAreRewritten(t *testing.T) {
	const name = "/caf\xe9"
	event := engine.Event{
		Found:    []engine.Passage{{Rank: 1, Path: "/a"}, {Rank: 2, Path: name, PathBytes: []byte(name), Highlights: []engine.Range{{End: 3}}}},
		Answer:   &engine.Answer{Citations: []engine.AnswerCitation{{N: 2, Path: name}}},
		Progress: &engine.Progress{Current: name, Skipped: map[string]int{name: 3}, Started: time.Unix(7, 0)},
	}
	sent := onWire(event)
	if event.Found[1].Path != name || event.Progress.Current != name || event.Progress.Skipped[name] != 3 {
		t.Errorf("the value itself was changed: %+v", event)
	}
	if strings.Contains(sent.Found[1].Path, "\xe9") || string(sent.Found[1].PathBytes) != name || !sent.Progress.Started.Equal(time.Unix(7, 0)) {
		t.Errorf("sent %+v", sent)
	}
	if back := offWire(sent); !reflect.DeepEqual(back, event) {
		t.Errorf("came back as %+v", back)
	}
	ask := call{Request: &engine.Request{In: []string{name}}, Folders: []string{name}}
	if back := offWire(onWire(ask)); !reflect.DeepEqual(back, ask) || &onWire(ask).Folders[0] == &ask.Folders[0] {
		t.Errorf("came back as %+v", back)
	}
}

// TestNamesCrossTheSocket: what the owner of the index finds under a name that is
// not UTF-8 has that very name for the client, and the other way round.
func TestNamesCrossTheSocket(t *testing.T) {
	_, client, _ := start(t)
	ctx := t.Context()
	result, err := client.Search(ctx, engine.Request{Query: "dns", K: 3}, nil)
	if err != nil || result.Passages[0].Path != "/a\x1b[31m\xff" {
		t.Errorf("Search: %+v, %v", result, err)
	}
	for _, name := range odd {
		if p, err := client.Preview(ctx, engine.Passage{Path: name}, 4, 5); err != nil || p.Path != name {
			t.Errorf("Preview of %q: %+v, %v", name, p, err)
		}
		var heard string
		hear := func(e engine.Event) {
			if e.Answer != nil {
				heard = e.Answer.Text
			}
		}
		if _, err := client.Search(ctx, engine.Request{Query: "say" + name, Answer: true}, hear); err != nil || heard != "say"+name+" " {
			t.Errorf("an answer with %q was heard as %q, %v", name, heard, err)
		}
	}
}
