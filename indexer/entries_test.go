package indexer_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"dowse/engine"
)

// letterOf is a message of a mailbox whose text names it often and is longer than a chunk.
func letterOf(name, head string) string {
	return fmt.Sprintf("From %s@example.org Mon Jan  5 10:00:00 2026\n%s\n\n%s\n\n", name, head, strings.Repeat(name+" writes some words of a letter. ", 60))
}

// lettersFound returns the names of the letters in which the passages of a query are.
func (b *bench) lettersFound(query string) string {
	b.t.Helper()
	return b.foundIn(query, func(p *engine.Passage) []string {
		return slices.DeleteFunc([]string{"alpha", "bravo", "charlie", "delta"}, func(name string) bool { return !strings.Contains(p.Text, name) })
	})
}

// TestFiltersAskTheMessagesOfAMailbox: who wrote one says nothing of the others.
func TestFiltersAskTheMessagesOfAMailbox(t *testing.T) {
	b := newBench(t)
	letters := []string{
		letterOf("alpha", "From: Ann Lee <ann@example.org>\nTo: ben@example.org\nSubject: The roof\nDate: Thu, 02 Feb 2023 10:00:00 +0000"),
		letterOf("bravo", "From: Ben <ben@example.org>\nTo: cy@example.org\nSubject: Re: the roof\nDate: Sat, 03 Feb 2024 10:00:00 +0000\nKeywords: home"),
		letterOf("charlie", "From: Ann Lee <ann@example.org>\nTo: cy@example.org\nSubject: Lunch\nDate: Mon, 03 Feb 2025 10:00:00 +0000"),
		letterOf("delta", "From: list@example.org\nSubject: News"),
	}
	b.write("mail.mbox", strings.Join(letters, ""))
	b.write("note.md", "---\nauthor: Ann Lee\n---\nThe roses of alpha.\n")
	b.run(b.root)
	for query, want := range map[string]string{
		"letter":                        "alpha bravo charlie delta",
		"letter from:ann":               "alpha charlie",
		"letter from:ann to:cy":         "charlie",
		"letter -from:ann":              "bravo delta",
		"letter to:ann":                 "",
		"letter title:roof":             "alpha bravo",
		"letter tag:home":               "bravo",
		"letter from:ann after:2024":    "charlie",
		"letter before:2025":            "alpha bravo",
		"letter after:2024 before:9999": "bravo charlie delta", // the last is as old as the file
		"letter type:mail from:ann":     "alpha charlie",
		"letter type:note from:ann":     "",
		"letter path:note":              "",
		"from:ann path:note":            "alpha",
	} {
		if got := b.lettersFound(query); got != want {
			t.Errorf("%s finds %q, want %q", query, got, want)
		}
	}
	b.write("mail.mbox", strings.Join(letters[1:], ""))
	b.run()
	if got := b.lettersFound("letter from:ann"); got != "charlie" {
		t.Errorf("without the first letter: %q", got)
	}
	b.must(os.Remove(b.path("mail.mbox")))
	b.run()
	if got := b.lettersFound("letter from:ann"); got != "" {
		t.Errorf("without the mailbox: %q", got)
	}
}
