package config

import (
	"errors"
	"os"
	"reflect"
	"strings"
	"testing"
)

// Comments, order, blank lines and the way that names are written stay when a setting is written.
func TestChangesKeepTheFile(t *testing.T) {
	const before = `# mine
threads = 3 # few "#"

[extract] # programs
picture = [
  "describe", # says it
  "{}",
]
index.none = 1

[folders."~/letters"]
# of the family
model = "multilingual-e5-small"
`
	text := strings.Replace(before, "index.none = 1\n", "", 1)
	path := write(t, text)
	t.Setenv("HOME", "/home/ada")
	steps := []struct {
		do   func() error
		want func(string) string
	}{
		{func() error { return use(path, "threads", "") }, nil}, // a text is refused, and nothing changes
		{func() error { return UseModel(path, "m") }, func(s string) string {
			return strings.Replace(s, "threads = 3 # few \"#\"\n", "threads = 3 # few \"#\"\nmodel = 'm'\n", 1)
		}},
		{func() error { return UseModel(path, "n") }, func(s string) string { return strings.Replace(s, "'m'", "'n'", 1) }},
		{func() error {
			return PutPlace(path, Place{Path: "/home/ada/letters", Name: "family", Exclude: []string{"*.log"}, Paused: true})
		}, func(s string) string {
			return s + "name = 'family'\nexclude = ['*.log']\npaused = true\n"
		}},
		{func() error { return PutPlace(path, Place{Path: "/home/ada/letters", Name: "family"}) }, func(s string) string {
			return strings.Replace(s, "exclude = ['*.log']\npaused = true\n", "", 1)
		}},
		{func() error { return UseFolderModel(path, "/home/ada/letters", "") }, func(s string) string {
			return strings.Replace(s, "model = \"multilingual-e5-small\"\n", "", 1)
		}},
		{func() error { return UseReranker(path, "off") }, func(s string) string { return s + "\n[rerank]\nmodel = 'off'\n" }},
		{func() error { return MoveFolder(path, "/home/ada/letters", "/post") }, func(s string) string {
			return strings.Replace(s, "[folders.\"~/letters\"]\n# of the family\nname = 'family'\n", "# of the family\n", 1) + "\n[folders.'/post']\nname = 'family'\n"
		}},
		{func() error { return PutPlace(path, Place{Path: "/b"}) }, func(s string) string { return s }},
		{func() error { return DropFolder(path, "/post") }, func(s string) string { return strings.Replace(s, "[folders.'/post']\nname = 'family'\n", "", 1) }},
		{func() error { return assignTo(path, "extract.picture", nil) }, func(s string) string {
			return strings.Replace(s, "picture = [\n  \"describe\", # says it\n  \"{}\",\n]\n", "", 1)
		}},
	}
	for n, step := range steps {
		err := step.do()
		if (err != nil) != (step.want == nil) {
			t.Fatalf("step %d: %v", n, err)
		}
		if step.want != nil {
			text = step.want(text)
		}
		got, err := os.ReadFile(path)
		if err != nil || string(got) != text {
			t.Fatalf("step %d, %v:\n%s\nwant\n%s", n, err, got, text)
		}
	}
}

func assignTo(path, key string, value any) error {
	return change(path, func(file) ([]assignment, error) { return []assignment{{splitKey(key), value}}, nil })
}

// What the settings say of folders beside their embedder, and what is wrong with it.
func TestPlaces(t *testing.T) {
	t.Setenv("HOME", "/home/ada")
	c, err := Load(write(t, "[folders.\"~/b\"]\nname = 'mail'\nexclude = ['/drafts/']\ntypes = ['mail', 'pdf']\npaused = true\n[folders.'/a']\nmodel = 'm'\n"))
	want := []Place{{Path: "/home/ada/b", Name: "mail", Exclude: []string{"/drafts/"}, Types: []string{"mail", "pdf"}, Paused: true}}
	if err != nil || !reflect.DeepEqual(c.Places, want) || c.Folders.Model != "m" || len(c.Folders.Paths) != 1 {
		t.Errorf("%+v, %v", c, err)
	}
	for text, says := range map[string]string{
		"[folders.'/a']\nname = ''":                                  "is empty",
		"[folders.'/a']\nname = '/b'":                                "looks like a path",
		"[folders.'/a']\nname = 'b'\n[folders.'/c']\nname = 'b'":     "has that name",
		"[folders.'/a']\nexclude = ['#none']":                        "is no pattern",
		"[folders.'/a']\nexcludes = ['*.log']":                       "did you mean folders.\"PATH\".exclude?",
		"folders = { '/a' = { name = 'x' }, '/b' = { name = 'x' } }": "has that name",
	} {
		var wrong *Wrong
		if _, err := Load(write(t, text)); !errors.As(err, &wrong) || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: %v, want %q", text, err, says)
		}
	}
}

// A file that holds a table in a line is refused where a change would make another table of that name, and stays.
func TestChangeOfAnInlineTable(t *testing.T) {
	const text = "rerank = { depth = 30 }\n"
	path := write(t, text)
	if err := UseReranker(path, "off"); err == nil {
		t.Error("it was changed")
	}
	if got, err := os.ReadFile(path); err != nil || string(got) != text {
		t.Errorf("%s, %v", got, err)
	}
}
