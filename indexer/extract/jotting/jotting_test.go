package jotting_test

import (
	"strings"
	"testing"
	"time"

	"dowse/indexer/document"
	"dowse/indexer/extract"
	"dowse/indexer/skip"
	"dowse/internal/testextract"
)

// samples are files that the programs wrote, but for the last one, which follows the manual of Ledger, and what is read of them.
var samples = []struct {
	file, name, format, want, title, tags string
	at                                    string // the word whose entry and line are looked at
	line                                  int
	date                                  string
}{
	{"zsh_history-5.9", ".zsh_history", "history", "echo Ärger à la Käserei\nfor f in a b; do echo $f done\ntar -xzf 'heron photos.tgz' # Fotos vom Reiher\nexit", "", "", "heron", 5, "2026-11-28"},
	{"bash_history-5.2", ".bash_history", "history", "rsync -a harbour/ nas:\necho 'two lines'\nshopt -s cmdhist lithist; history -a\nexit", "", "", "shopt", 7, "2026-11-28"},
	{"fish_history-3.6.0", "fish_history", "history", "rsync -a harbour/ nas:\nshopt -s cmdhist lithist; history -a\nexit\ncd /usr/share\necho 'a\\\\b' ; ls doc\nfor i in 1 2 echo quince end\nexit", "", "", "quince", 13, "2026-11-28"},
	{"todotxt-2.11.0.txt", "todo.txt", "task", "- [ ] (A) Order copper brackets +roof @phone due:2026-12-05\n- [ ] Ask Ben about the quince @market\n- [x] Old thing +roof", "Order copper brackets due:2026-12-05", "roof phone", "brackets", 1, "2026-11-28"},
	{"taskwarrior-2.6.2.pending.data", "pending.data", "task", "- [ ] Order brackets for the gutter: \"copper\" [not zinc]; The shop at the quay has them (due 2026-12-05)\n- [x] Ask Ben about the quince",
		"Order brackets for the gutter: \"copper\" [not zinc]", "copper roof", "brackets", 1, "2026-11-28"},
	{"jrnl-4.6.txt", "journal.txt", "jrnl", "[2026-05-04 10:15] The heron came back.\nIt stood by the @sluice with #ben for an hour.\n\n[2026-05-06 08:00] Rain all day* Nothing to see.",
		"The heron came back.", "sluice ben", "stood", 1, "2026-05-04"},
	{"beancount-3.2.3.beancount", "barn.beancount", "ledger", "option \"title\" \"Barn\"\n\n1970-01-01 open Assets:Cash EUR\n\n1970-01-01 open Expenses:Roof EUR\n\n" +
		"2026-05-04 * \"Quay Hardware\" \"Copper brackets for the gutter\" #roof ^bill-17\n; asked for a discount\nExpenses:Roof 42.50 EUR\nAssets:Cash\n\n2026-05-06 note Assets:Cash \"Count the tin on Sunday\"",
		"Quay Hardware Copper brackets for the gutter", "roof", "discount", 5, "2026-05-04"},
	{"", "barn.ledger", "ledger", "2026/05/04 * (17) Quay Hardware ; :roof:\nExpenses:Roof EUR 42.50\nAssets:Cash", "Quay Hardware", "roof", "Quay", 1, "2026-05-04"},
}

const ledger = "2026/05/04 * (17) Quay Hardware  ; :roof:\n    Expenses:Roof    EUR 42.50\n    Assets:Cash\n"

func TestJottings(t *testing.T) {
	for _, c := range samples {
		data := ledger
		if c.file != "" {
			data = testextract.Sample(t, c.file)
		}
		d := testextract.Read(t, c.name, data)
		testextract.Damage(t, 300, c.name, data)
		if d.Text != c.want || d.Format != c.format {
			t.Errorf("%s: %s\n%q, want\n%q", c.name, d.Format, d.Text, c.want)
		}
		at := strings.Index(d.Text, c.at)
		var meta document.Meta
		for _, e := range d.Entries {
			if e.Offset <= at {
				meta = e.Meta
			}
		}
		if line := d.Line(at); line != c.line || meta.Title != c.title || strings.Join(meta.Tags, " ") != c.tags || meta.Date.Format(time.DateOnly) != c.date {
			t.Errorf("%s: line %d says %+v", c.name, line, meta)
		}
	}
}

func TestTasksAreFoundOnce(t *testing.T) {
	_, err := extract.Bytes(t.Context(), "undo.data", []byte(testextract.Sample(t, "taskwarrior-2.6.2.undo.data")), extract.Options{})
	if reason, ok := skip.ReasonOf(err); !ok || reason != skip.NotText || !strings.Contains(err.Error(), "pending.data") {
		t.Errorf("what is undone is left out as %v", err)
	}
}

func TestOtherListsAndJournalsStay(t *testing.T) {
	for name, text := range map[string]string{
		"todo.txt":     "milk\nbread\nring Ann\n",
		"diary.txt":    "[2026-05-04 10:15] the heron came\n[2026-05-04 10:20] it left\n",
		"a.journal":    "Dear diary\nnothing has a date here\n",
		"pending.data": "[no task]\n",
	} {
		if d := testextract.Read(t, name, text); d.Format != "" {
			t.Errorf("%s: %+v", name, d)
		}
	}
}
