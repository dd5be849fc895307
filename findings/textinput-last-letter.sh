#!/bin/sh
# bubbles 0.21.0: alt-d on the last letter of a textinput panics (index out of range in
# deleteWordForward), so the screen deletes words by itself (tui/line.go).
set -e
cd "$(mktemp -d)"
cat > go.mod <<'M'
module x
go 1.24
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
go get github.com/charmbracelet/bubbles@v0.21.0 github.com/charmbracelet/bubbletea@v1.3.10 2>/dev/null
go run .
