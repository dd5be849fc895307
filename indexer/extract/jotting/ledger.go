package jotting

import (
	"bytes"
	"path/filepath"
	"slices"
	"strings"

	"dowse/indexer/extract/dates"
	"dowse/internal/pattern"
)

// isLedger reports whether a file is one of Beancount, Ledger or hledger.
func isLedger(name string, head []byte) bool {
	return slices.Contains([]string{".beancount", ".bean", ".ledger", ".hledger", ".journal"}, filepath.Ext(name)) && ledgerDay.Match(head)
}

var (
	ledgerDay = pattern.New(`(?m)^(\d{4}[-/.]\d\d?[-/.]\d\d?)(?:=\S+)?[ \t]+(.*)$`)
	ledgerTag = pattern.New(`(?:^|\s)#([\pL\pN][\pL\pN_/.-]*)|;.*?:([\pL\pN_-]+):`)
	quotedArg = pattern.New(`"((?:[^"\\]|\\.)*)"`)
	flagged   = pattern.New(`^(?:[*!]\s*)?(?:\([^)]*\)\s*)?`)
)

// transactions reads what begins with a date and goes on in lines that are set in, and what stands between these.
func transactions(text string) (all []jotting) {
	number := 0
	for line := range strings.Lines(text) {
		number++
		line = strings.TrimRight(line, "\r\n \t")
		setIn := line != "" && (line[0] == ' ' || line[0] == '\t')
		if line == "" {
			continue
		}
		m := ledgerDay.FindStringSubmatch(line)
		if m == nil && len(all) > 0 && (setIn || all[len(all)-1].at.IsZero()) {
			j := &all[len(all)-1]
			j.text += "\n" + line
			j.tags = append(j.tags, ledgerTags(line)...)
			continue
		}
		j := jotting{line: number, text: line}
		if m != nil {
			j.at, j.title, j.tags = dates.Parse(strings.NewReplacer("/", "-", ".", "-").Replace(m[1])), ledgerTitle(m[2]), ledgerTags(m[2])
		}
		all = append(all, j)
	}
	return all
}

// ledgerTitle returns who was paid and for what: of Beancount what is quoted.
func ledgerTitle(rest string) string {
	var parts []string
	for _, m := range quotedArg.FindAllStringSubmatch(rest, -1) {
		parts = append(parts, m[1])
	}
	if parts != nil {
		return strings.TrimSpace(strings.Join(parts, " "))
	}
	rest, _, _ = strings.Cut(rest, ";")
	return strings.TrimSpace(flagged.ReplaceAllString(rest, ""))
}

// ledgerTags returns the tags of a line: #roof of Beancount, ":roof:" in a comment of Ledger.
func ledgerTags(line string) (tags []string) {
	for _, m := range ledgerTag.FindAllStringSubmatch(quotedArg.ReplaceAllString(line, ""), -1) {
		tags = append(tags, m[1]+m[2])
	}
	return tags
}

// isJrnl reports whether a file is a journal of jrnl's: entries begin with a time in brackets, below a blank line.
func isJrnl(name string, head []byte) bool {
	ext := filepath.Ext(name)
	if ext != ".txt" && ext != "" && ext != ".jrnl" || !jrnlStart.Match(head) {
		return false
	}
	lines := bytes.Split(head, []byte("\n"))
	for i := 1; i < len(lines); i++ {
		if jrnlStart.Match(lines[i]) && len(bytes.TrimSpace(lines[i-1])) > 0 {
			return false
		}
	}
	return true
}

var (
	jrnlStart = pattern.New(`^\[(\d{4}-\d\d-\d\d \d\d:\d\d(?::\d\d)?(?: [AP]M)?)\] (\S.*)`)
	jrnlTag   = pattern.New(`(?:^|\s)[@#]([\pL][\pL\pN_-]*)`)
)

// jrnlEntries reads entries with their tags. The first line is the title.
func jrnlEntries(text string) (all []jotting) {
	number := 0
	for line := range strings.Lines(text) {
		number++
		line = strings.TrimRight(line, "\r\n")
		if m := jrnlStart.FindStringSubmatch(line); m != nil {
			all = append(all, jotting{line: number, at: dates.Parse(m[1]), title: strings.TrimSuffix(m[2], " *")})
		}
		if n := len(all) - 1; n >= 0 {
			all[n].text += line + "\n"
			all[n].tags = append(all[n].tags, tagged(jrnlTag, line)...)
		}
	}
	return all
}
