package config

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"
)

func write(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "config.toml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestLoad(t *testing.T) {
	c, err := Load(write(t, "model = 'm'\nthreads = 3\nmax_file = \"1MiB\"\nhidden = true\nindex.budget = '8%'\nindex.graph = 'on'\n[rerank]\nmodel = 'r'\ndepth = 30\ntime = '1.5s'\nprecision = 0.95\n[answer]\nmodel = 'w'\n[conversations]\ndisk = '1GiB'\n"))
	if err != nil {
		t.Fatal(err)
	}
	want := Config{Model: "m", Threads: 3, MaxFile: 1 << 20, Hidden: true, Budget: 0.08, Graph: GraphOn, Reranker: "r", Depth: 30, Time: 1500 * time.Millisecond, Precision: 0.95, Answerer: "w", Keys: 1 << 30, Extract: Extraction{Time: defaultExtractTime}, Service: Service{Battery: true, Load: defaultLoad}, Screen: Default().Screen}
	if !reflect.DeepEqual(c, want) {
		t.Errorf("got %+v, want %+v", c, want)
	}
	if c, err = Load(filepath.Join(t.TempDir(), "none")); err != nil || !reflect.DeepEqual(c, Default()) {
		t.Errorf("absent file: %+v, %v", c, err)
	}
}

func TestLoadRefuses(t *testing.T) {
	for text, says := range map[string]string{
		"modle = 'x'":       "unknown setting \"modle\"",
		"threads = 0":       "want a number",
		"model = ''":        "want a name",
		"max_file = 'much'": "want a size",
		"memory = '0'":      "memory = \"0\": want a size such as \"512MB\"",
		"model = [":         "line 1",

		"conversations.disk = 'all'": "conversations.disk = \"all\": want a size",
		"rerank.depth = 1":           "want a number from 2",
		"index.graph = 'yes'":        "want \"auto\", \"on\" or \"off\"",
		"rerank.precision = 2":       "want a share",
		"rerank.time = '0s'":         "rerank.time = \"0s\": want a time from \"1ms\" to \"1m\"",
		"rerank.time = '200'":        "want a time",
		"rerank.model = ''":          "want a name",
		"answer.model = ''":          "want a name",
		"answer.modle = 'x'":         "unknown setting \"answer.modle\"",

		"answer.model = 'endpoint'":                          "want answer.endpoint too",
		"answer.endpoint_model = 'm'":                        "want answer.endpoint too",
		"[answer]\nendpoint = ''":                            "answer.endpoint: want an address",
		"[answer]\nendpoint = 'a:1/v1'":                      "answer.endpoint: want an address",
		"[answer]\nendpoint = 'http://me:hush@localhost/v1'": "answer.endpoint: want the address of the server alone",
		"[answer]\nendpoint = 'http://localhost/v1'":         "want answer.endpoint_model",
		"[answer]\nendpoint = 'http://localhost/v1'\nendpoint_model = 'm'\nendpoint_key_env = 'sk-hush'":                "never the key itself",
		"[answer]\nendpoint = 'https://api.example.org/v1'\nendpoint_model = 'm'":                                       "api.example.org is not this machine",
		"[answer]\nendpoint = 'https://api.example.org/v1'\nendpoint_model = 'm'\nendpoint_remote = false\nmodel = 'w'": "api.example.org is not this machine",
		"\n\nthreads = 'two'": "line 3",
	} {
		_, err := Load(write(t, text))
		if err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: error %v, want it to say %q", text, err, says)
		}
		if err != nil && !strings.Contains(err.Error(), ": line ") {
			t.Errorf("%q: the error does not say where: %v", text, err)
		}
		if err != nil && strings.Contains(err.Error(), "hush") {
			t.Errorf("the error tells a secret: %v", err)
		}
	}
}

func TestUseModelKeepsTheRest(t *testing.T) {
	path := write(t, "threads = 3\n")
	if err := UseModel(path, "other"); err != nil {
		t.Fatal(err)
	}
	if err := UseReranker(path, "another"); err != nil {
		t.Fatal(err)
	}
	if err := UseAnswerer(path, "third"); err != nil {
		t.Fatal(err)
	}
	c, err := Load(path)
	if err != nil || c.Answerer != "third" || c.Model != "other" || c.Threads != 3 || c.Reranker != "another" || c.Depth != 0 || c.Time != defaultTime {
		t.Errorf("got %+v, %v", c, err)
	}
}

