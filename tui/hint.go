package tui

import (
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// hint is a key and what it does.
type hint struct {
	key, does string
	weight    int    // the lightest is dropped first; 0 is never shown
	press     string // the key that a click presses, as the terminal library calls it
}

func (h hint) width() int { return width(h.key) + 1 + width(h.does) }

// fixed is the hint for a key that is no one's to change.
func fixed(name, does string, weight int) hint { return hint{shownKey(name), does, weight, name} }

// bound is the hint for the first key of an action, empty for an action without any.
func bound(b key.Binding, does string, weight int) hint {
	if len(b.Keys()) == 0 {
		return hint{}
	}
	return fixed(b.Keys()[0], does, weight)
}

// keyFor is the first key of an action in a sentence.
func keyFor(b key.Binding) string {
	if len(b.Keys()) == 0 {
		return "no key"
	}
	return shownKey(b.Keys()[0])
}

// shownKey writes a key as people do: ctrl+r is ctrl-r, f1 F1 and up an arrow.
func shownKey(name string) string {
	if name == "ctrl+@" {
		return "ctrl-space"
	}
	at := strings.LastIndexByte(strings.TrimSuffix(name, "+"), '+') + 1
	with, base := strings.ReplaceAll(name[:at], "+", "-"), name[at:]
	switch base {
	case "up", "down", "left", "right":
		base = map[string]string{"up": "↑", "down": "↓", "left": "←", "right": "→"}[base]
	case "pgdown":
		base = "pgdn"
	case " ":
		base = "space"
	default:
		if len(base) > 1 && base[0] == 'f' && strings.Trim(base[1:], "0123456789") == "" {
			base = strings.ToUpper(base)
		}
	}
	return with + base
}

// keyPress is the message of a key that the terminal library calls so.
func keyPress(name string) (press tea.KeyMsg, ok bool) {
	base := strings.TrimPrefix(name, "alt+")
	press.Alt = base != name
	if r, n := utf8.DecodeRuneInString(base); n == len(base) && r != ' ' {
		press.Type, press.Runes = tea.KeyRunes, []rune{r}
		return press, true
	}
	const first, last = -100, 127 // of the library's keys: its own and those of ASCII
	for t := tea.KeyType(first); t <= last; t++ {
		if t != tea.KeyRunes && t.String() == base {
			press.Type = t
			return press, true
		}
	}
	return tea.KeyMsg{}, false
}
