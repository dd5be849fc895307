package tui

import (
	"cmp"
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
		"answer": &k.answer, "citation": &k.nextCitation, "answer-up": &k.answerUp, "answer-down": &k.answerDown, "ask-on": &k.askOn, "conversations": &k.conversations, "keep": &k.keep, "rename": &k.rename, "delete": &k.remove, "folders": &k.folders, "pause": &k.pause, "models": &k.models,
		"preview": &k.togglePreview, "preview-up": &k.previewUp, "preview-down": &k.previewDown,
		"preview-half-up": &k.previewHalfUp, "preview-half-down": &k.previewHalfDown,
		"preview-page-up": &k.previewPageUp, "preview-page-down": &k.previewPageDown,
		"find": &k.find, "match-before": &k.matchBefore, "match-after": &k.matchAfter, "wrap": &k.wrapLines,
		"suggest": &k.suggest, "save": &k.save, "saved": &k.listSaved, "older": &k.older, "newer": &k.newer, "clear": &k.clear,
		"machine": &k.machine, "explain": &k.explain, "less-memory": &k.lower, "more-memory": &k.raise, "left-out": &k.leftOut, "help": &k.help,
		"redraw": &k.redraw, "suspend": &k.suspend,
	}
}

// rebind gives actions the keys of the settings, and takes these from the actions that have them by default: what a
// person chose before there was such an action goes on. What is wrong is told, and changes nothing, and so is what is
// left without a key.
func (k *keyMap) rebind(wanted map[string]string) (problems []string) {
	actions := k.actions()
	names := slices.Sorted(maps.Keys(actions))
	owners := map[string]string{"esc": "go back", "ctrl+c": "quit"}
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
			for _, other := range names {
				if _, changes := wanted[other]; !changes && k.take(actions[other], one) {
					problems = append(problems, fmt.Sprintf("keys.%s takes %s from %s, which has no key now; keys.%[3]s gives it one", name, sanitize(one), other))
				}
			}
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

// take takes a key from an action and from the help. It reports whether that leaves the action without any.
func (k *keyMap) take(from *key.Binding, taken string) bool {
	keys := slices.DeleteFunc(slices.Clone(from.Keys()), func(one string) bool { return one == taken })
	if len(keys) == len(from.Keys()) {
		return false
	}
	from.SetKeys(keys...)
	for _, shows := range k.actions() { // the help names some keys together
		help := shows.Help()
		names := slices.DeleteFunc(strings.Fields(help.Key), func(shown string) bool { return keyName(strings.Trim(shown, ",")) == taken })
		if shown := strings.TrimSuffix(strings.Join(names, " "), ","); len(names) < len(strings.Fields(help.Key)) {
			shows.SetHelp(cmp.Or(shown, "no key"), help.Desc)
		}
	}
	return len(keys) == 0
}

// arrows are keys as the help writes them.
var arrows = strings.NewReplacer("↑", "up", "↓", "down", "←", "left", "→", "right")

// keyName turns a key as people write it, ctrl-r or Ctrl+R, into what the terminal
// library calls it.
func keyName(written string) string {
	name := arrows.Replace(strings.ToLower(written))
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
