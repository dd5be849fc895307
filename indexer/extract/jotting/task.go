package jotting

import (
	"bytes"
	"slices"
	"strings"

	"dowse/indexer/extract/dates"
	"dowse/internal/pattern"
)

// isTodo reports whether a file is a list by the rules of todo.txt.
func isTodo(name string, head []byte) bool {
	return (name == "todo.txt" || name == "done.txt") && todoSign.Match(head)
}

var (
	// todoSign is what a list of todo.txt has and another one has not.
	todoSign = pattern.New(`(?m)^x \d{4}-\d\d-\d\d |^\([A-Z]\) |(?:^|\s)[+@][\pL\pN]`)
	todoLine = pattern.New(`^(x )?(\([A-Z]\) )?(\d{4}-\d\d-\d\d )?(\d{4}-\d\d-\d\d )?(.*)$`)
	todoTag  = pattern.New(`(?:^|\s)[+@]([\pL\pN][^\s]*)`)
)

// todos reads a task from each line: of when it was done or made, with its projects and contexts as tags.
func todos(text string) (all []jotting) {
	number := 0
	for line := range strings.Lines(text) {
		number++
		m := todoLine.FindStringSubmatch(strings.TrimSpace(line))
		if m == nil || m[5] == "" {
			continue
		}
		all = append(all, jotting{line: number, at: dates.Parse(m[3]), title: strings.TrimSpace(todoTag.ReplaceAllString(m[5], "")),
			tags: tagged(todoTag, m[5]), text: mark(m[1] != "") + m[2] + m[5]})
	}
	return all
}

// mark begins a task, as in Markdown.
func mark(done bool) string {
	if done {
		return "[x] "
	}
	return "[ ] "
}

// tagged returns what an expression finds, each once.
func tagged(expression *pattern.Pattern, text string) (tags []string) {
	for _, m := range expression.FindAllStringSubmatch(text, -1) {
		if tag := strings.TrimRight(m[1], ".,;:!?"); !slices.Contains(tags, tag) {
			tags = append(tags, tag)
		}
	}
	return tags
}

// isTaskwarrior reports whether a file holds tasks of Taskwarrior 2.
func isTaskwarrior(name string, head []byte) bool {
	return (name == "pending.data" || name == "completed.data") && bytes.HasPrefix(head, []byte("[")) && bytes.Contains(head, []byte(`uuid:"`))
}

// isTaskwarriorsOwn reports whether a file holds tasks of Taskwarrior 2 again.
func isTaskwarriorsOwn(name string, head []byte) bool {
	return name == "undo.data" && bytes.HasPrefix(head, []byte("time ")) || name == "backlog.data" && bytes.HasPrefix(head, []byte("{")) && bytes.Contains(head, []byte(`"uuid"`))
}

var (
	taskField   = pattern.New(`([\w.]+):"((?:[^"\\]|\\.)*)"`)
	taskEscapes = strings.NewReplacer(`\"`, `"`, `\/`, "/", `\n`, "\n", `\t`, " ", `\\`, `\`, "&open;", "[", "&close;", "]", "&dquot;", `"`)
)

// taskwarrior reads a task from each line, of when it was made, with its project as a tag.
func taskwarrior(text string) (all []jotting) {
	number := 0
	for line := range strings.Lines(text) {
		number++
		fields, notes := map[string]string{}, []string{}
		for _, m := range taskField.FindAllStringSubmatch(line, -1) {
			value := taskEscapes.Replace(m[2])
			if fields[m[1]] = value; strings.HasPrefix(m[1], "annotation_") {
				notes = append(notes, value)
			}
		}
		if fields["description"] == "" || fields["status"] == "deleted" {
			continue
		}
		j := jotting{line: number, at: since1970(fields["entry"]), title: fields["description"], text: mark(fields["status"] == "completed") + strings.Join(append([]string{fields["description"]}, notes...), "; ")}
		for tag := range strings.SplitSeq(fields["tags"]+","+fields["project"], ",") {
			if tag != "" {
				j.tags = append(j.tags, tag)
			}
		}
		if due := since1970(fields["due"]); !due.IsZero() {
			j.text += " (due " + due.Format("2006-01-02") + ")"
		}
		all = append(all, j)
	}
	return all
}