func TestFolders(t *testing.T) {
	t.Setenv("HOME", "/home/ada")
	path := write(t, "model = 'm'\n[folders.'~/letters']\nmodel = 'other'\n[folders.\"/srv/notes/\"]\nmodel = 'other'\n")
	c, err := Load(path)
	if err != nil {
		t.Fatal(err)
	}
	if want := (Folders{"other", []string{"/home/ada/letters", "/srv/notes"}}); !reflect.DeepEqual(c.Folders, want) {
		t.Errorf("%+v", c.Folders)
	}
	if own := c.Folders.Own("other"); own.Model != "" || own.Paths != nil {
		t.Errorf("%+v of a model that all have", own)
	}
	if own := c.Folders.Own("m"); !reflect.DeepEqual(own, c.Folders) {
		t.Errorf("%+v", own)
	}
	if err := UseFolderModel(path, "/srv/notes", ""); err != nil {
		t.Fatal(err)
	}
	if err := UseFolderModel(path, "/srv/none", ""); !errors.Is(err, ErrNoFolder) {
		t.Error(err)
	}
	if err := UseFolderModel(path, "/srv/notes", "third"); err == nil || !strings.Contains(err.Error(), "give them all the same") {
		t.Error(err)
	}
	if err := UseFolderModel(path, "/home/ada/letters", "third"); err != nil { // as ~/letters, which it takes the place of
		t.Fatal(err)
	}
	if c, err = Load(path); err != nil || !reflect.DeepEqual(c.Folders, Folders{"third", []string{"/home/ada/letters"}}) || c.Model != "m" {
		t.Errorf("%+v, %v", c, err)
	}
	for text, says := range map[string]string{
		"[folders.'letters']\nmodel = 'm'":                   "want the whole path",
		"[folders.'/letters']\n":                             "want model = NAME",
		"[folders.'/letters']\nmodel = ''":                   "want model = NAME",
		"[folders.'/letters']\nmodle = 'x'":                  "unknown setting",
		"[folders.'/a']\nmodel = 'endpoint'":                 "a server embeds all folders or none",
		"folders.'/a'.model = 'x'\nfolders.'/b'.model = 'y'": "other folders have x",
	} {
		if _, err := Load(write(t, text)); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v, want %q", text, err, says)
		}
	}
}

// TestMisspeltSettings: the nearest one is named, with its line and column, and what is right
// of the file counts.
func TestMisspeltSettings(t *testing.T) {
	for text, says := range map[string]string{
		"threads = 3\n[rerank]\n  dept = 4":                       `line 3, column 3: unknown setting "rerank.dept"; did you mean rerank.depth?`,
		"threads = 3\nrernak.depth = 4":                           `line 2, column 1: unknown setting "rernak.depth"; did you mean rerank.depth?`,
		"threads = 3\n[reranker]\ndepth = 4":                      `unknown setting "reranker"; did you mean rerank?`,
		"depth = 4\nthreads = 3":                                  `line 1, column 1: unknown setting "depth"; did you mean rerank.depth?`,
		"threads = 3\nmax-file = '1MB'":                           "did you mean max_file?",
		"threads = 3\nconversations.room = 'x'":                   "unknown setting \"conversations.room\"; conversations has disk",
		"threads = 3\n[folders.'/a']\nmodle = 'm'":                `line 3, column 1: unknown setting "folders./a.modle"; did you mean folders."PATH".model?`,
		"threads = 3\n[rerank]\ndepth = 1\n[index]\ngraph='atuo'": `line 5, column 1: index.graph = "atuo": want "auto", "on" or "off"; did you mean "auto"?; line 3, column 1: rerank.depth = 1`,
		"threads = 3\nvery_odd = 1":                               `unknown setting "very_odd"`,
		"threads = 3\nfoo=1\nbar=1\nbaz=1\nqux=1":                 "and 1 more",
	} {
		c, err := Load(write(t, text))
		if err == nil || !strings.Contains(err.Error(), says) || len(err.Error()) > 400 {
			t.Errorf("%q: error %v, want it to say %q", text, err, says)
		}
		if c.Threads != 3 || c.Depth != 0 || c.Graph != GraphAuto {
			t.Errorf("%q: what is right does not count: %+v", text, c)
		}
		if err := UseModel(write(t, text), "m"); err == nil {
			t.Errorf("%q was written anew, without what is wrong", text)
		}
	}
	for text, says := range map[string]string{
		"hidden = 'yes'":                  "line 1, column 10: hidden: want true or false",
		"threads = 'two'":                 "threads: want a number",
		"[extract]\nocr = 3":              "line 2, column 7: extract.ocr: want a text in quotes",
		"extract.picture = 'p'":           "extract.picture: want a list of texts",
		"extract.picture = [1]":           "extract.picture",
		"[index\nx = 1":                   "line 1, column 7: expected ']' to close table name",
		"threads = 999999999999999999999": "too large",
	} {
		c, err := Load(write(t, text))
		if err == nil || !strings.Contains(err.Error(), says) || strings.Contains(err.Error(), "struct") {
			t.Errorf("%q: error %v, want it to say %q", text, err, says)
		}
		if !reflect.DeepEqual(c, Default()) {
			t.Errorf("%q: %+v", text, c)
		}
	}
}
