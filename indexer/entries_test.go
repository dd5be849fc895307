package indexer_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

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

// TestWhatIsShownIsTheEntryThatPasses asks the queries of the lost files, each of which has an entry of the same bird that does not pass.
func TestWhatIsShownIsTheEntryThatPasses(t *testing.T) {
	b := newBench(t)
	folder, err := filepath.Abs("../testdata/lost/entries")
	b.must(err)
	queries, err := os.ReadFile("../testdata/lost/entries.tsv")
	b.must(err)
	shown := map[string][2]string{ // words that stand in what is shown, and that do not
		"marsh-walks.txt": {"sluice", "hide"}, "result.json": {"chased", "Forty"}, "chat.md": {"Petra 10:02", "dusk"}, "society.ics": {"second dike", "colony"},
		"wardens.vcf": {"Ruth", "hut"}, "meadow-journal.md": {"molehill", "cows"}, "tagebuch.md": {"Obstgarten", "Museum"}, "CHANGELOG.md": {"wing length", "merged"},
		"jrnl.json": {"ridge", "wasps"}, "projects.org": {"lower box", "Cones"}, "sightings.csv": {"thrushes", "hawthorn"}, "bookmarks.html": {"passes", "soups"},
	}
	b.run(folder)
	for line := range strings.Lines(string(queries)) {
		path, query, _ := strings.Cut(strings.TrimSpace(line), "\t")
		name := filepath.Base(path)
		r, err := b.engine(0).Search(t.Context(), engine.Request{Query: query, Mode: engine.Lexical, K: 10}, nil)
		b.must(err)
		if len(r.Passages) == 0 || filepath.Base(r.Passages[0].Path) != name || !strings.Contains(r.Passages[0].Text, shown[name][0]) {
			t.Errorf("%s: %+v", query, r.Passages)
			continue
		}
		for _, p := range r.Passages {
			if strings.Contains(p.Text, shown[name][1]) {
				t.Errorf("%s shows %q", query, p.Text)
			}
		}
		delete(shown, name)
	}
	if len(shown) > 0 {
		t.Errorf("not asked, or not found: %v", shown)
	}
}

// TestFiltersAskEachEntryOfALongFile: each line of a diary and a chat has a word of its own, and is found where what it says
// passes, and nowhere else.
func TestFiltersAskEachEntryOfALongFile(t *testing.T) {
	b := newBench(t)
	var diary, chat strings.Builder
	diary.WriteString("# Diary\n")
	const days = 36
	people := []string{"Ann Lee", "Ben", "Cy"}
	for i := range days {
		day := time.Date(2025, 1, 1+3*i, 0, 0, 0, 0, time.UTC)
		fmt.Fprintf(&diary, "\n## %s\n\nheron diary%d %s\n", day.Format("Monday, 2 January 2006"), i, strings.Repeat("seen again ", i%9))
		fmt.Fprintf(&chat, "[%s, 10:00] %s: heron chat%d %s\n", day.Format("02.01.06"), people[i*i%3], i, strings.Repeat("seen again ", i%5))
	}
	b.write("diary.md", diary.String())
	b.write("chat.txt", chat.String())
	b.run(b.root)
	for _, after := range []int{0, 7, 20, 35} {
		day := time.Date(2025, 1, 1+3*after, 0, 0, 0, 0, time.UTC).Format(time.DateOnly)
		for i := range days {
			for query, want := range map[string]bool{
				fmt.Sprintf("diary%d after:%s", i, day):                     i >= after,
				fmt.Sprintf("diary%d before:%s", i, day):                    i < after,
				fmt.Sprintf("chat%d from:lee after:%s", i, day):             i >= after && i*i%3 == 0,
				fmt.Sprintf("heron chat%d -from:ben before:%s", i, day):     i < after && i*i%3 != 1,
				fmt.Sprintf("\"heron chat%d\" -from:ben before:%s", i, day): i < after && i*i%3 != 1,
			} {
				if i%5 != after%5 && i != after-1 {
					continue
				}
				word := strings.Trim(strings.Fields(strings.TrimPrefix(strings.TrimPrefix(query, "\""), "heron "))[0], "\"")
				found := b.foundIn(query, func(p *engine.Passage) (words []string) {
					for _, w := range strings.Fields(p.Text) {
						if w == word {
							words = append(words, w)
						}
					}
					return words
				})
				if (found == word) != want {
					t.Errorf("%s finds %q", query, found)
				}
			}
		}
	}
}
