package repeats

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"dowse/engine"
)

const outage = `The resolver kept a wrong address in its cache after the upgrade, so every lookup of the
printer failed until the service was restarted by hand. Flushing the cache did not help,
because the address came back with the next answer of the router. In the end it was the
lease of 2019 that the router still gave out, and deleting it fixed printing for everybody.`

// saysAgain reports whether one text is found to repeat another.
func saysAgain(better, worse engine.Passage) bool {
	r := New()
	return r.Of(1, &better) == 0 && r.Of(2, &worse) == 1
}

// TestRepeats: a copy is one, whatever was done to its looks; what tells something else
// is none, however much looks the same.
func TestRepeats(t *testing.T) {
	swap := func(from, to string) string {
		if !strings.Contains(outage, from) {
			t.Fatalf("there is no %q to replace", from)
		}
		return strings.Replace(outage, from, to, 1)
	}
	sentences := strings.SplitAfter(outage, ". ")
	for name, tt := range map[string]struct {
		worse string
		want  bool
	}{
		"the same":             {outage, true},
		"white space":          {strings.ReplaceAll(outage, "\n", "\r\n  "), true},
		"case and markup":      {"**" + strings.ToUpper(strings.NewReplacer(". ", "! ", ",", " –").Replace(outage)) + "**", true},
		"misspelt":             {swap("address", "addrress"), true},
		"another form":         {swap("failed", "fails"), true},
		"a sentence left out":  {strings.Join(slices.Concat(sentences[:1], sentences[2:]), ""), true},
		"the end left out":     {strings.Join(sentences[:2], ""), true},
		"a sentence more":      {outage + " It happened again in May.", false},
		"another number":       {swap("2019", "2018"), false},
		"another name":         {swap("printer", "scanner"), false},
		"a not more":           {swap("fixed", "not fixed"), false},
		"a not less":           {swap("did not help", "did help"), false},
		"words that it has":    {swap("the service was", "the router was"), false},
		"part of it elsewhere": {sentences[0] + strings.Repeat("Something else was written here. ", 9), false},
	} {
		if got := saysAgain(engine.Passage{Text: outage}, engine.Passage{Text: tt.worse}); got != tt.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// TestTemplatesAreNoRepeats: notes from one template differ in what was filled in.
func TestTemplatesAreNoRepeats(t *testing.T) {
	week := func(n int, done, next string) engine.Passage {
		return engine.Passage{Heading: fmt.Sprintf("Week %d", n), Text: fmt.Sprintf("# Week %d\n\n## What went well\n\nWe met on Monday as always, and everybody "+
			"was there. %s\n\n## What did not go well\n\nNothing to report.\n\n## Next week\n\nWe meet on Monday as always. %s\n\n## Open questions\n\nNone.\n", n, done, next)}
	}
	logs := []engine.Passage{
		week(12, "The boiler was repaired.", "The roof."), week(13, "The roof was repaired.", "The boiler."),
		week(14, "The roof was repaired.", "The boiler."), week(15, "", ""), week(16, "", ""),
	}
	r := New()
	for i := range logs {
		if at := r.Of(i+1, &logs[i]); at != 0 {
			t.Errorf("week %d is said to repeat week %d", i+12, at+11)
		}
	}
	code := "func clamp(x, low, high int) int {\n\tif x < low {\n\t\treturn low\n\t}\n\tif x > high {\n\t\treturn high\n\t}\n\treturn x\n}\n"
	if saysAgain(engine.Passage{Text: code}, engine.Passage{Text: strings.Replace(code, "<", ">", 1)}) {
		t.Error("a comparison turned round is said to be the same")
	}
}

// TestHeadingsTellShortTextsApart, and long texts only where they are not the same.
func TestHeadingsTellShortTextsApart(t *testing.T) {
	at := func(heading, text string) engine.Passage { return engine.Passage{Heading: heading, Text: text} }
	short := "The password is in the safe."
	for name, tt := range map[string]struct {
		better, worse engine.Passage
		want          bool
	}{
		"short, one heading":     {at("Router", short), at("Router", short), true},
		"short, two headings":    {at("Router", short), at("Printer", short), false},
		"boilerplate":            {at("One > License", outage), at("Two > License", outage), true},
		"almost, two headings":   {at("Version A", outage), at("Version B", strings.Replace(outage, "address", "addrress", 1)), false},
		"almost, named in it":    {at("Printing", outage), at("Router", strings.Replace(outage, "address", "addrress", 1)), true},
		"empty":                  {at("", ""), at("", ""), false},
		"signs alone":            {at("", "* * *"), at("", "---"), false},
		"Chinese":                {at("", "重启解析器之后,打印机又能工作了"), at("", "重启解析器之后打印机又能工作了。"), true},
		"Chinese, another thing": {at("", "重启解析器之后,打印机又能工作了"), at("", "重启路由器之后,打印机又能工作了"), false},
	} {
		if got := saysAgain(tt.better, tt.worse); got != tt.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// TestGapsAlign: what is between shared words, put together, are the two texts.
func TestGapsAlign(t *testing.T) {
	for _, tt := range []struct{ better, worse, want string }{
		{"a b c d", "a b c d", ""},
		{"a b c d", "a x c d", "-b+x in"},
		{"a b c d", "b c", "-a, -d"},
		{"a b c d", "a b d e", "-c in, +e"},
		{"", "a b", "+a b"},
		{"a b a b a", "a a a", "-b in, -b in"},
	} {
		var got []string
		for _, g := range gapsOf(wordsOf(tt.better), wordsOf(tt.worse)) {
			text := ""
			for _, side := range []struct {
				sign  string
				words []word
			}{{"-", g.lacking}, {"+", g.added}} {
				if len(side.words) > 0 {
					text += side.sign
					for i, w := range side.words {
						text += strings.Repeat(" ", min(i, 1)) + w.text
					}
				}
			}
			if g.inside {
				text += " in"
			}
			got = append(got, text)
		}
		if strings.Join(got, ", ") != tt.want {
			t.Errorf("%q and %q: %v, want %s", tt.better, tt.worse, got, tt.want)
		}
	}
}
