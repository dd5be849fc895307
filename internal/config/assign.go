package config

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
)

// assignment gives a setting a value; nil takes back what the file says of it, or of all of a table.
type assignment struct {
	key   []string
	value any
}

// splitKey splits the name of a setting at its dots, none of which is in quotes.
func splitKey(name string) []string { return strings.Split(name, ".") }

// stretch is a range of bytes of a file that holds an expression, from the beginning of its line to the end of its last.
type stretch struct {
	key        []string // whole
	head       bool     // of a table
	start, end int
}

// stretches lists the expressions of a file that was decoded.
func stretches(data []byte) (all []stretch) {
	var p unstable.Parser
	p.Reset(data)
	var table []string
	for p.NextExpression() {
		e := p.Expression()
		if e.Kind != unstable.Table && e.Kind != unstable.KeyValue {
			continue
		}
		var key []string
		at := -1
		for it := e.Key(); it.Next(); {
			if at < 0 {
				at = int(it.Node().Raw.Offset)
			}
			key = append(key, string(it.Node().Data))
		}
		s := stretch{key: key, head: e.Kind == unstable.Table, start: bytes.LastIndexByte(data[:at], '\n') + 1}
		if s.head {
			table = key
		} else {
			s.key = append(slices.Clone(table), key...)
		}
		s.end = endOf(data, s.start)
		all = append(all, s)
	}
	return all
}

// endOf returns where the expression ends that begins at a line: a list may run over several.
func endOf(data []byte, start int) int {
	for end := start; ; {
		next := bytes.IndexByte(data[end:], '\n')
		if next < 0 {
			return len(data)
		}
		end += next + 1
		var any map[string]any
		if toml.Unmarshal(data[start:end], &any) == nil {
			return end
		}
	}
}

// assign puts an assignment into the text of a file.
func assign(data []byte, a assignment) ([]byte, error) {
	all := stretches(data)
	if a.value == nil {
		return taken(data, all, a.key), nil
	}
	table, last := a.key[:len(a.key)-1], a.key[len(a.key)-1]
	line, err := lineOf(last, a.value)
	if err != nil {
		return nil, err
	}
	if n := slices.IndexFunc(all, func(s stretch) bool { return !s.head && slices.Equal(s.key, a.key) }); n >= 0 {
		s := all[n]
		name, _, _ := strings.Cut(string(data[s.start:s.end]), "=") // as it is written there
		line = strings.TrimRight(name, " \t") + " =" + after(line, " =") + commentOf(data[s.start:s.end])
		return spliced(data, s.start, s.end, line+"\n"), nil
	}
	at, found := 0, len(table) == 0
	for _, s := range all {
		of := s.key
		if !s.head {
			of = s.key[:len(s.key)-1]
		}
		if slices.Equal(of, table) && (s.head || len(table) == 0 || found) {
			at, found = s.end, true
		}
	}
	switch {
	case found:
		if at > 0 && data[at-1] != '\n' {
			line = "\n" + line
		}
		return spliced(data, at, at, line+"\n"), nil
	case len(data) > 0 && !bytes.HasSuffix(data, []byte("\n")):
		data = append(slices.Clip(data), '\n')
	}
	head, err := headOf(table)
	if err != nil {
		return nil, err
	}
	if len(data) > 0 {
		head = "\n" + head
	}
	return spliced(data, len(data), len(data), head+"\n"+line+"\n"), nil
}

// after is what comes behind the first of a text in a line.
func after(line, text string) string {
	_, rest, _ := strings.Cut(line, text)
	return rest
}

// taken is a file without what it says of a setting, or of a table with all in it.
func taken(data []byte, all []stretch, key []string) []byte {
	for i := len(all) - 1; i >= 0; i-- {
		s := all[i]
		if len(s.key) < len(key) || !slices.Equal(s.key[:len(key)], key) {
			continue
		}
		data = spliced(data, s.start, s.end, "")
	}
	return bytes.TrimLeft(data, "\n")
}

// spliced is a file with text in the place of a range of bytes.
func spliced(data []byte, from, to int, text string) []byte {
	return slices.Concat(data[:from], []byte(text), data[to:])
}

// lineOf writes a setting as a line.
func lineOf(name string, value any) (string, error) {
	out, err := toml.Marshal(map[string]any{name: value})
	if err != nil {
		return "", fmt.Errorf("%s cannot be written: %w", name, err)
	}
	line := strings.TrimSuffix(string(out), "\n")
	if !strings.Contains(line, " =") || strings.Contains(line, "\n") {
		return "", fmt.Errorf("%s = %v cannot be written in a line", name, value)
	}
	return line, nil
}

// headOf writes the head of a table.
func headOf(table []string) (string, error) {
	var parts []string
	for _, name := range table {
		line, err := lineOf(name, 0)
		if err != nil {
			return "", err
		}
		parts = append(parts, strings.TrimSuffix(line, " = 0"))
	}
	if len(parts) == 0 {
		return "", errors.New("a table without a name")
	}
	return "[" + strings.Join(parts, ".") + "]", nil
}

// commentOf returns the comment that ends a line, with the blanks before it; "" of none.
func commentOf(line []byte) string {
	line = bytes.TrimRight(line, "\r\n")
	for at, c := range line {
		var any map[string]any
		if c == '#' && toml.Unmarshal(line[:at], &any) == nil {
			for at > 0 && (line[at-1] == ' ' || line[at-1] == '\t') {
				at--
			}
			return string(line[at:])
		}
	}
	return ""
}
