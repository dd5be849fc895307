package frontmatter

import (
	"strings"

	"dowse/internal/pattern"
)

// titleBlock reads the title block of pandoc: up to three fields, each behind a percent sign,
// that go on in lines with a blank before them. They are the title, the authors and the date.
func titleBlock(text string) Matter {
	names := []string{"title", "authors", "date"}
	var fields []string
	at := 0
	for line := range strings.Lines(text) {
		body := strings.TrimRight(line, " \t\r\n")
		switch rest, marked := strings.CutPrefix(body, "%"); {
		case marked && len(fields) < len(names) && (rest == "" || rest[0] == ' '):
			fields = append(fields, strings.TrimSpace(rest))
		case !marked && body != "" && strings.HasPrefix(body, " ") && len(fields) > 0:
			between := " "
			if len(fields) == 2 { // an author a line
				between = ";"
			}
			fields[len(fields)-1] += between + strings.TrimSpace(body)
		default:
			return blockOf(text, at, names, fields)
		}
		at += len(line)
	}
	return blockOf(text, at, names, fields)
}

// blockOf gives the fields of a title block their names.
func blockOf(text string, end int, names, values []string) Matter {
	m := Matter{End: len(strings.TrimRight(text[:end], "\r\n"))}
	for i, value := range values {
		each := []string{value}
		if names[i] == "authors" {
			each = divided(value, ";")
		}
		if value != "" {
			m.Fields = append(m.Fields, Field{names[i], each})
		}
	}
	return m
}

// known are the names by which a block of names and values is known to be one.
var known = map[string]bool{
	"title": true, "author": true, "authors": true, "date": true, "tags": true, "keywords": true, "category": true, "categories": true, "slug": true,
	"created": true, "modified": true, "subtitle": true, "status": true, "summary": true, "layout": true, "draft": true, "lang": true,
}

// keyValue is a line of such a block.
var keyValue = pattern.New(`^([A-Za-z][A-Za-z0-9_-]*(?: [A-Za-z0-9_-]+){0,2}):(?:[ \t]+(\S.*))?$`)

// keyValues reads the lines of names and values at the very beginning, up to a blank line: the
// first name is a known one, and so is another, or it is the title. Each line has that shape, or
// goes on with the value of the one before, further in.
func keyValues(text string) Matter {
	var fields []Field
	at, knownNames := 0, 0
	for line := range strings.Lines(text) {
		body := strings.TrimRight(line, " \t\r\n")
		if body == "" || body == "---" && at > 0 {
			break
		}
		found := keyValue.FindStringSubmatch(body)
		switch {
		case found != nil:
			name := strings.ToLower(found[1])
			if known[name] {
				knownNames++
			}
			fields = append(fields, Field{name, []string{found[2]}})
		case len(fields) > 0 && (body[0] == ' ' || body[0] == '\t'):
			values := fields[len(fields)-1].Values
			values[0] = strings.TrimSpace(values[0] + " " + strings.TrimSpace(body))
		default:
			return Matter{}
		}
		if !known[fields[0].Name] {
			return Matter{}
		}
		at += len(line)
	}
	if at >= maxBytes-1 || knownNames == 0 || knownNames == 1 && fields[0].Name != "title" {
		return Matter{}
	}
	for i, f := range fields {
		switch {
		case f.Name == "title":
		case strings.Contains(f.Values[0], ";"):
			fields[i].Values = divided(f.Values[0], ";")
		case f.Name == "authors":
			fields[i].Values = divided(f.Values[0], ",")
		}
	}
	return Matter{End: len(strings.TrimRight(text[:at], "\r\n")), Fields: fields}
}

// divided returns what stands between marks, without blanks around it.
func divided(value, mark string) []string {
	var out []string
	for part := range strings.SplitSeq(value, mark) {
		if part = strings.TrimSpace(part); part != "" {
			out = append(out, part)
		}
	}
	return out
}
