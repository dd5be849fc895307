package conversation

import (
	"bytes"
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"dowse/engine"
)

var noon = time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)

// told is a turn about a file whose name is not UTF-8.
func told(question string) engine.Turn {
	return engine.Turn{
		Question: question,
		Passages: []engine.TurnPassage{{N: 1, Rank: 2, Path: "/caf\xe9", Text: "it\nleaves"}, {N: 2, Rank: 3, Path: "/b"}},
		Answer: &engine.Answer{
			Text:      "So. [2]\x1b[31m",
			Citations: []engine.AnswerCitation{{N: 2, Path: "/caf\xe9"}, {N: 3, Path: "/b"}},
			Quotation: &engine.Answer{Citations: []engine.AnswerCitation{{N: 2, Path: "/caf\xe9"}}},
		},
		When: noon,
	}
}

// logOf writes a log.
func logOf(t testing.TB, records ...record) []byte {
	t.Helper()
	data := []byte(header)
	for _, r := range records {
		line, err := encode(r)
		if err != nil {
			t.Fatal(err)
		}
		data = append(data, line...)
	}
	return data
}

func TestALogSaysWhatWasWritten(t *testing.T) {
	first, second := told("when?"), told("why?")
	data := logOf(t, record{Name: "a", When: noon}, record{Turn: &first}, record{Name: "b", When: noon.Add(1)}, record{Turn: &second})
	c, err := parse(data)
	if err != nil || c.name != "b" || !c.created.Equal(noon) || c.torn || c.damaged != 0 || c.whole != len(data) {
		t.Fatalf("%+v, %v", c, err)
	}
	if !reflect.DeepEqual(c.turns, []engine.Turn{first, second}) {
		t.Errorf("turns %+v", c.turns)
	}
	if first.Passages[0].PathBytes != nil {
		t.Error("what was written was changed")
	}
}

func TestATornEndIsLeftOut(t *testing.T) {
	turn := told("when?")
	whole := logOf(t, record{Name: "a", When: noon})
	data := logOf(t, record{Name: "a", When: noon}, record{Turn: &turn})
	for end := len(whole) + 1; end < len(data); end++ {
		c, err := parse(data[:end])
		if err != nil || !c.torn || c.whole != len(whole) || len(c.turns) != 0 || c.damaged != 0 {
			t.Fatalf("cut at %d: %+v, %v", end, c, err)
		}
	}
}

func TestADamagedLineCostsWhatItSays(t *testing.T) {
	first, second := told("when?"), told("why?")
	data := logOf(t, record{Name: "a", When: noon}, record{Turn: &first}, record{Turn: &second})
	at := bytes.Index(data, []byte("when?"))
	for bit := range 8 {
		damaged := bytes.Clone(data)
		damaged[at] ^= 1 << bit
		c, err := parse(damaged)
		if err != nil || c.damaged == 0 || c.name != "a" || len(c.turns) != 1 || c.turns[0].Question != "why?" {
			t.Errorf("bit %d: %+v, %v", bit, c, err)
		}
	}
	damaged := bytes.Replace(data, []byte(header), []byte("dawse\n"), 1)
	if c, err := parse(damaged); err != nil || c.damaged != 1 || len(c.turns) != 2 {
		t.Errorf("of a damaged first line: %+v, %v", c, err)
	}
	damaged = bytes.Replace(data, []byte(`"a"`), []byte(`"c"`), 1)
	if c, err := parse(damaged); err != nil || c.name != "" || !c.created.Equal(noon) || c.problem() == "" {
		t.Errorf("of a damaged name: %+v, %v", c, err)
	}
}

func TestWhatIsNoLogIsRefused(t *testing.T) {
	for text, want := range map[string]error{
		"": errDamaged, "x": errDamaged, "x\n": errDamaged, header: errDamaged,
		"dowse conversation 2\n": errVersion,
	} {
		if c, err := parse([]byte(text)); !errors.Is(err, want) {
			t.Errorf("%q: %+v, %v; want %v", text, c, err, want)
		}
	}
	for name, line := range map[string]string{
		"a name that steers a terminal": "a\x1b", "none": "",
	} {
		if c, err := parse(logOf(t, record{Name: line, When: noon})); !errors.Is(err, errDamaged) {
			t.Errorf("%s: %+v, %v", name, c, err)
		}
	}
}

func FuzzParse(f *testing.F) {
	turn := told("when?")
	f.Add(logOf(f, record{Name: "a", When: noon}, record{Turn: &turn}))
	f.Add([]byte(header + "00000000 {}\n"))
	f.Add([]byte("dowse conversation 2\n"))
	f.Add([]byte(header + "zzzzzzzz {\n\n 12345678\n" + strings.Repeat(" ", 20)))
	f.Fuzz(func(t *testing.T, data []byte) {
		c, err := parse(data)
		if err != nil {
			return
		}
		if c.whole > len(data) || c.torn != (c.whole < len(data)) {
			t.Fatalf("%d of %d bytes are whole, torn %v", c.whole, len(data), c.torn)
		}
		// What was read can be written and read again.
		records := []record{}
		if c.name != "" {
			records = append(records, record{Name: c.name, When: c.created})
		}
		for i := range c.turns {
			records = append(records, record{Turn: &c.turns[i]})
		}
		again, err := parse(logOf(t, records...))
		if err != nil || again.damaged != 0 || again.name != c.name || len(again.turns) != len(c.turns) {
			t.Fatalf("%+v became %+v, %v", c, again, err)
		}
	})
}
