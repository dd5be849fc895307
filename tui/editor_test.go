package tui

import (
	"errors"
	"slices"
	"testing"
)

func TestEditorCommand(t *testing.T) {
	const file = "/notes/a b.md"
	for _, c := range []struct {
		editor string
		want   []string
	}{
		{"vi", []string{"vi", "+12", file}},
		{"/usr/bin/vim", []string{"/usr/bin/vim", "+12", file}},
		{"nvim -p", []string{"nvim", "-p", "+12", file}},
		{"nano", []string{"nano", "+12", file}},
		{"emacs -nw", []string{"emacs", "-nw", "+12", file}},
		{"emacsclient -t -a ''", []string{"emacsclient", "-t", "-a", "", "+12", file}},
		{"micro", []string{"micro", "+12", file}},
		{"hx", []string{"hx", file + ":12"}},
		{"helix", []string{"helix", file + ":12"}},
		{"subl -w", []string{"subl", "-w", file + ":12"}},
		{"code --wait", []string{"code", "--wait", "-g", file + ":12"}},
		{"codium", []string{"codium", "-g", file + ":12"}},
		{"goland", []string{"goland", "--line", "12", file}},
		{"kate", []string{"kate", "-l", "12", file}},
		{`"/opt/my editor/hx"`, []string{"/opt/my editor/hx", file + ":12"}},
		{`/opt/my\ editor/vim  -u 'no ne'`, []string{"/opt/my editor/vim", "-u", "no ne", "+12", file}},
		{"ed", []string{"ed", file}},
	} {
		got, err := editorCommand(c.editor, file, 12)
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, %v; want %q", c.editor, got, err, c.want)
		}
	}
}

func TestEditorCommandRefuses(t *testing.T) {
	for _, editor := range []string{`vim "unclosed`, `vim \`, `''`, " "} {
		if got, err := editorCommand(editor, "/a", 1); err == nil {
			t.Errorf("%q became %q", editor, got)
		}
	}
}

func TestChooseEditor(t *testing.T) {
	installed := func(names ...string) func(string) (string, error) {
		return func(name string) (string, error) {
			if slices.Contains(names, name) {
				return "/usr/bin/" + name, nil
			}
			return "", errors.New("not found")
		}
	}
	for _, c := range []struct {
		name         string
		flag         string
		visual, edit string
		look         func(string) (string, error)
		want         string
		err          error
	}{
		{"configured", "hx", "vim", "nano", installed(), "hx", nil},
		{"visual before editor", "", "vim", "nano", installed(), "vim", nil},
		{"editor", "", " ", "nano -w", installed(), "nano -w", nil},
		{"installed", "", "", "", installed("vi", "nano"), "vi", nil},
		{"none", "", "", "", installed(), "", errNoEditor},
	} {
		env := map[string]string{"VISUAL": c.visual, "EDITOR": c.edit}
		got, err := chooseEditor(Options{Editor: c.flag, LookPath: c.look, Getenv: func(k string) string { return env[k] }})
		if got != c.want || !errors.Is(err, c.err) {
			t.Errorf("%s: %q, %v; want %q, %v", c.name, got, err, c.want, c.err)
		}
	}
}
