package main

import (
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// documented is a command line of lab in the pages.
var documented = regexp.MustCompile("`lab ([^`]+)`")

// TestDocumentedCommands: the commands and flags of lab that the pages name exist.
func TestDocumentedCommands(t *testing.T) {
	pages, err := filepath.Glob(filepath.Join("..", "docs", "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	lines := 0
	for _, page := range append(pages, filepath.Join("..", "README.md"), filepath.Join("..", "ARCHITECTURE.md")) {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range documented.FindAllStringSubmatch(string(text), -1) {
			lines++
			command, rest, err := newRoot(streams{io.Discard, io.Discard}).Find(strings.Fields(line[1]))
			if err == nil {
				err = command.ParseFlags(rest)
			}
			if err != nil {
				t.Errorf("%s: lab %s: %v", filepath.Base(page), line[1], err)
			}
		}
	}
	if lines < 10 {
		t.Errorf("%d command lines were found", lines)
	}
}
