package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"dowse/engine"
	"dowse/internal/app"
	"dowse/internal/home"
	"dowse/internal/spelt"
)

// preset is a group of folders that programs of one kind write, wherever they lie on this machine.
type preset struct {
	name   string
	what   string // for a person
	places []place
}

// place is a folder that a program keeps, and what of it is for people.
type place struct {
	name     string // by which it is searched
	program  string
	variable string // of the environment, that moves under; "" of none
	under    string // the folder of the program, where the variable is not set
	below    string // the folder within that one
	types    []string
	exclude  []string
}

// presets are all of them. Sources: the documentation of each program, and what it writes: Claude Code 2, Codex 0.5,
// Gemini CLI 0.1x, OpenCode 0.x and 1.
var presets = []preset{{"agents", "sessions of coding agents", []place{
	{"claude-sessions", "Claude Code", "CLAUDE_CONFIG_DIR", "~/.claude", "projects", []string{"jsonl", "md"}, nil},
	{"codex-sessions", "Codex", "CODEX_HOME", "~/.codex", "sessions", []string{"jsonl", "json"}, nil},
	{"gemini-sessions", "Gemini CLI", "", "~/.gemini", "tmp", []string{"json"}, []string{"logs.json"}}, // what was typed, which the chats hold too
	{"opencode-sessions", "OpenCode", "XDG_DATA_HOME", "~/.local/share", "opencode/storage", []string{"json"}, []string{"session_diff/", "snapshot/"}},
}}}

// path is where the folder would lie.
func (p *place) path() (string, error) {
	under := p.under
	if p.variable != "" && os.Getenv(p.variable) != "" {
		under = os.Getenv(p.variable)
	}
	under, err := home.ExpandTilde(under)
	return filepath.Join(under, filepath.FromSlash(p.below)), err
}

// presetNames are the names of all presets.
func presetNames() (names []string) {
	for i := range presets {
		names = append(names, presets[i].name)
	}
	return names
}

// presetNamed finds a preset.
func presetNamed(name string) (*preset, error) {
	for i := range presets {
		if presets[i].name == name {
			return &presets[i], nil
		}
	}
	names := presetNames()
	if near := spelt.Nearest(name, names); near != "" {
		return nil, fmt.Errorf("there is no preset %s; did you mean %s?", name, near)
	}
	return nil, fmt.Errorf("there is no preset %s; there is %s", name, strings.Join(names, ", "))
}

// changes adds those of the folders that are there; missing are the others, with their programs.
func (p *preset) changes() (changes []engine.FolderChange, missing []string, err error) {
	for i := range p.places {
		at := &p.places[i]
		path, err := at.path()
		if err != nil {
			return nil, nil, err
		}
		resolved, err := app.ResolveFolder(path)
		if _, gone := os.Stat(path); errors.Is(gone, fs.ErrNotExist) {
			missing = append(missing, at.program+" ("+path+")")
			continue
		}
		if err != nil {
			return nil, nil, err
		}
		// An empty text takes the place of what was said before, so that to add a preset twice changes nothing.
		types, exclude := slices.Concat([]string{""}, at.types), slices.Concat([]string{""}, at.exclude)
		changes = append(changes, engine.FolderChange{Action: engine.AddFolder, Folder: resolved, Name: &at.name, Types: &types, Exclude: &exclude})
	}
	return changes, missing, nil
}

// addPreset indexes the folders of a preset that are there.
func addPreset(ctx context.Context, s *streams, name string, asJSON bool) error {
	p, err := presetNamed(name)
	if err != nil {
		return err
	}
	changes, missing, err := p.changes()
	if err != nil {
		return err
	}
	if len(changes) == 0 {
		return fmt.Errorf("no %s are on this machine; looked for %s", p.what, strings.Join(missing, ", "))
	}
	err = changeFolders(ctx, s, changes, asJSON)
	if err == nil && !asJSON && len(missing) > 0 {
		fmt.Fprintln(s.err, printable("not on this machine: "+strings.Join(missing, ", ")))
	}
	return err
}
