package frontmatter

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/pelletier/go-toml/v2"
)

// tables are those whose names count as if they stood at the top, as Zola and Hugo have them.
var tables = []string{"taxonomies", "params", "extra"}

// tomlFields reads TOML. One that is not well-formed says nothing.
func tomlFields(text string) []Field {
	var values map[string]any
	if err := toml.Unmarshal([]byte(text), &values); err != nil {
		return nil
	}
	return dataFields(values)
}

// jsonObject reads an object that is the beginning of a text and says what notes say.
func jsonObject(text string) Matter {
	var values map[string]any
	d := json.NewDecoder(strings.NewReader(text))
	if err := d.Decode(&values); err != nil {
		return Matter{}
	}
	end := int(d.InputOffset())
	if line, _, _ := strings.Cut(text[end:], "\n"); strings.TrimSpace(line) != "" {
		return Matter{} // a sentence that begins with a brace
	}
	fields := dataFields(values)
	if !slices.ContainsFunc(fields, func(f Field) bool { return known[f.Name] }) {
		return Matter{}
	}
	return Matter{End: end, Fields: fields}
}

// dataFields returns the names of a table, and of the tables in it that belong to it, in the
// order of the alphabet, because maps have none.
func dataFields(values map[string]any) []Field {
	var fields []Field
	for _, name := range slices.Sorted(maps.Keys(values)) {
		if texts := textsOf(values[name]); texts != nil {
			fields = append(fields, Field{strings.ToLower(name), texts})
		}
	}
	for _, name := range tables {
		if inner, ok := values[name].(map[string]any); ok {
			for _, key := range slices.Sorted(maps.Keys(inner)) {
				if texts := textsOf(inner[key]); texts != nil {
					fields = append(fields, Field{strings.ToLower(key), texts})
				}
			}
		}
	}
	return fields
}

// textsOf returns a value as texts: a list has several, a table is its name.
func textsOf(value any) []string {
	switch v := value.(type) {
	case string:
		return []string{strings.TrimSpace(v)}
	case time.Time:
		return []string{v.Format(time.RFC3339)}
	case toml.LocalDate, toml.LocalDateTime, float64, int64:
		return []string{fmt.Sprint(v)}
	case []any:
		var out []string
		for _, each := range v {
			if _, isList := each.([]any); !isList {
				out = append(out, textsOf(each)...)
			}
		}
		return out
	case map[string]any:
		if name, ok := v["name"].(string); ok {
			return []string{strings.TrimSpace(name)}
		}
	}
	return nil
}
