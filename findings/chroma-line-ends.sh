#!/usr/bin/env bash
# Chroma's tokens do not add up to what they were made from: \r\n becomes \n.
#
# Guess: the tokens of a file, one behind the other, are the file, so that a place in it can be kept through colouring.
# Seen, github.com/alecthomas/chroma/v2 v2.20.0: "package a\r\n\r\n" gives tokens of "package a\n\n". Each line before a place
# moves it by one byte; the option that turns this off (EnsureLF) is no longer used once options are given.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
cat >main.go <<'GO'
package main

import (
	"fmt"

	"github.com/alecthomas/chroma/v2"
	"github.com/alecthomas/chroma/v2/lexers"
)

func joined(options *chroma.TokeniseOptions) (all string) {
	tokens, err := lexers.Get("go").Tokenise(options, "package a\r\n\r\n")
	if err != nil {
		panic(err)
	}
	for _, t := range tokens.Tokens() {
		all += t.Value
	}
	return all
}

func main() {
	byDefault, kept := joined(nil), joined(&chroma.TokeniseOptions{State: "root"})
	fmt.Printf("%q %q\n", byDefault, kept)
	if byDefault != "package a\n\n" || kept != "package a\r\n\r\n" {
		panic("what was seen has changed")
	}
}
GO
go mod init finding >/dev/null 2>&1
go get github.com/alecthomas/chroma/v2@v2.20.0 >/dev/null 2>&1
go run .
