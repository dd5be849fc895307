package search

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"dowse/engine"
)

// TestPhrasesReadSoMuch: a phrase of signs is looked up in every file, and
// reading ends where a bound is reached. What is shown passes, and the result
// says how much was not looked at.
func TestPhrasesReadSoMuch(t *testing.T) {
	w := newWorld(t)
	var size int64
	for i := range 12 {
		phrase := []string{"=>", "-> see"}[i%2]
		f := file{fmt.Sprintf("%s/f%02d.md", root, i), fmt.Sprintf("heron %s %02d\n\nreeds %s\n", phrase, i, phrase), on(1, 1+i)}
		w.index(f)
		size = int64(len(f.text)) // in the index: its text
	}
	for _, tt := range []struct {
		query        string
		files, bytes int64
		want         string // files, the newest first
		unread       int
	}{
		{`"=>"`, 100, 1 << 20, "f10 f08 f06 f04 f02 f00", 0},
		{`"=>"`, 12, 1 << 20, "f10 f08 f06 f04 f02 f00", 0},
		{`"=>"`, 5, 1 << 20, "f10 f08", 7},
		{`"=>"`, 100, 5 * size, "f10 f08", 7},
		{`"=>" -"-> see"`, 5, 1 << 20, "f10 f08", 7},
		{`-"-> see"`, 5, 1 << 20, "f10 f08 f06 f04 f02 f00", 1},
		{`-"-> see"`, 100, 1 << 20, "f10 f08 f06 f04 f02 f00", 0},
		{`-"-> see" -"=>"`, 100, 1 << 20, "", 0},
		{`-"-> see" path:f0*`, 2, 1 << 20, "f08 f06 f04 f02 f00", 3},
		{`-"=>"`, 3, 1 << 20, "f11 f09", 9},
		{`"heron => 04"`, 1, 1 << 20, "f04", 0}, // its words leave one file
		{`-"heron => 04" path:f0*`, 1, 1 << 20, "f09 f08 f07 f06 f05 f04 f03 f02 f01 f00", 0},
		{`"=>"`, 0, 1 << 20, "", 12},
	} {
		w.verifyFiles, w.verifyBytes = tt.files, tt.bytes
		for range 2 { // equal searches, equal results
			reads, problems := w.disk.reads, ""
			r, err := w.Search(t.Context(), engine.Request{Query: tt.query, K: 30}, func(e engine.Event) { problems += e.Problem })
			if err != nil {
				t.Fatal(err)
			}
			found := filesOf(r)
			if strings.Join(found, " ") != tt.want || r.Stats.Unread != tt.unread || (problems != "") != (tt.unread > 0) {
				t.Errorf("%s of %d files, %d bytes: found %v, %d files unread, problem %q", tt.query, tt.files, tt.bytes, found, r.Stats.Unread, problems)
			}
			if tt.unread > 0 && !strings.Contains(problems, fmt.Sprintf("and %d file", tt.unread)) {
				t.Errorf("%s: problem %q", tt.query, problems)
			}
			if looked := int64(w.disk.reads-reads) - int64(len(found)); looked > min(tt.files, tt.bytes/size) {
				t.Errorf("%s of %d files, %d bytes: %d files were looked at", tt.query, tt.files, tt.bytes, looked)
			}
		}
	}
}

// TestUnmatched: where the filters leave passages and phrases or words with a minus none of
// these, the result says that it is they.
func TestUnmatched(t *testing.T) {
	w := newWorld(t)
	w.index(file{root + "/a.md", "heron to see\n\nreeds\n", on(1, 1)}, file{root + "/b.txt", "heron, the reeds\n", on(1, 2)})
	for query, want := range map[string]string{
		`"heron reeds"`: `"heron reeds"`, `heron "reeds heron"`: `"reeds heron"`, `"heron" "to be"`: `"heron" "to be"`, `"zebra"`: `"zebra"`,
		`ext:txt "to see"`: `"to see"`, `"to see" -heron`: `"to see" -heron`, "-heron -reeds": "-heron -reeds", `path:b -"the reeds"`: `-"the reeds"`,
		`"heron"`: "", `ext:go "zebra"`: "", "ext:go": "", "ext:go -reeds": "", `-"to see"`: "", "zebra": "", `zebra "heron"`: "",
	} {
		r := w.search(engine.Request{Query: query})
		if got := r.Stats.Unmatched; got != want || want != "" && len(r.Passages) > 0 {
			t.Errorf("%s: %d passages, unmatched %s, want %s", query, len(r.Passages), got, want)
		}
	}
	w.verifyFiles = 1
	if r := w.search(engine.Request{Query: `"=>"`}); r.Stats.Unread != 1 || r.Stats.Unmatched != "" {
		t.Errorf("with a file that was not read: %+v", r.Stats)
	}
}

