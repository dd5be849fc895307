package frontmatter_test

import (
	"reflect"
	"strings"
	"testing"

	"dowse/indexer/frontmatter"
)

// fields is what a note says, as names before their values.
func fields(m frontmatter.Matter) map[string][]string {
	out := map[string][]string{}
	for _, f := range m.Fields {
		out[f.Name] = f.Values
	}
	return out
}

func TestWaysOfFrontMatter(t *testing.T) {
	type said = map[string][]string
	for head, want := range map[string]said{
		"---\ntitle: \"Roof: plan\"\ntags:\n- a\n- b\n---": {"title": {"Roof: plan"}, "tags": {"a", "b"}},
		"---\r\ntitle: Roof\r\n...":                        {"title": {"Roof"}},
		"+++\ntitle = 'Roof'\ndate = 2026-03-14T10:00:00+01:00\ntags = [\"a\",\n  \"b\"]\nweight = 3\n[params]\nauthor = \"Ann\"\n+++": {
			"title": {"Roof"}, "date": {"2026-03-14T10:00:00+01:00"}, "tags": {"a", "b"}, "weight": {"3"}, "author": {"Ann"},
		},
		"\ufeff+++\ndate = 2026-03-14\n[taxonomies]\ntags = [\"a\"]\n[other]\ntitle = \"not this\"\n+++": {"date": {"2026-03-14"}, "tags": {"a"}},
		"+++\ndate = 2026-03-14T09:30:00\n+++":                   {"date": {"2026-03-14T09:30:00"}},
		"+++\nnot = = toml\n+++":                                 {},
		"{\"title\": \"Roof\", \"author\": {\"name\": \"Ann\"}}": {"title": {"Roof"}, "author": {"Ann"}},
		"% Roof\n  and gutter\n% Ann; Ben\n  Cy\n% 2026-03-14":   {"title": {"Roof and gutter"}, "authors": {"Ann", "Ben", "Cy"}, "date": {"2026-03-14"}},
		"%\n% Ann": {"authors": {"Ann"}},
		"Title: Roof; plan\nDate: 2026-03-14 10:20\nAuthors: Ann, Ben\nTags: a, b": {
			"title": {"Roof; plan"}, "date": {"2026-03-14 10:20"}, "authors": {"Ann", "Ben"}, "tags": {"a, b"},
		},
		"title:\tRoof\n\tand gutter\r\nBase Header Level: 2": {"title": {"Roof and gutter"}, "base header level": {"2"}},
	} {
		m := frontmatter.Read(head + "\n\nThe text: words\n")
		if got := fields(m); !reflect.DeepEqual(got, want) || m.End != len(head) {
			t.Errorf("%q says %v up to %d, want %v up to %d", head, got, m.End, want, len(head))
		}
	}
}

func TestNoFrontMatter(t *testing.T) {
	for _, text := range []string{
		"", "---", "---\ntitle: never ends\n\ntext", "+++\ntitle = 'never ends'\n", "{ a brace }\n", "{\"title\": \"x\"} and a sentence\n", "{\"a\": 1}\n",
		"%% a comment of Obsidian %%\n", "%hidden\n", "Note: the roof leaks\nTitle: no\n\n", "Date: yesterday we sowed\n\n", "Author: a man I knew\nwent away\n\n",
		"Title: Roof\nand a sentence that goes on\n\n", "Title : x\n\n", "https://example.org/\nTitle: x\n", "# Title: x\n", "Title:x\nDate:y\n",
		"Title: " + strings.Repeat("x", 20<<10), "---\n" + strings.Repeat("a: b\n", 4<<10) + "---\n", "Title: x\n" + strings.Repeat("Key: y\n", 4<<10),
		strings.Repeat("{\"title\":", 2000), "+++\n" + strings.Repeat("a=[", 3000) + "\n+++x",
	} {
		if m := frontmatter.Read(text); m.End != 0 || m.Fields != nil {
			t.Errorf("%.40q: %.80v", text, m)
		}
	}
}

// FuzzRead looks for a text that breaks it, or for an end outside of it.
func FuzzRead(f *testing.F) {
	for _, seed := range []string{"---\na: [b]\n---\n", "+++\na = [1, {b = 2}]\n+++\n", "{\"title\": [1, [2]]}\n", "% a\n  b\n% c\n", "Title: x\n  y\nDate: z\n\n"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		m := frontmatter.Read(text)
		if m.End < 0 || m.End > len(text) || !reflect.DeepEqual(m, frontmatter.Read(text)) {
			t.Errorf("%q ends at %d", text, m.End)
		}
	})
}
