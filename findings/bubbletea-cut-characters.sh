#!/usr/bin/env bash
# Bubble Tea loses a character that the end of a read cuts.
#
# Guess: text that is typed or pasted without bracketed paste arrives whole, however it is read.
# Seen, github.com/charmbracelet/bubbletea v1.3.10: reads are of 256 bytes, and of 120 kanji (360 bytes) 119 arrive. Nothing says so.
# An input that never ends within a character keeps all.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
cat >main.go <<'GO'
package main

import (
	"fmt"
	"io"
	"strings"
	"time"
	"unicode/utf8"

	tea "github.com/charmbracelet/bubbletea"
)

// whole is an input that ends no read within a character.
type whole struct {
	text string
	most int
}

func (w *whole) Read(b []byte) (int, error) {
	if w.text == "" {
		return 0, io.EOF
	}
	n := min(len(b), w.most, len(w.text))
	for n < len(w.text) && !utf8.RuneStart(w.text[n]) {
		n--
	}
	copy(b, w.text[:n])
	w.text = w.text[n:]
	return n, nil
}

type count struct{ seen *int }
type done struct{}

func (c count) Init() tea.Cmd {
	return tea.Tick(2*time.Second, func(time.Time) tea.Msg { return done{} })
}
func (c count) View() string { return "" }
func (c count) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.KeyMsg:
		*c.seen += strings.Count(string(msg.Runes), "漢")
	case done:
		return c, tea.Quit
	}
	return c, nil
}

func seen(in io.Reader) (n int) {
	if _, err := tea.NewProgram(count{&n}, tea.WithInput(in), tea.WithOutput(io.Discard)).Run(); err != nil {
		panic(err)
	}
	return n
}

func main() {
	text := strings.Repeat("漢", 120)
	plain, kept := seen(strings.NewReader(text)), seen(&whole{text, 200})
	fmt.Println(plain, kept)
	if plain != 119 || kept != 120 {
		panic("what was seen has changed")
	}
}
GO
go mod init finding >/dev/null 2>&1
go get github.com/charmbracelet/bubbletea@v1.3.10 >/dev/null 2>&1
go run .
