package tui

import (
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
)

var errNoEditor = errors.New("no editor: set $EDITOR, for example export EDITOR=nano")

// lineForm is the syntax by which an editor takes a line number.
type lineForm int

const (
	plainForm  lineForm = iota // FILE, for unknown editors
	plusForm                   // +LINE FILE
	colonForm                  // FILE:LINE
	gotoForm                   // -g FILE:LINE
	optionForm                 // --line LINE FILE
	letterForm                 // -l LINE FILE
)

var lineForms = map[string]lineForm{
	"vi": plusForm, "vim": plusForm, "nvim": plusForm, "view": plusForm, "gvim": plusForm, "mvim": plusForm,
	"nano": plusForm, "pico": plusForm, "micro": plusForm, "kak": plusForm, "joe": plusForm, "mg": plusForm,
	"emacs": plusForm, "emacsclient": plusForm, "gedit": plusForm, "less": plusForm, "ne": plusForm, "jed": plusForm,
	"vis": plusForm, "nvi": plusForm, "elvis": plusForm, "jove": plusForm, "zile": plusForm, "editor": plusForm,
	"hx": colonForm, "helix": colonForm, "subl": colonForm, "sublime_text": colonForm, "zed": colonForm, "zeditor": colonForm,
	"code": gotoForm, "code-insiders": gotoForm, "codium": gotoForm, "vscodium": gotoForm, "cursor": gotoForm, "windsurf": gotoForm,
	"idea": optionForm, "goland": optionForm, "pycharm": optionForm, "webstorm": optionForm, "clion": optionForm, "rubymine": optionForm,
	"mate": letterForm, "kate": letterForm,
}

// defaultEditors are tried in order when the environment names no editor.
var defaultEditors = []string{"editor", "vi", "nano"}

// chooseEditor returns the editor command: the configured one, $VISUAL,
// $EDITOR, or an installed one; else errNoEditor.
func chooseEditor(o Options) (string, error) {
	for _, command := range []string{o.Editor, o.Getenv("VISUAL"), o.Getenv("EDITOR")} {
		if strings.TrimSpace(command) != "" {
			return command, nil
		}
	}
	for _, name := range defaultEditors {
		if _, err := o.LookPath(name); err == nil {
			return name, nil
		}
	}
	return "", errNoEditor
}

// editorCommand returns the words of a command that opens path at line.
func editorCommand(command, path string, line int) ([]string, error) {
	args, err := splitCommand(command)
	if err != nil {
		return nil, err
	}
	place := path + ":" + strconv.Itoa(line)
	switch lineForms[strings.TrimSuffix(filepath.Base(args[0]), ".exe")] {
	case plusForm:
		return append(args, "+"+strconv.Itoa(line), path), nil
	case colonForm:
		return append(args, place), nil
	case gotoForm:
		return append(args, "-g", place), nil
	case optionForm:
		return append(args, "--line", strconv.Itoa(line), path), nil
	case letterForm:
		return append(args, "-l", strconv.Itoa(line), path), nil
	default:
		return append(args, path), nil
	}
}

// splitCommand splits a command line at blanks. Quotes keep blanks, a backslash
// outside single quotes keeps the next letter. Nothing is expanded and no shell
// runs.
func splitCommand(command string) ([]string, error) {
	var words []string
	var word strings.Builder
	var quote rune
	inWord, escaped := false, false
	for _, r := range command {
		switch {
		case escaped:
			word.WriteRune(r)
			escaped = false
		case r == '\\' && quote != '\'':
			inWord, escaped = true, true
		case quote != 0 && r == quote:
			quote = 0
		case quote != 0:
			word.WriteRune(r)
		case r == '"' || r == '\'':
			inWord, quote = true, r
		case r == ' ' || r == '\t' || r == '\n':
			if inWord {
				words = append(words, word.String())
				word.Reset()
				inWord = false
			}
		default:
			inWord = true
			word.WriteRune(r)
		}
	}
	if quote != 0 || escaped {
		return nil, fmt.Errorf("editor command %q ends inside a quotation: check $VISUAL and $EDITOR", command)
	}
	if inWord {
		words = append(words, word.String())
	}
	if len(words) == 0 || words[0] == "" {
		return nil, errNoEditor
	}
	return words, nil
}
