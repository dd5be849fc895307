package search

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"dowse/engine"
	"dowse/internal/testmutate"
	"dowse/store"
)

// mailbox is the text of messages as it is taken out of a file of many.
func mailbox(messages ...string) *engine.Text {
	body := ""
	var starts []int
	for _, m := range messages {
		starts = append(starts, len(body))
		body += m + "\n\n"
	}
	text := plainText(body)
	text.Places = func(start, end int) (marks []engine.LocatorMark) {
		for i, at := range starts {
			if at > start && at >= end || i+1 < len(starts) && starts[i+1] <= start {
				continue
			}
			marks = append(marks, engine.LocatorMark{Offset: max(at-start, 0), Locator: engine.Locator{
				Label: fmt.Sprint("message ", i+1), Parts: []engine.LocatorPart{{Unit: "message", Number: i + 1, Name: fmt.Sprint("Subject ", i+1)}},
			}})
		}
		return marks
	}
	return text
}

func TestOwnMessage(t *testing.T) {
	text := mailbox(
		"# Subject 1\n\nFrom: Ann Lee <ann@example.org>; To: Ben <b@x.org>, Lee, Cy <c@x.org>; Cc: d@x.org; Date: Fri 2 Jan 2026 15:04\n\nThe roof leaks; To: whom?",
		"# Subject 2\n\nTo: list@x.org\n\nNobody wrote this.",
		"# Subject 3\n\nNothing is said: of it\n\nFrom: a line of the text",
	)
	want := []engine.About{
		{Title: "Subject 1", Authors: []string{"Ann Lee <ann@example.org>"}, To: []string{"Ben <b@x.org>", "Lee, Cy <c@x.org>", "d@x.org"}, Date: time.Date(2026, 1, 2, 15, 4, 0, 0, time.Local)},
		{Title: "Subject 2", To: []string{"list@x.org"}},
		{Title: "Subject 3"},
	}
	for _, word := range []string{"leaks", "Nobody", "Nothing"} {
		at := strings.Index(text.Body, word)
		where := engine.Where{}.At(text.Places(at, at+1), 0)
		got := ownMessage(text, where, at)
		if got == nil || !reflect.DeepEqual(*got, want[0]) {
			t.Errorf("%s: %+v\nwant %+v", word, got, want[0])
		}
		want = want[1:]
	}
	if got := ownMessage(text, engine.Where{}, 5); got != nil {
		t.Errorf("of no message: %+v", got)
	}
	seeds := [][]byte{[]byte(text.Body[:200]), []byte("From: a; To: b; Cc: c; Date: d"), []byte("To: ; From: x, y@z, ")}
	testmutate.Each(t, 2000, seeds, func(data []byte) {
		if got := headOf(string(data)); len(got.Authors)+len(got.To) > len(data) {
			t.Errorf("%d people", len(got.Authors)+len(got.To))
		}
	})
}

// TestPassagesSayWhatTheirDocumentsSay: of both indexes, and of the messages of a mailbox
// their own.
func TestPassagesSayWhatTheirDocumentsSay(t *testing.T) {
	w := libraryWorld(t)
	other := besideWorld(t, w, root+"/letters")
	other.index(file{root + "/letters/x.md", "zebra crossing", on(2, 1)})
	other.say(root+"/letters/x.md", store.Facts{Title: "The letter", Tags: []string{"post"}})
	for query, want := range map[string]engine.About{
		"roof again":     {Authors: []string{"A. Lee <Ann@Example.org>", "Jan Vogel"}, Format: "eml"},
		"zebra crossing": {Title: "The letter", Tags: []string{"post"}, Format: "text"},
		"roses":          {Title: "Roses of the year", Tags: []string{"garden/Roses", "home office"}, Format: "text"},
	} {
		r := w.search(engine.Request{Query: query, Mode: engine.Lexical, K: 1})
		if len(r.Passages) != 1 || !reflect.DeepEqual(r.Passages[0].About, want) {
			t.Errorf("%s: %+v", query, r.Passages)
		}
	}
}