// filesOf are the names of the files that passages come from, the last first.
func filesOf(r *engine.Result) (names []string) {
	for _, p := range r.Passages {
		names = append(names, strings.TrimSuffix(p.Path[len(root)+1:], ".md"))
	}
	slices.Sort(names)
	names = slices.Compact(names)
	slices.Reverse(names)
	return names
}

// TestVerdictsOutliveACommit: a file that comes while phrases are looked up is
// looked at too, and nothing is read twice for it.
func TestVerdictsOutliveACommit(t *testing.T) {
	w := birds(t)
	texts := &committing{Texts: w.disk, commit: func() {
		w.index(file{root + "/birds/egret.md", "An egret stood in the reeds.\n", on(6, 1)})
	}}
	w.readBy(texts)
	r := w.search(engine.Request{Query: `"stood in the reeds"`, Mode: engine.Lexical, K: 2})
	if got := names(r); len(strings.Fields(got)) != 2 || !strings.Contains(got, "egret.md") {
		t.Errorf("found %s", got)
	}
	if texts.reads != 4 { // each of the two files for the phrase and for the passage
		t.Errorf("%d files were read", texts.reads)
	}
}

// committing commits while the first file is read.
type committing struct {
	engine.Texts
	commit func()
	reads  int
}

func (c *committing) Text(path string) (*engine.Text, error) {
	if c.reads++; c.reads == 1 {
		c.commit()
	}
	return c.Texts.Text(path)
}

// TestExact: what is exact is found as it is written, in files that its whole words leave, and what
// was not read is said.
func TestExact(t *testing.T) {
	w := newWorld(t)
	for i, text := range []string{
		"The Heron stands in the reeds.", "A heron flew to the reeds, to be alone.", "HERON_MAX = 3 and heron().",
		"connection refused by the heron", "connections refused, by nobody",
	} {
		w.index(file{fmt.Sprintf("%s/f%d.md", root, i), text + "\n", on(1, 1+i)})
	}
	for _, tt := range []struct {
		query  string
		files  int64
		want   string
		unread int
	}{
		{"=Heron", 100, "f0", 0},
		{"=heron", 100, "f1 f2 f3", 0},
		{"=heron()", 100, "f2", 0},
		{"-=heron", 100, "f4 f0", 0},
		{`"reeds" =heron`, 100, "f1", 0},
		{"grep:/h.ron/", 100, "f3 f2 f1", 0},
		{"grep:/h.ron/i -grep:/flew/", 100, "f3 f2 f0", 0},
		{"grep:/connection refused by/", 2, "f3", 0}, // a word leaves two files
		{"grep:/connection/", 2, "f4 f3", 3},
		{`"to be"`, 1, "f1", 0},
	} {
		w.verifyFiles = tt.files
		r := w.search(engine.Request{Query: tt.query, K: 30})
		found := filesOf(r)
		if strings.HasPrefix(tt.query, "=") {
			slices.Sort(found) // ranked
		}
		if strings.Join(found, " ") != tt.want || r.Stats.Unread != tt.unread {
			t.Errorf("%s of %d files: found %v, %d unread", tt.query, tt.files, found, r.Stats.Unread)
		}
		for _, p := range r.Passages {
			if !strings.HasPrefix(tt.query, "-") && len(p.Highlights) == 0 {
				t.Errorf("%s: nothing is marked in %q", tt.query, p.Text)
			}
		}
	}
	w.verifyFiles = 100
	if r := w.search(engine.Request{Query: "=HEron -grep:/x y/"}); r.Stats.Unmatched != "=HEron -grep:/x y/" {
		t.Errorf("unmatched: %q", r.Stats.Unmatched)
	}
	if _, err := w.Search(t.Context(), engine.Request{Query: "grep:/a(/"}, nil); !errors.Is(err, engine.ErrQuery) {
		t.Errorf("a bad pattern: %v", err)
	}
}
