package tui

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/charmbracelet/bubbles/key"

	"dowse/internal/spelt"
)

// actions names the bindings that the settings may give other keys.
func (k *keyMap) actions() map[string]*key.Binding {
	return map[string]*key.Binding{
		"up": &k.up, "down": &k.down, "page-up": &k.pageUp, "page-down": &k.pageDown, "first": &k.first, "last": &k.last,
		"open": &k.open, "copy-place": &k.copyPlace, "copy-text": &k.copyText, "copy-quotation": &k.copyCited,
		"select": &k.pick, "export": &k.export, "pipe": &k.pipe, "folder": &k.reveal, "similar": &k.related, "fold": &k.fold, "mode": &k.mode,
		"answer": &k.answer, "citation": &k.nextCitation, "conversations": &k.conversations, "keep": &k.keep, "rename": &k.rename, "delete": &k.remove, "folders": &k.folders, "pause": &k.pause, "models": &k.models,
		"preview": &k.togglePreview, "preview-up": &k.previewUp, "preview-down": &k.previewDown,
		"preview-half-up": &k.previewHalfUp, "preview-half-down": &k.previewHalfDown,
		"preview-page-up": &k.previewPageUp, "preview-page-down": &k.previewPageDown,
		"find": &k.find, "match-before": &k.matchBefore, "match-after": &k.matchAfter, "wrap": &k.wrapLines,
		"suggest": &k.suggest, "save": &k.save, "saved": &k.listSaved, "older": &k.older, "newer": &k.newer, "clear": &k.clear,
		"machine": &k.machine, "explain": &k.explain, "less-memory": &k.lower, "more-memory": &k.raise, "left-out": &k.leftOut, "help": &k.help,
		"redraw": &k.redraw, "suspend": &k.suspend,
	}
}

// rebind gives actions the keys of the settings. What is wrong is told, and changes
// nothing.
func (k *keyMap) rebind(wanted map[string]string) (problems []string) {
	actions := k.actions()
	names := slices.Sorted(maps.Keys(actions))
	owners := map[string]string{}
	for _, name := range names {
		if _, changes := wanted[name]; !changes {
			for _, one := range actions[name].Keys() {
				owners[one] = name
			}
		}
	}
	for _, fixed := range [][2]string{{"esc", "go back"}, {"ctrl+c", "quit"}} {
		owners[fixed[0]] = fixed[1]
	}
	for _, name := range slices.Sorted(maps.Keys(wanted)) {
		binding, is := actions[name]
		if !is {
			hint := ""
			if near := spelt.Nearest(name, names); near != "" {
				hint = "; did you mean " + near + "?"
			}
			problems = append(problems, fmt.Sprintf("keys.%s: there is no such action%s", sanitize(name), hint))
			continue
		}
		var keys []string
		for _, one := range strings.Fields(wanted[name]) {
			one = keyName(one)
			if owner, taken := owners[one]; taken {
				problems = append(problems, fmt.Sprintf("keys.%s: %s means %s already", name, sanitize(one), owner))
				continue
			}
			owners[one] = name
			keys = append(keys, one)
		}
		if len(keys) == 0 && strings.TrimSpace(wanted[name]) != "" {
			continue // all of them are taken: the keys before stay
		}
		does := binding.Help().Desc
		if does == "" {
			does = strings.ReplaceAll(name, "-", " ")
		}
		*binding = bind(strings.TrimSpace(wanted[name]), does, keys...)
	}
	return problems
}

// keyName turns a key as people write it, ctrl-r or Ctrl+R, into what the terminal
// library calls it.
func keyName(written string) string {
	name := strings.ToLower(written)
	for _, with := range []string{"ctrl", "alt", "shift"} {
		name = strings.ReplaceAll(name, with+"-", with+"+")
	}
	switch base := name[strings.LastIndexByte(name, '+')+1:]; base {
	case "pgdn":
		name = strings.TrimSuffix(name, base) + "pgdown"
	case "space":
		name = strings.TrimSuffix(name, base) + map[bool]string{true: "@", false: " "}[strings.HasPrefix(name, "ctrl+")]
	}
	return name
}
