#!/usr/bin/env bash
# A text input panics when the word after its cursor is deleted on the last letter.
#
# Guess: alt-d at "b" of "ab" deletes the letter, as it does anywhere else.
# Seen, github.com/charmbracelet/bubbles v0.21.0: deleteWordForward reads value[len(value)], index out of range.
# The screen deletes words by itself (tui/line.go).
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
cat > go.mod <<'M'
module x
go 1.24

require (
	github.com/charmbracelet/bubbles v0.21.0
	github.com/charmbracelet/bubbletea v1.3.10
)
M
cat > main.go <<'G'
package main

import (
	"fmt"

	"github.com/charmbracelet/bubbles/textinput"
	tea "github.com/charmbracelet/bubbletea"
)

func main() {
	defer func() { fmt.Println("recovered:", recover()) }()
	in := textinput.New()
	in.SetValue("ab")
	in.Focus()
	in.SetCursor(1)
	in.Update(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{'d'}, Alt: true})
}
G
go mod tidy 2>/dev/null
go run .
