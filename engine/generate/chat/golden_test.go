package chat_test

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"dowse/engine/generate/chat"
)

// golden is testdata/golden.json, written by golden.py.
type golden struct {
	Now   time.Time
	Cases []goldenCase
}

type goldenCase struct {
	Template, Source string // a file of testdata/templates, or the template itself
	Messages         [][2]string
	Generation       bool
	Flags            map[string]bool
	Want, Error      string
}

func readGolden(t testing.TB) golden {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", "golden.json"))
	if err != nil {
		t.Fatal(err)
	}
	var g golden
	if err := json.Unmarshal(data, &g); err != nil {
		t.Fatal(err)
	}
	return g
}

// source is the template of a case.
func (c *goldenCase) source(t testing.TB) string {
	t.Helper()
	if c.Template == "" {
		return c.Source
	}
	data, err := os.ReadFile(filepath.Join("testdata", "templates", c.Template))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func (c *goldenCase) conversation() []chat.Message {
	var all []chat.Message
	for _, m := range c.Messages {
		all = append(all, chat.Message{Role: m[0], Content: m[1]})
	}
	return all
}

// Everything is rendered as the reference renders it, and fails where that
// fails; what a template says by raise_exception is told.
func TestGolden(t *testing.T) {
	g := readGolden(t)
	if len(g.Cases) < 60 {
		t.Errorf("%d cases", len(g.Cases))
	}
	for _, c := range g.Cases {
		template, err := chat.Parse(c.source(t))
		if err != nil {
			t.Errorf("%s%s: %v", c.Template, c.Source, err)
			continue
		}
		got, err := template.Render(c.conversation(), chat.Options{
			AddGenerationPrompt: c.Generation, BOS: "<s>", EOS: "</s>", Flags: c.Flags, Now: g.Now,
		})
		if (err != nil) != (c.Error != "") {
			t.Errorf("%s%s: error %v, the reference says %q", c.Template, c.Source, err, c.Error)
		}
		var told *chat.Error
		if err != nil && !errors.As(err, &told) {
			t.Errorf("%s%s: an error without a line: %v", c.Template, c.Source, err)
		}
		if got.String() != c.Want {
			t.Errorf("%s%s, %q:\ngot  %q\nwant %q", c.Template, c.Source, c.Messages, got, c.Want)
		}
	}
}
