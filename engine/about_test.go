package engine

import (
	"strings"
	"testing"
	"time"
)

func TestNamesAndAddresses(t *testing.T) {
	for _, tt := range []struct{ person, name, address string }{
		{"Ann Lee <Ann@Example.org>", "Ann Lee", "ann@example.org"},
		{`"Lee, Ann" <ann@example.org>`, "Lee, Ann", "ann@example.org"},
		{"<ann@example.org>", "ann@example.org", "ann@example.org"},
		{"ann@example.org", "ann@example.org", "ann@example.org"},
		{"Ann Lee", "Ann Lee", ""},
		{"Ann @ home", "Ann @ home", ""},
		{"a < b", "a < b", ""},
		{"", "", ""},
	} {
		if got := NameOf(tt.person); got != tt.name {
			t.Errorf("%q is called %q", tt.person, got)
		}
		if got := AddressOf(tt.person); got != tt.address {
			t.Errorf("%q has the address %q", tt.person, got)
		}
	}
	if got := Names([]string{"A <a@x>", "B", "C"}) + "; " + Names([]string{"A", "B <b@x>"}) + "; " + Names(nil); got != "A et al.; A and B; " {
		t.Error(got)
	}
}

func TestByline(t *testing.T) {
	a := About{Authors: []string{"Ann <a@x>"}, Date: time.Date(2026, 1, 3, 9, 0, 0, 0, time.UTC), Tags: []string{"a", "#b", "c", "d"}}
	if got := strings.Join(a.Byline(), " | "); got != "Ann | 2026-01-03 | #a #b #c …" {
		t.Error(got)
	}
	if got := (About{}).Byline(); len(got) > 0 {
		t.Error(got)
	}
}

func TestTellingTitle(t *testing.T) {
	page := Where{Locator: &Locator{Label: "message 3 (Re: the roof)"}}
	for _, tt := range []struct {
		path, title, heading string
		where                Where
		tells                bool
	}{
		{path: "/p/2301.00001.pdf", title: "LEANN: a vector index", tells: true},
		{path: "/p/fixing-the-dns.md", title: "Fixing the DNS"},
		{path: "/p/dns.md", title: "Fixing the DNS", heading: "DNS > Fixing the DNS"},
		{path: "/p/dns.md", title: "Fixing the DNS", heading: "Fixing the DNS > Causes", tells: true},
		{path: "/p/box.mbox", title: "Re: the roof", where: page},
		{path: "/p/a.pdf", title: "scan0001.tif"},
		{path: "/p/a.pdf"},
	} {
		p := Passage{Path: tt.path, Heading: tt.heading, Where: tt.where, About: About{Title: tt.title}}
		if got := p.TellingTitle(); (got != "") != tt.tells {
			t.Errorf("%+v: %q", tt, got)
		}
	}
}

// TestATitleThatTheShownPlaceSays: of several records in a passage, the place is that of the one that was looked for.
func TestATitleThatTheShownPlaceSays(t *testing.T) {
	p := Passage{Path: "home.ics", Text: "Dentist\nPiano tuner", Highlights: []Range{{8, 13}}, About: About{Title: "Piano tuner"}}
	p.Locator = &Locator{Label: "record Dentist"}
	p.Places = []LocatorMark{{Offset: 8, Locator: Locator{Label: "record Piano tuner"}}}
	if title := p.TellingTitle(); title != "" {
		t.Errorf("%q is said twice", title)
	}
}
