package config

import (
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"

	"dowse/internal/spelt"
)

// Wrong says which settings of a file are unknown or have a value that they cannot have. Load
// gives the others nevertheless.
type Wrong struct {
	Path     string
	Problems []error // one at least; each says where
}

// mostProblems is how many are named in a row.
const mostProblems = 3

// Error implements error.
func (w *Wrong) Error() string {
	var parts []string
	for _, p := range w.Problems[:min(len(w.Problems), mostProblems)] {
		parts = append(parts, p.Error())
	}
	if more := len(w.Problems) - len(parts); more > 0 {
		parts = append(parts, fmt.Sprintf("and %d more", more))
	}
	return w.Path + ": " + strings.Join(parts, "; ")
}

// decode parses strictly. It returns what it understood, and what it did not.
func decode(data []byte) (file, []error) {
	var f file
	decoder := toml.NewDecoder(strings.NewReader(string(data))).DisallowUnknownFields()
	err := decoder.Decode(&f)
	var unknown *toml.StrictMissingError
	var bad *toml.DecodeError
	switch {
	case err == nil:
		return f, nil
	case errors.As(err, &unknown):
		var problems []error
		for _, e := range unknown.Errors {
			row, column := e.Position()
			problems = append(problems, fmt.Errorf("line %d, column %d: %s", row, column, unknownText(e.Key())))
		}
		return f, problems
	case errors.As(err, &bad):
		row, column := bad.Position()
		return file{}, []error{fmt.Errorf("line %d, column %d: %s", row, column, badText(bad))}
	}
	return file{}, []error{err}
}

// anyPath stands for the name of a folder in the names of settings.
const anyPath = "\"PATH\""

// settings are all that a file may hold, by name, with their types.
var settings = settingsOf(reflect.TypeFor[file](), "", map[string]reflect.Type{})

func settingsOf(t reflect.Type, table string, all map[string]reflect.Type) map[string]reflect.Type {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch t.Kind() {
	case reflect.Struct:
		for field := range t.Fields() {
			name := field.Tag.Get("toml")
			if field.Anonymous {
				settingsOf(field.Type, table, all)
			} else {
				settingsOf(field.Type, joined(table, name), all)
			}
		}
	case reflect.Map:
		settingsOf(t.Elem(), joined(table, anyPath), all)
	default:
		all[table] = t
	}
	return all
}

func joined(table, name string) string {
	if table == "" {
		return name
	}
	return table + "." + name
}

// known names the setting of a key: folders are alike.
func known(key []string) string {
	key = slices.Clone(key)
	for at, tables := range [][]string{{"folders"}, {"extract", "encoding"}} {
		if n := at + 1; len(key) > n && slices.Equal(key[:n], tables) {
			key[n] = anyPath
		}
	}
	if len(key) == 2 && (key[0] == "keys" || key[0] == "hosts") {
		key[1] = anyPath
	}
	return strings.Join(key, ".")
}

// unknownText says of a key that there is no such setting, and which one may be meant: one of
// its table, if there is that, or else one of all.
func unknownText(key []string) string {
	text := fmt.Sprintf("unknown setting %q", strings.Join(key, "."))
	name := known(key)
	table, last := "", name
	if at := strings.LastIndexByte(name, '.'); at >= 0 {
		table, last = name[:at+1], name[at+1:]
	}
	var all, own []string
	for _, n := range slices.Sorted(maps.Keys(settings)) {
		all = append(all, n)
		if of, _, is := strings.Cut(n, "."); is {
			all = append(all, of)
		}
		if rest, is := strings.CutPrefix(n, table); is && table != "" && !strings.Contains(rest, ".") {
			own = append(own, rest)
		}
	}
	near := ""
	switch {
	case len(own) > 0:
		if near = spelt.Nearest(last, own); near == "" {
			return fmt.Sprintf("%s; %s has %s", text, strings.TrimSuffix(table, "."), strings.Join(own, ", "))
		}
		near = table + near
	case slices.ContainsFunc(all, func(n string) bool { return strings.HasSuffix(n, "."+name) }): // its table is missing
		near = all[slices.IndexFunc(all, func(n string) bool { return strings.HasSuffix(n, "."+name) })]
	default:
		near = spelt.Nearest(name, all)
	}
	if near != "" {
		text += "; did you mean " + near + "?"
	}
	return text
}

// badText says what is wrong in words that know nothing of Go.
func badText(err *toml.DecodeError) string {
	t, is := settings[known(err.Key())]
	if !is || !strings.Contains(err.Error(), "cannot decode") {
		return strings.TrimPrefix(err.Error(), "toml: ")
	}
	want := "a text in quotes"
	switch t.Kind() {
	case reflect.Int, reflect.Float64:
		want = "a number"
	case reflect.Bool:
		want = "true or false"
	case reflect.Slice:
		want = "a list of texts, such as [\"describe\", \"{}\"]"
	}
	return fmt.Sprintf("%s: want %s", strings.Join(err.Key(), "."), want)
}

// place says where the setting stands that a message begins with, or else its table.
func place(data []byte, message string) string {
	var p unstable.Parser
	p.Reset(data)
	var table []string
	best, where := "", ""
	for p.NextExpression() {
		e := p.Expression()
		var key []string
		var at unstable.Range
		for it := e.Key(); it.Next(); {
			if at == (unstable.Range{}) {
				at = it.Node().Raw
			}
			key = append(key, string(it.Node().Data))
		}
		switch e.Kind {
		case unstable.Table:
			table = key
		case unstable.KeyValue:
			key = append(slices.Clone(table), key...)
		default:
			continue
		}
		if name := strings.Join(key, "."); len(name) > len(best) && begins(message, name) {
			start := p.Shape(at).Start
			best, where = name, fmt.Sprintf("line %d, column %d: ", start.Line, start.Column)
		}
	}
	return where
}

// begins reports whether a message is about a setting, or one of a table.
func begins(message, name string) bool {
	rest, is := strings.CutPrefix(strings.ReplaceAll(message, "\"", ""), name)
	return is && rest != "" && strings.ContainsRune(" :.,", rune(rest[0]))
}
