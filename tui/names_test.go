package tui

import "testing"

// TestNames calls files by their folders, which are told apart.
func TestNames(t *testing.T) {
	n := names{home: "/home/ada"}
	if !n.set([]string{"/home/ada/notes", "/home/ada", "/srv/a/docs", "/srv/b/docs", "/home/ada/notes/work", "/"}) {
		t.Error("folders that are new are not")
	}
	for _, c := range []struct {
		path string
		w    int
		want string
	}{
		{"/home/ada/notes/server/dns-outage.md", 60, "notes/server/dns-outage.md"},
		{"/home/ada/notes/a/long/way/down/to/dns-outage.md", 30, "notes/…/down/to/dns-outage.md"},
		{"/home/ada/notes/a/long/way/down/to/dns-outage.md", 16, "…/dns-outage.md"},
		{"/home/ada/notes/example.pdf", 14, "…/example.pdf"},
		{"/home/ada/notes/work/x.md", 60, "work/x.md"},
		{"/home/ada/notesbook/x.md", 60, "~/notesbook/x.md"},
		{"/home/ada/notes", 60, "~/notes"},
		{"/srv/a/docs/x.md", 60, "a/docs/x.md"},
		{"/srv/b/docs/x.md", 60, "b/docs/x.md"},
		{"/etc/hosts", 60, "/etc/hosts"},
	} {
		if got := n.short(c.path, c.w); got != c.want {
			t.Errorf("%s in %d cells is %q, want %q", c.path, c.w, got, c.want)
		}
	}
	if n.set([]string{"/home/ada/notes", "/home/ada", "/srv/a/docs", "/srv/b/docs", "/home/ada/notes/work", "/"}) {
		t.Error("the same folders are others")
	}
}

// TestNamesOnScreen: results are called by their folder once the status tells it.
func TestNamesOnScreen(t *testing.T) {
	withScreen(t, 110, 34, Options{}, func(_ *testing.T, s *screen) {
		s.typed("dns cache")
		s.shows(" notes/network/dns.md:1")
		s.hides("~/notes/network")
	})
}
