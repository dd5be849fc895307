package frontmatter

import "strings"

// yamlFields reads the YAML that people write in notes, which is a key and a value, a list in
// brackets, or a list below the key. Words such as #garden in the text are no tags here:
// headings, issues, colours and code have them too, and who wants them finds them as words.
func yamlFields(text string) []Field {
	var fields []Field
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, " \t\r\n")
		body := strings.TrimLeft(line, " \t")
		switch name, value, found := strings.Cut(body, ":"); {
		case body == "" || body[0] == '#':
		case body == "-" || strings.HasPrefix(body, "- "):
			if last := len(fields) - 1; last >= 0 {
				fields[last].Values = append(fields[last].Values, scalar(body[1:]))
			}
		case found && body == line && !strings.ContainsAny(name, `"'{[`) && (value == "" || value[0] == ' ' || value[0] == '\t'):
			fields = append(fields, Field{strings.ToLower(name), list(value)})
		}
	}
	return fields
}

// list reads a value: one text, or several in brackets.
func list(value string) []string {
	value = strings.TrimSpace(value)
	inner, open := strings.CutPrefix(value, "[")
	inner, closed := strings.CutSuffix(inner, "]")
	if !open || !closed {
		if value = scalar(value); value == "" {
			return nil
		}
		return []string{value}
	}
	var values []string
	for _, part := range strings.Split(inner, ",") {
		values = append(values, scalar(part))
	}
	return values
}

// scalar takes quotation marks and a comment off a value.
func scalar(value string) string {
	value = strings.TrimSpace(value)
	for _, quote := range []string{`"`, "'"} {
		if inner, found := strings.CutPrefix(value, quote); found {
			if end := strings.Index(inner, quote); end >= 0 {
				return inner[:end]
			}
		}
	}
	if comment := strings.Index(value, " #"); comment >= 0 {
		value = strings.TrimSpace(value[:comment])
	}
	return value
}
