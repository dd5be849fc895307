package mcpserver

import (
	"encoding/json"
	"strings"
	"testing"

	"dowse/engine"
)

// TestPathsThatAreNotUTF8: an agent reads a file whose name JSON cannot hold by the path that it was given.
func TestPathsThatAreNotUTF8(t *testing.T) {
	const path, uri = "/notes/caf\xe9 50%.md", "file:///notes/caf%E9%2050%25.md"
	s := served(&fake{read: func(req engine.ReadRequest) (*engine.FileText, error) {
		if req.Path != path {
			t.Errorf("%q is read", req.Path)
		}
		return &engine.FileText{Path: req.Path, LineStart: 1, LineEnd: 1, Text: "text"}, nil
	}})
	found, err := json.Marshal(s.told(engine.Passage{Path: path}, 1, 0))
	if err != nil || !strings.Contains(string(found), `"path":"`+uri+`"`) {
		t.Errorf("%s, %v", found, err)
	}
	c := connect(t, s)
	c.begin()
	c.send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"read","arguments":{"path":"` + uri + `"}}}` + "\n")
	if reply := string(c.next()["result"]); strings.Count(reply, uri) != 2 || strings.Contains(reply, "�") { // as text and as values
		t.Error(reply)
	}
	for name, want := range map[string]string{
		"file://localhost/notes/a.md": "/notes/a.md", "/notes/%41.md": "/notes/%41.md", "file:///notes/../a.md": "/a.md",
		"file://larch/notes/a.md": "", "notes/a.md": "", "file:notes": "",
	} {
		if got, err := fileOf(name); got != want || (err == nil) != (want != "") {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
}
