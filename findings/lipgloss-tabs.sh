#!/usr/bin/env bash
# Lip Gloss measures a tab as nothing and draws it as four columns.
#
# Guess: Width is the number of columns that Render fills.
# Seen, github.com/charmbracelet/lipgloss v1.1.0: Width("a\tb") is 2 and the rendered text is 6 wide. A line of code that is cut to
# Width before it is rendered runs over the edge.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
cat >main.go <<'GO'
package main

import (
	"fmt"

	"github.com/charmbracelet/lipgloss"
)

func main() {
	drawn := lipgloss.NewStyle().Render("a\tb")
	before, after := lipgloss.Width("a\tb"), lipgloss.Width(drawn)
	fmt.Printf("%d %d %q\n", before, after, drawn)
	if before != 2 || after != 6 || drawn != "a    b" {
		panic("what was seen has changed")
	}
}
GO
go mod init finding >/dev/null 2>&1
go get github.com/charmbracelet/lipgloss@v1.1.0 >/dev/null 2>&1
go run .
