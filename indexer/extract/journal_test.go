package extract_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"dowse/indexer/document"
	"dowse/indexer/extract"
	"dowse/internal/testmutate"
)

// entriesIn writes the entries of a document, each by its date and title and the first of its words that begins with w.
func entriesIn(d *document.Document) string {
	var out []string
	for i, e := range d.Entries {
		end := len(d.Text)
		if i+1 < len(d.Entries) {
			end = d.Entries[i+1].Offset
		}
		word := "-"
		for _, w := range strings.FieldsFunc(d.Text[e.Offset:end], func(r rune) bool { return strings.ContainsRune(" \n.,;:()[]*#", r) }) {
			if strings.HasPrefix(w, "w") && len(w) == 2 {
				word = w
				break
			}
		}
		date := "none"
		switch t := e.Meta.Date; {
		case t.IsZero():
		case t.Equal(t.Truncate(24 * time.Hour)):
			date = t.Format("060102")
		default:
			date = t.Format("060102 1504")
		}
		said := date + " " + word
		for _, s := range []string{e.Meta.Title, strings.Join(e.Meta.Authors, ","), strings.Join(e.Meta.To, ","), strings.Join(e.Meta.Tags, ",")} {
			said += "|" + s
		}
		out = append(out, strings.TrimRight(said, "|"))
	}
	return strings.Join(out, "; ")
}

