package config

import (
	_ "embed" // settings.toml
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

// template is a file with all settings at their defaults, with what they mean.
//
//go:embed settings.toml
var template []byte

// Setting is what is in force of a setting.
type Setting struct {
	Key   string `json:"key"`
	Value any    `json:"value"`
	Line  int    `json:"line,omitempty"`  // of the file; 0 for a default
	Wrong string `json:"wrong,omitempty"` // why the file's value is not in force
}

// InForce lists what is in force of all settings by the file at path: those of the file first in its order, then
// defaults. threads and memory are what the machine has in their place.
func InForce(path string, defaults map[string]any) ([]Setting, error) {
	data, f, problems, err := read(path)
	if err != nil {
		return nil, err
	}
	wrong := wrongKeys(data, f, problems)
	var all []Setting
	said := map[string]bool{}
	for _, s := range stretches(data) {
		if s.head {
			continue
		}
		key := strings.Join(s.key, ".")
		said[key] = true
		all = append(all, Setting{Key: key, Value: valueOf(data[s.start:s.end]), Line: lineAt(data, s.start), Wrong: wrong[key]})
	}
	for _, s := range stretches(template) {
		key := strings.Join(s.key, ".")
		if s.head || said[key] || isExample(s.key) {
			continue
		}
		value, is := defaults[key]
		if !is {
			value = valueOf(template[s.start:s.end])
		}
		all = append(all, Setting{Key: key, Value: value})
	}
	return all, nil
}

// Commented returns a file with all settings: those of the file at path as it has them, with the line that they come
// from, the others as comments with their defaults.
func Commented(path string, defaults map[string]any) (string, error) {
	data, f, problems, err := read(path)
	if err != nil {
		return "", err
	}
	wrong, byKey := wrongKeys(data, f, problems), map[string]stretch{}
	var own []stretch // of folders
	for _, s := range stretches(data) {
		if isExample(s.key) {
			own = append(own, s)
		} else if !s.head {
			byKey[strings.Join(s.key, ".")] = s
		}
	}
	var out strings.Builder
	from := 0
	for _, s := range stretches(template) {
		out.Write(template[from:s.start])
		from = s.end
		line := string(template[s.start:s.end])
		key := strings.Join(s.key, ".")
		set, is := byKey[key]
		switch {
		case isExample(s.key):
			out.WriteString("#" + line)
		case s.head:
			out.WriteString(line)
		case is:
			writeSet(&out, data, set, wrong[key])
		default:
			if value, is := defaults[key]; is {
				if written, err := lineOf(s.key[len(s.key)-1], value); err == nil {
					line = written + "\n"
				}
			}
			out.WriteString("#" + line)
		}
	}
	for _, s := range own {
		if s.head {
			out.WriteString("\n" + string(data[s.start:s.end]))
		} else {
			writeSet(&out, data, s, wrong[strings.Join(s.key, ".")])
		}
	}
	for _, p := range problems {
		fmt.Fprintf(&out, "# wrong: %v\n", p)
	}
	return out.String(), nil
}

// Keys are the names of all settings, but for those of folders.
func Keys() (keys []string) {
	for _, s := range stretches(template) {
		if !s.head && !isExample(s.key) {
			keys = append(keys, strings.Join(s.key, "."))
		}
	}
	return keys
}

// writeSet writes a setting as a file has it, and where it comes from.
func writeSet(out *strings.Builder, data []byte, s stretch, wrong string) {
	why := fmt.Sprintf("# line %d", lineAt(data, s.start))
	if wrong != "" {
		why += ", not in force: " + wrong
	}
	fmt.Fprintf(out, "%s\n%s\n", why, strings.TrimRight(string(data[s.start:s.end]), "\r\n"))
}

// read reads a file of settings; one that is not there is empty.
func read(path string) (data []byte, f file, problems []error, err error) {
	data, err = os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, f, nil, fmt.Errorf("cannot read the settings: %w", err)
	}
	if f, problems = decode(data); len(problems) > 0 {
		var any map[string]any
		if toml.Unmarshal(data, &any) != nil {
			return nil, f, problems, &Wrong{Path: path, Problems: problems} // it is no TOML
		}
	}
	return data, f, problems, nil
}

// wrongKeys says of settings that have a value which they cannot have, or that there are none of, why.
func wrongKeys(data []byte, f file, problems []error) map[string]string {
	wrong := map[string]string{}
	c := Default()
	all := slices.Concat(problems, c.apply(f))
	for _, s := range stretches(data) {
		key := strings.Join(s.key, ".")
		for _, p := range all {
			if text := p.Error(); begins(text, key) || strings.Contains(text, fmt.Sprintf("unknown setting %q", key)) {
				wrong[key] = text
			}
		}
	}
	return wrong
}

// isExample reports whether a key is of a table whose names are a person's.
func isExample(key []string) bool {
	return len(key) > 1 && (key[0] == "folders" || key[0] == "keys" || key[0] == "hosts") || len(key) > 2 && key[0] == "extract" && key[1] == "encoding"
}

// valueOf is the value of a line.
func valueOf(line []byte) any {
	var any map[string]any
	if toml.Unmarshal(line, &any) != nil {
		return nil
	}
	for {
		for _, v := range any {
			next, is := v.(map[string]interface{})
			if !is {
				return v
			}
			any = next
		}
	}
}

// lineAt is the number of the line that begins at a byte.
func lineAt(data []byte, at int) int { return strings.Count(string(data[:at]), "\n") + 1 }

// Set writes a setting as it is typed into the file at path; typed nil takes it back. A key that there is none of
// names the nearest.
func Set(path, key string, typed *string) error {
	parts, err := keyParts(key)
	if err != nil {
		return err
	}
	t, is := settings[known(parts)]
	if !is {
		return errors.New(unknownText(parts))
	}
	a := assignment{key: parts}
	if typed != nil {
		if a.value, err = typedValue(key, *typed, t); err != nil {
			return err
		}
	}
	return change(path, func(f file) ([]assignment, error) {
		if parts[0] == "folders" && len(parts) > 1 {
			if path, err := folderPath("folders", parts[1]); err == nil {
				parts[1] = f.tableOf(path)
			}
		}
		return []assignment{a}, nil
	})
}
