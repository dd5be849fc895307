package pdf

import (
	"fmt"
	"strings"
	"testing"
)

// manual is a book of twelve chapters, behind pages of contents and before one of an index.
func manual(contents, index []string) made {
	pages := []string{line("B", 20, 72, 700, "Contents") + lines(72, 660, contents...)}
	for i, word := range strings.Fields("anchors buoys capstans davits ensigns fenders gunwales halyards jibs keels lanyards masts") {
		pages = append(pages, line("B", 16, 72, 700, fmt.Sprintf("%d Of %s", i+1, word))+
			lines(72, 660, "What a sailor has to know of them stands here.", fmt.Sprintf("The %s cost %d pounds.", word, 40+i)))
	}
	return made{pages: append(pages, line("B", 20, 72, 700, "Index")+lines(72, 660, index...))}
}

func TestContents(t *testing.T) {
	contents := []string{
		"1 Of anchors . . . . . . 1", "2 Of buoys . . . . . . . 2", "3 Of capstans ..... 3", "4 Of davits 4", "5 Of ensigns . . . . . . 5",
		"6 Of fenders, of which", "nobody knows . . . . . . 6", "12 Of masts . . . . . . . 12",
	}
	index := []string{"A", "anchors, 1", "B", "buoys, 2", "C", "cost", "of jibs, 9", "capstans, 3", "davits, 4", "halyards, 7-8", "sails, 9"}
	text := func(m made) string {
		t.Helper()
		d, err := readMade(t, newReader(t), m.bytes())
		if err != nil {
			t.Fatal(err)
		}
		return d.Text
	}
	got := text(manual(contents, index))
	for _, dropped := range []string{". 1", ". 5", "masts .", "anchors, 1", "of jibs, 9", "\nA\n", "\nB\n", "halyards, 7"} {
		if strings.Contains(got, dropped) {
			t.Errorf("%q is said twice:\n%s", dropped, got)
		}
	}
	for _, kept := range []string{"Of anchors\n", "12 Of masts\n", "of which", "nobody knows", "sails, 9"} {
		if !strings.Contains(got, kept) {
			t.Errorf("%q is lost:\n%s", kept, got)
		}
	}
	prices := []string{"Of anchors 40", "Of buoys 41", "Of capstans 42", "Of davits 43", "Of ensigns 44", "Of fenders 45", "Of gunwales 46"}
	counts := []string{"sailor 1", "know 2", "stands 3", "here 4", "what 5", "them 6", "cost 7", "pounds 8"}
	for name, rows := range map[string][]string{"prices": prices, "the words of every page": counts, "few": contents[:4]} {
		got := text(manual(rows, []string{"The end."}))
		for _, row := range rows {
			if words := strings.Fields(row); !strings.Contains(got, words[len(words)-1]) || !strings.Contains(got, words[0]) {
				t.Errorf("%s: %q is lost", name, row)
			}
		}
		if name == "prices" && !strings.Contains(got, "40") {
			t.Errorf("%s are lost:\n%s", name, got)
		}
	}
}

func TestLeader(t *testing.T) {
	for text, want := range map[string]string{
		"2.1 Frost . . . . 13": "frost [13] false", "Frost....13": "frost [13] false", "frost, 13, 20–22": "frost [22 20 13] false",
		"Version 2 ... 15": "version 2 [15] false", "Preface xiv": "preface [14] true", "Frost": "frost [] false", "78": " [78] false",
		"It ends here.": "it ends here [] false", "": " [] false", "costs 123456": "costs 123456 [] false", "frost, iv, 3": "frost iv [3] false",
	} {
		l := leaderOf(text)
		if got := fmt.Sprintf("%s %v %v", l.key, l.numbers, l.roman); got != want {
			t.Errorf("%q is read as %q, not %q", text, got, want)
		}
	}
}