var journals = []struct{ name, text, want string }{
	{"a.md", "# Garden\nw0\n## 2025-05-01\nw1\n### Pond\nw2\n## 2025-05-02\nw3\n## Notes\nw4\n", "250501 w1; 250502 w3; none w4"},
	{"a.md", "---\ntitle: Garden\nauthor: Ann\ntags: [pond]\ndate: 2024-01-01\n---\nw0\n# Thursday, 1 May 2025\nw1\n# Friday, 2 May 2025 - The heron\nw2\n", "250501 w1||Ann||pond; 250502 w2|The heron|Ann||pond"},
	{"a.md", "# Tagebuch\n\n## Donnerstag, 1. Mai 2025\nw1\n\n## 2. Mai 2025\nw2\n", "250501 w1; 250502 w2"},
	{"a.md", "## [1.2.0] - 2025-05-01\n- w1\n## [1.1.0] - 2025-04-01\n### Fixed\n- w2\n", "250501 w1|1.2.0; 250401 w2|1.1.0"},
	{"HISTORY.rst", "Changes\n=======\n\n1.2 (2025-05-01)\n----------------\n\n* w1\n\n1.1 (2025-04-01)\n----------------\n\n* w2\n", "250501 w1|1.2; 250401 w2|1.1"},
	{"a.md", "[[2025-05-01]]\nw1\n\n**2 May 2025**\n\nw2\n\nw3\n", "250501 w1; 250502 w2"},
	{"a.md", "# Log\n- 2025-05-01: w1\n  more\n- 2025-05-02 10:00 w2\n- w3\n\nw4\n", "250501 w1; 250502 1000 w2; none w3"},
	{"a.md", "# History until 1 May 1945\nw1\n# The house\nw2\n", ""},
	{"a.md", "# Minutes of 1 May 2025\nw1\n# Minutes of 2 May 2025\nw2\n", "250501 w1|Minutes of; 250502 w2|Minutes of"},
	{"a.md", "# 2025-05-01 The heron came\nw1\n", "250501 w1|The heron came"},
	{"a.md", "# Shell\n```\n# 2025-05-01\n2025-05-01 10:00 w1\n```\nw2 on\n2025-05-03 he\n", ""},
	{"a.txt", "Thursday, 1 May 2025\n\nw1\n\nFriday, 2 May 2025\n\nw2\n", "250501 w1; 250502 w2"},
	{"a.txt", "We met w1 on\n2025-05-01 and then\nhe left.\n", ""},
	{"copyright", "It was packaged by Ann on\nTue, 29 Aug 2000 15:01:04 +0200. Since then w1.\n", ""},
	{"app.log", "begin of w0\n2025-05-01 10:00:00,123 w1\n2025-05-02 10:00:00,123 w2\n", "250501 1000 w1; 250502 1000 w2"},
	{"a.log", "2025-05-01T10:00:00Z w1\n  at x\n2025-05-01T10:30:00Z w2\n2025-05-01T11:00:00Z w3\n", "250501 1000 w1; 250501 1100 w3"},
	{"access.log", "127.0.0.1 - - [01/May/2025:10:00:00 +0200] \"GET /w1\"\n127.0.0.1 - - [02/May/2025:10:00:00 +0200] \"GET /w2\"\n", "250501 0800 -; 250502 0800 -"},
	{"journal.txt", "[2025-05-01 10:00] w1 and\nmore\n\n[2025-05-02 03:00 PM] w2\n", "250501 1000 w1|w1 and; 250502 1500 w2|w2"},
	{"todo.txt", "(A) 2025-05-01 Call w1 +home\nx 2025-05-03 2025-05-02 w2\n", "250501 w1|Call w1|||home; 250503 w2|w2"},
	{"a.html", "<h1>Diary</h1><p>w0</p><h2>1 May 2025</h2><p>w1</p><h2>2 May 2025</h2><p>w2</p>", "250501 w1; 250502 w2"},
	{"a.adoc", "= Diary\n\n== 2025-05-01\n\nw1\n\n== 2025-05-02\n\nw2\n", "250501 w1; 250502 w2"},
	{"a.go", "package a\n\n// 2025-05-01\n// w1\n", ""},
	{"a.org", "#+AUTHOR: Ann\n#+FILETAGS: :pond:\nw0\n* House :home:\n** DONE Roof w1 :urgent:\nCLOSED: [2025-05-01 Thu 10:00] SCHEDULED: <2025-04-01 Tue>\n:PROPERTIES:\n:ID: 1\n:END:\n** Tiles w2 <2025-05-02 Fri>\n*** Red w3\n* Born w4\n:PROPERTIES:\n:CREATED: [2025-05-04 Sun]\n:END:\n* Heron w5\n  <2025-05-05 Mon 10:00>\n* Thursday, 05/01/2025 w6\n",
		"none -|House|Ann||pond,home; 250501 1000 w1|Roof w1|Ann||pond,home,urgent; 250502 w2|Tiles w2|Ann||pond,home; 250502 w3|Red w3|Ann||pond,home; 250504 w4|Born w4|Ann||pond; 250505 1000 w5|Heron w5|Ann||pond; 250501 w6|Thursday, 05/01/2025 w6|Ann||pond"},
	{"result.json", `{"name": "House", "type": "personal_chat", "id": 1, "messages": [{"id": 2, "type": "message", "date": "2025-05-01T12:05:00", "date_unixtime": "1746093900", "from": "Ann", "text": "w1"}, {"id": 3, "type": "message", "date": "2025-05-02T11:00:00", "from": "Bob", "text": "w2"}]}`,
		"250501 1005 w1||Ann; 250502 1100 w2||Bob"},
	{"channel.json", `{"guild": {"name": "Pond"}, "channel": {"name": "birds"}, "messages": [{"id": "1", "type": "Default", "timestamp": "2025-05-01T10:00:00.5+02:00", "content": "w1", "author": {"name": "ann1", "nickname": "Ann"}}, {"id": "2", "type": "Default", "timestamp": "2025-05-02T10:00:00+00:00", "content": "w2", "author": {"name": "ben"}}]}`,
		"250501 0800 w1||Ann; 250502 1000 w2||ben"},
	{"2025-05-01.json", `[{"type": "message", "user": "U1", "text": "w1", "ts": "1746093900.1"}, {"type": "message", "user": "U2", "text": "w2", "ts": "1746180300.1"}]`, "250501 1005 w1||U1; 250502 1005 w2||U2"},
	{"_chat.txt", "[01/05/25, 10:05:00] Ann: w1\n[13/05/25, 9:00:01\u202fPM] Bob: w2\n[13/05/25, 21:01:00] Bob left\n", "250501 1005 w1||Ann; 250513 2100 w2||Bob; 250513 2101 -"},
	{"chat.md", "[2025-05-01, 10:00] Ann: w1  \n[2025-05-02, 11:00] Me: w2  \n", "250501 1000 w1||Ann; 250502 1100 w2||Me"},
	{"a.ics", "BEGIN:VCALENDAR\nBEGIN:VEVENT\nSUMMARY:Roof w1\nDTSTART:20250501T100000Z\nORGANIZER;CN=Ann Lee:mailto:ann@example.org\nATTENDEE;CN=Ben:mailto:ben@example.org\nATTENDEE:mailto:cy@example.org\nCATEGORIES:Home,Garden\nEND:VEVENT\nBEGIN:VTODO\nSUMMARY:Tax w2\nDUE;VALUE=DATE:20250502\nEND:VTODO\nEND:VCALENDAR\n",
		"250501 1000 w1|Roof w1|Ann Lee <ann@example.org>|Ben <ben@example.org>,cy@example.org|Home,Garden; 250502 w2|Tax w2"},
	{"a.vcf", "BEGIN:VCARD\nFN:Ann w1\nCATEGORIES:Friends\nREV:20250501T100000Z\nEND:VCARD\nBEGIN:VCARD\nFN:Ben w2\nEND:VCARD\n", "250501 1000 w1|Ann w1|||Friends; none w2|Ben w2"},
	{"Journal.json", `{"metadata": {"version": "1.0"}, "entries": [{"creationDate": "2025-05-01T10:00:00Z", "text": "w1 and a longer text of the entry that one wrote", "tags": ["Pond", "home"]}, {"creationDate": "2025-05-02T10:00:00Z", "text": "w2 and a longer text of the entry that one wrote"}]}`,
		"250501 1000 w1|w1 and a longer text of the entry that one wrote|||Pond,home; 250502 1000 w2|w2 and a longer text of the entry that one wrote"},
	{"jrnl.json", `{"tags": {}, "entries": [{"title": "w1", "body": "A body of some length, as people write", "date": "2025-05-01", "time": "10:00", "tags": ["@pond"]}, {"title": "w2", "body": "A body of some length, as people write", "date": "2025-05-02", "time": "11:00", "tags": []}]}`,
		"250501 1000 w1|w1|||pond; 250502 1100 w2|w2"},
	{"a.csv", "Date,Author,Text\n2025-05-01,Ann,w1 seen\n2025-05-01,Ann,w2 seen\n2025-05-02,Ben,w3 seen\n,,w4 seen\n", "250501 w1||Ann; 250502 w3||Ben; none w4"},
	{"a.csv", "Name,Price,Title\nw1,3,a\nw2,4,b\n", ""},
	{"a.jsonl", `{"sender_name": "Ann", "timestamp_ms": 1746093900000, "content": "w1"}` + "\n" + `{"author": {"name": "Ben"}, "created_at": "2025-05-02 10:00:00", "body": "w2"}` + "\n", "250501 1005 w1||Ann; 250502 1000 w2||Ben"},
	{"a.yaml", "- date: 2025-05-01\n  text: w1\n- date: 2025-05-02\n  text: w2\n", "250501 w1; 250502 w2"},
	{"bookmarks.html", "<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<DL><DT><H3>a</H3><DL><DT><A HREF=\"http://a\" ADD_DATE=\"1746093900\" TAGS=\"pond,home\">w1</A><DD>d<DT><A HREF=\"http://b\">w2</A></DL></DL>", "250501 1005 w1|w1|||pond,home; none w2|w2"},
}

