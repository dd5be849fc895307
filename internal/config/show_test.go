package config

import (
	"maps"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/pelletier/go-toml/v2"
)

// The file with all settings names each that there is, once, and the values in it are the defaults.
func TestTemplate(t *testing.T) {
	var keys []string
	var lines strings.Builder
	table := ""
	for _, s := range stretches(template) {
		line := string(template[s.start:s.end])
		switch {
		case s.head:
			table = line
			continue
		case !isExample(s.key):
			keys = append(keys, strings.Join(s.key, "."))
		default:
			keys = append(keys, known(s.key))
			continue
		}
		if value := valueOf([]byte(line)); value == "" || reflect.DeepEqual(value, []any{}) || reflect.DeepEqual(value, int64(0)) || s.key[0] == "threads" {
			continue // nothing is the default
		}
		if s.key[len(s.key)-1] == "endpoint_time" || s.key[len(s.key)-1] == "endpoint_remote" {
			continue // of a server
		}
		lines.WriteString(table + line)
		table = ""
	}
	slices.Sort(keys)
	if want := slices.Sorted(maps.Keys(settings)); !slices.Equal(keys, want) {
		t.Errorf("the file has\n%q, there are\n%q", keys, want)
	}
	c, err := Load(write(t, lines.String()))
	if want := Default(); err != nil || !reflect.DeepEqual(c, want) {
		c.Keys, want.Keys, c.MaxFile, want.MaxFile = 0, 0, 0, 0 // sizes in round numbers
		if err != nil || !reflect.DeepEqual(c, want) {
			t.Errorf("%+v, want %+v; %v", c, want, err)
		}
	}
}

func TestCommented(t *testing.T) {
	path := write(t, "# mine\nthreads = 3\n\n[rerank]\ntime = \"2s\" # slow\ndepth = 1\nmodle = 'x'\n[folders.'/a']\nname = 'b'\n")
	text, err := Commented(path, map[string]any{"memory": "1 GB"})
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{
		"# line 2\nthreads = 3\n", "\n#memory = '1 GB'\n", "# line 5\ntime = \"2s\" # slow\n", "# line 6, not in force: rerank.depth = 1: want a number", "\n#precision = 0.99\n",
		"\n[folders.'/a']\n# line 9\nname = 'b'\n", "unknown setting \"rerank.modle\"; did you mean rerank.model?", "\n#[folders.\"~/letters\"]\n",
	} {
		if !strings.Contains(text, part) {
			t.Errorf("%s\ndoes not hold %q", text, part)
		}
	}
	var any map[string]any
	if err := toml.Unmarshal([]byte(text), &any); err != nil {
		t.Errorf("it is no TOML: %v", err)
	}
	all, err := InForce(path, nil)
	if err != nil || all[0] != (Setting{Key: "threads", Value: int64(3), Line: 2}) || len(all) < 30 {
		t.Errorf("%+v, %v", all, err)
	}
}

func TestSet(t *testing.T) {
	t.Setenv("HOME", "/home/ada")
	path := write(t, "# mine\n[folders.\"~/b\"]\nname = 'x'\n")
	for _, each := range []struct{ key, value, says string }{
		{"threads", "3", ""}, {"threads", "many", "threads = \"many\": want a number"}, {"threads", "0", "want a number from 1 to 1024"}, {"hidden", "yes", "want true or false"},
		{"hidden", "true", ""}, {"extract.picture", "[\"describe\", \"{}\"]", ""}, {"folders.~/b.exclude", "*.log, /drafts/", ""}, {"folders.\"/home/ada/b\".name", "c", ""},
		{"rerank.tim", "1s", "did you mean rerank.time?"}, {"service.load", "half", "want a share of the processors"}, {"service.load", "off", ""}, {"service.battery", "paus", "did you mean \"pause\"?"},
		{"rerank", "1", "unknown setting"}, {"=", "1", "is no key"},
	} {
		err := Set(path, each.key, &each.value)
		if each.says == "" && err != nil || each.says != "" && (err == nil || !strings.Contains(err.Error(), each.says)) {
			t.Errorf("%s %s: %v, want %q", each.key, each.value, err, each.says)
		}
	}
	if err := Set(path, "hidden", nil); err != nil {
		t.Error(err)
	}
	data, err := os.ReadFile(path)
	if want := "threads = 3\n"; err != nil || !strings.Contains(string(data), want) || strings.Contains(string(data), "hidden") || strings.Count(string(data), "[folders") != 1 {
		t.Errorf("%s, %v", data, err)
	}
	c, err := Load(path)
	if err != nil || c.Threads != 3 || len(c.Places) != 1 || c.Places[0].Name != "c" || len(c.Places[0].Exclude) != 2 || c.Service.Load != 0 || c.Extract.Picture[0] != "describe" {
		t.Errorf("%+v, %v", c, err)
	}
}

// TestScreenSettings: a theme that there is not names the nearest, and keys are a
// person's own.
func TestScreenSettings(t *testing.T) {
	c, err := Load(write(t, "[screen]\nhistory = false\ntheme = \"darkk\"\n[keys]\nanswer = \"f9\"\n"))
	if err == nil || !strings.Contains(err.Error(), "did you mean \"dark\"?") || c.Screen.Theme != "auto" {
		t.Errorf("%+v, %v", c.Screen, err)
	}
	c, err = Load(write(t, "[screen]\nhistory = false\nmotion = false\ntheme = \"contrast\"\n[keys]\nanswer = \"f9\"\n"))
	if err != nil || c.Screen.History || c.Screen.Motion || c.Screen.Theme != "contrast" || c.Screen.Keys["answer"] != "f9" {
		t.Errorf("%+v, %v", c.Screen, err)
	}
}
