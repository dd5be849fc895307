package chat

import (
	"fmt"
	"math"
	"strings"
)

// toJSON writes a value as Python's json.dumps does without ensure_ascii. What
// holds something of a message counts as that as a whole.
func toJSON(_ *evaluator, in []value) (value, error) {
	w := jsonWriter{}
	switch indent := in[1].(type) {
	case missing, nil:
	case int64:
		if indent < 0 || indent > 16 {
			return nil, fmt.Errorf("an indent of %d", indent)
		}
		w.indented, w.indent = true, strings.Repeat(" ", int(indent))
	default:
		return nil, fmt.Errorf("%s as an indent", kindOf(in[1]))
	}
	if err := w.value(in[0], 0); err != nil {
		return nil, err
	}
	return segment(w.out.String(), w.foreign), nil
}

// jsonWriter collects the text.
type jsonWriter struct {
	out      strings.Builder
	indented bool
	indent   string
	foreign  bool // something of it came in with a message
}

func (w *jsonWriter) value(v value, depth int) error {
	if depth > maxDepth {
		return fmt.Errorf("a value nested deeper than %d", maxDepth)
	}
	if w.out.Len() > maxSteps*bytesOfStep {
		return fmt.Errorf("a string that is too long")
	}
	switch v := v.(type) {
	case nil:
		w.out.WriteString("null")
	case bool:
		fmt.Fprint(&w.out, v)
	case int64:
		fmt.Fprint(&w.out, v)
	case float64:
		if math.IsInf(v, 0) || math.IsNaN(v) {
			return fmt.Errorf("%g in JSON", v)
		}
		w.out.WriteString(showFloat(v))
	case text:
		w.text(v)
	case []value:
		return w.all("[", "]", len(v), depth, func(i int) error { return w.value(v[i], depth+1) })
	case *dict:
		return w.all("{", "}", len(v.keys), depth, func(i int) error {
			w.text(v.names[v.keys[i]])
			w.out.WriteString(": ")
			return w.value(v.values[v.keys[i]], depth+1)
		})
	default:
		return fmt.Errorf("%s in JSON", kindOf(v))
	}
	return nil
}

// all writes the elements of a list or a dictionary.
func (w *jsonWriter) all(open, end string, n, depth int, element func(i int) error) error {
	w.out.WriteString(open)
	for i := range n {
		if i > 0 {
			w.out.WriteByte(',')
			if !w.indented {
				w.out.WriteByte(' ')
			}
		}
		w.line(depth + 1)
		if err := element(i); err != nil {
			return err
		}
	}
	if n > 0 {
		w.line(depth)
	}
	w.out.WriteString(end)
	return nil
}

func (w *jsonWriter) line(depth int) {
	if w.indented {
		w.out.WriteString("\n" + strings.Repeat(w.indent, depth))
	}
}

// text writes a string in quotes.
func (w *jsonWriter) text(t text) {
	w.foreign = w.foreign || t.foreign()
	w.out.WriteByte('"')
	for _, r := range t.String() {
		if short, ok := shortEscapes[r]; ok {
			w.out.WriteString(short)
		} else if r < 0x20 {
			fmt.Fprintf(&w.out, "\\u%04x", r)
		} else {
			w.out.WriteRune(r)
		}
	}
	w.out.WriteByte('"')
}

var shortEscapes = map[rune]string{
	'"': `\"`, '\\': `\\`, '\n': `\n`, '\r': `\r`, '\t': `\t`, '\b': `\b`, '\f': `\f`,
}
