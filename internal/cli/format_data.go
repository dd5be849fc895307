package cli

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"reflect"
	"strings"

	"dowse/engine"
	"dowse/internal/reply"
)

// passageFields are the keys of a passage in JSON.
func passageFields() []string { return fieldsOf(reflect.TypeFor[engine.Passage]()) }

func fieldsOf(t reflect.Type) (names []string) {
	for field := range t.Fields() {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		switch {
		case field.Anonymous && name == "":
			names = append(names, fieldsOf(field.Type)...)
		case name != "-":
			names = append(names, name)
		}
	}
	return names
}

// objectText is one JSON object of all that was found.
func (o *outputFlags) objectText(f found, passages []engine.Passage, left rest) (string, error) {
	keepBytes(passages)
	object := f.object(passages, left)
	if len(o.fields) > 0 {
		whole, err := o.narrowed(object, passages)
		if err != nil {
			return "", err
		}
		object = whole
	}
	var out strings.Builder
	err := writeJSON(&out, object)
	return out.String(), err
}

// narrowed is an object whose results have the chosen fields alone.
func (o *outputFlags) narrowed(object any, passages []engine.Passage) (json.RawMessage, error) {
	results := make([]json.RawMessage, len(passages))
	for i := range passages {
		var err error
		if results[i], err = o.chosen(&passages[i]); err != nil {
			return nil, err
		}
	}
	text, err := reply.JSON(object)
	if err != nil {
		return nil, err
	}
	var values map[string]json.RawMessage
	if err := json.Unmarshal(text, &values); err != nil {
		return nil, err
	}
	if values["results"], err = reply.JSON(results); err != nil {
		return nil, err
	}
	return reply.JSON(values)
}

// linesText is a JSON object a passage, each on a line.
func (o *outputFlags) linesText(passages []engine.Passage) (string, error) {
	keepBytes(passages)
	var out strings.Builder
	for i := range passages {
		object, err := o.chosen(&passages[i])
		if err != nil {
			return "", err
		}
		out.WriteString(safeJSON(object) + "\n")
	}
	return out.String(), nil
}

// chosen is the JSON of a passage, with the chosen fields in their order.
func (o *outputFlags) chosen(p *engine.Passage) (json.RawMessage, error) {
	whole, err := reply.JSON(p)
	if err != nil || len(o.fields) == 0 {
		return whole, err
	}
	var values map[string]json.RawMessage
	if err := json.Unmarshal(whole, &values); err != nil {
		return nil, err
	}
	var b bytes.Buffer
	for _, field := range o.fields {
		if value, ok := values[field]; ok {
			b.WriteString(`,"` + field + `":`)
			b.Write(value)
		}
	}
	return []byte("{" + strings.TrimPrefix(b.String(), ",") + "}"), nil
}

// csvFields are those of a table unless others were chosen.
var csvFields = []string{"rank", "path", "line_start", "line_end", "place", "heading", "date", "score", "relevant", "text"}

// csvText is a table with the names of its columns above, by RFC 4180 but with plain line ends.
func (o *outputFlags) csvText(passages []engine.Passage) (string, error) {
	fields := o.fields
	if len(fields) == 0 {
		fields = csvFields
	}
	var out strings.Builder
	w := csv.NewWriter(&out)
	rows := [][]string{fields}
	for i := range passages {
		whole, err := reply.JSON(&passages[i])
		if err != nil {
			return "", err
		}
		var values map[string]any
		decoder := json.NewDecoder(bytes.NewReader(whole))
		decoder.UseNumber()
		if err := decoder.Decode(&values); err != nil {
			return "", err
		}
		values["path"] = passages[i].Path // the bytes that open it
		row := make([]string, len(fields))
		for c, field := range fields {
			row[c] = cell(values[field])
		}
		rows = append(rows, row)
	}
	err := w.WriteAll(rows)
	return out.String(), err
}

// cell is a value in a table: what a list has behind semicolons, of a place its label.
func cell(value any) string {
	switch v := value.(type) {
	case nil:
		return ""
	case string:
		return v
	case []any:
		parts := make([]string, len(v))
		for i, part := range v {
			parts[i] = cell(part)
		}
		return strings.Join(parts, "; ")
	case map[string]any:
		if label, ok := v["label"].(string); ok {
			return label
		}
	}
	text, err := json.Marshal(value)
	if err != nil {
		return "" // it was decoded from JSON
	}
	return string(text)
}
