package config

import (
	"reflect"
	"strings"
	"testing"
	"time"
)

func TestExtract(t *testing.T) {
	t.Setenv("HOME", "/home/ada")
	for text, want := range map[string]Extraction{
		"": {Time: 2 * time.Minute},
		"[extract]\nocr = 'eng'\n": {
			OCR: "eng", Time: 2 * time.Minute,
		},
		"[extract]\nocr = 'eng + chi_sim+script/Latin'\npicture = ['~/bin/describe', '--short', '{}']\nsound = ['/opt/whisper', '{}']\ntime = '90s'\n": {
			OCR: "eng+chi_sim+script/Latin", Picture: []string{"/home/ada/bin/describe", "--short", "{}"}, Sound: []string{"/opt/whisper", "{}"}, Time: 90 * time.Second,
		},
		"[extract]\nocr = ''\npicture = []\n": {Time: 2 * time.Minute},
		"extract.secrets = true\n":            {Time: 2 * time.Minute, Secrets: true},
		"extract.browsers = ['~/.mozilla/firefox', '/mnt/old/History']\n": {
			Time: 2 * time.Minute, Browsers: []string{"/home/ada/.mozilla/firefox", "/mnt/old/History"},
		},
		"[extract.encoding]\n'~/letters' = 'windows-1250'\n'/mnt/dos/' = 'ibm852'\n": {
			Time: 2 * time.Minute, Encoding: map[string]string{"/home/ada/letters": "windows-1250", "/mnt/dos": "ibm852"},
		},
	} {
		c, err := Load(write(t, text))
		if err != nil || !reflect.DeepEqual(c.Extract, want) {
			t.Errorf("%q: %+v, %v; want %+v", text, c.Extract, err, want)
		}
	}
}

func TestExtractIsRefused(t *testing.T) {
	for text, says := range map[string]string{
		"ocr = '-l'":                  "want languages as tesseract names them",
		"ocr = 'eng,deu'":             "tesseract --list-langs",
		"ocr = true":                  "line 2",
		"browsers = ['firefox']":      "want the whole path",
		"browsers = true":             "list of texts",
		"orc = 'eng'":                 "unknown setting \"extract.orc\"",
		"picture = ['']":              "extract.picture: want a program",
		"picture = ['{}']":            "extract.picture: want a program",
		"sound = ['whisper']":         "extract.sound: \"whisper\": want an argument \"{}\"",
		"sound = ['./whisper', '{}']": "want the name of a program, or its whole path",
		"time = '100ms'":              "want a time from \"1s\" to \"1h\"",
		"time = '2h'":                 "want a time",
		"time = '5'":                  "want a time",
		"encoding = 'windows-1250'":   "line 2",
		"encoding.letters = 'ibm852'": "extract.encoding.\"letters\": want the whole path of a folder, or one that begins with ~/",
	} {
		_, err := Load(write(t, "[extract]\n"+text+"\n"))
		if err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: error %v, want it to say %q", text, err, says)
		}
	}
}

// TestExtractIsKept: what else is chosen leaves the table as it is.
func TestExtractIsKept(t *testing.T) {
	path := write(t, "[extract]\nocr = 'eng'\npicture = ['describe', '{}']\ntime = '3m'\n[extract.encoding]\n'~/letters' = 'ibm852'\n")
	before, err := Load(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := UseReranker(path, "another"); err != nil {
		t.Fatal(err)
	}
	if c, err := Load(path); err != nil || !reflect.DeepEqual(c.Extract, before.Extract) {
		t.Errorf("got %+v, %v", c.Extract, err)
	}
}
