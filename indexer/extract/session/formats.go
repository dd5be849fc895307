package session

import (
	"bytes"
	"path/filepath"
	"strings"

	"dowse/indexer/document"
)

// maxBytes is the size above which a session or an export is not read.
const maxBytes = 1 << 30

// maxActivity is the size above which a page of activities is not read: all of it is held.
const maxActivity = 256 << 20

// Formats are those of sessions in lines, of agents' other files, and of exports.
var Formats = []document.Format{
	{Name: "session", Among: []string{"jsonl"}, Is: isLines, Read: readLines, MaxBytes: maxBytes, Slow: true, Streamed: true, Grows: true},
	{Name: "session", Among: []string{"html", "htm"}, Is: isActivity, Read: readActivity, MaxBytes: maxActivity, Slow: true},
	{Name: "session", Is: isAider, Read: readAider, Slow: true},
	{Name: "session", Among: []string{"json"}, Is: isExport, Read: readExport, MaxBytes: maxBytes, Slow: true, Streamed: true, Piped: true},
}

// isLines reports whether a file of lines of JSON is a session of an agent.
func isLines(name string, head []byte) bool {
	return filepath.Ext(name) == ".jsonl" && agentOf(head) != nil
}

// agentOf returns the agent whose session begins with head, nil of none.
func agentOf(head []byte) *agent {
	if !bytes.HasPrefix(bytes.TrimSpace(head), []byte("{")) {
		return nil
	}
	for i := range agents {
		if agents[i].is(head) {
			return &agents[i]
		}
	}
	return nil
}

// has reports whether all of some keys stand in a text.
func has(text []byte, keys ...string) bool {
	for _, key := range keys {
		if !bytes.Contains(text, []byte(`"`+key+`"`)) {
			return false
		}
	}
	return true
}

// isAider reports whether a file is the history that aider keeps in a project.
func isAider(name string, head []byte) bool {
	return strings.HasSuffix(name, ".md") && bytes.HasPrefix(bytes.TrimSpace(head), []byte(aiderStart))
}

// isExport reports whether a file of JSON holds conversations.
func isExport(name string, head []byte) bool {
	return filepath.Ext(name) == ".json" && exportOf(head) != nil
}