// TestEntries reads what parts of files say of themselves.
func TestEntries(t *testing.T) {
	for i, c := range journals {
		d, err := extract.Bytes(context.Background(), c.name, []byte(c.text), extract.Options{})
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		if got := entriesIn(d); got != c.want {
			t.Errorf("%d %s: %s\nwant %s", i, c.name, got, c.want)
		}
	}
}

// TestDailyNotesAreDatedByTheirNames where they do not say it themselves.
func TestDailyNotesAreDatedByTheirNames(t *testing.T) {
	for name, want := range map[string]string{
		"journals/2025_05_01.md": "2025-05-01", "2025-05-01.md": "2025-05-01", "2025-05-01 Pond.md": "2025-05-01", "20250501.md": "2025-05-01", "2025-05-01.org": "2025-05-01", "2025.05.01.txt": "2025-05-01",
		"2025-05-011.md": "0001-01-01", "202505011000 Pond.md": "0001-01-01", "pond.md": "0001-01-01", "2025.md": "0001-01-01", "2025-05-01b.md": "0001-01-01",
	} {
		d, err := extract.Bytes(context.Background(), name, []byte("* The heron came.\n"), extract.Options{})
		if err != nil || d.Meta.Date.Format(time.DateOnly) != want {
			t.Errorf("%s is of %v, want %s, error %v", name, d.Meta.Date, want, err)
		}
	}
	if d, err := extract.Bytes(context.Background(), "2025-05-01.md", []byte("---\ndate: 2024-01-02\n---\nx\n"), extract.Options{}); err != nil || d.Meta.Date.Year() != 2024 {
		t.Errorf("of %v, error %v", d.Meta.Date, err)
	}
}

// TestEntriesOfHostileFiles ascend, and lie within the text.
func TestEntriesOfHostileFiles(t *testing.T) {
	for _, ext := range []string{"md", "txt", "org", "ics", "vcf", "json", "csv"} {
		var seeds [][]byte
		for _, c := range journals {
			if strings.HasSuffix(c.name, "."+ext) {
				seeds = append(seeds, []byte(c.text))
			}
		}
		testmutate.Each(t, 600, seeds, func(data []byte) {
			d, err := extract.Bytes(context.Background(), "a."+ext, data, extract.Options{})
			if err != nil {
				return
			}
			last := -1
			for _, e := range d.Entries {
				if e.Offset < last || e.Offset > len(d.Text) {
					t.Errorf("an entry at %d behind %d of %d", e.Offset, last, len(d.Text))
				}
				last = e.Offset
			}
		})
	}
	deep := &strings.Builder{}
	for i := range 30_000 {
		fmt.Fprintf(deep, "%s The heron came again 2025-05-01 :t%d:\n\nIt stood in the water and waited for word %d.\n", strings.Repeat("*", 1+i%50), i, 7*i)
	}
	if _, err := extract.Bytes(context.Background(), "a.org", []byte(deep.String()), extract.Options{}); err != nil {
		t.Error(err)
	}
}
