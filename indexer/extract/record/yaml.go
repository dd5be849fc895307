package record

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"

	"dowse/indexer/document"

	"go.yaml.in/yaml/v3"
)

const (
	// maxYAML is the size above which a file stays code: its tree takes some fifty times that.
	maxYAML = 4 << 20
	// What tells data from a configuration: the keys of records are the same ones.
	leastRecords = 2
	commonShare  = 0.5 // of the records that have a key which is common
	alikeShare   = 0.6 // of all values that stand under common keys
	mostNesting  = 2   // mappings within a record
)

// isYAML reports whether a file named as YAML may hold records: a list begins in its first lines.
func isYAML(name string, head []byte) bool {
	ext := document.Extension(name)
	return (ext == "yaml" || ext == "yml") && (bytes.HasPrefix(head, []byte("- ")) || bytes.Contains(head, []byte("\n- ")) || bytes.Contains(head, []byte(" - ")))
}

// readYAML reads a list of mappings, or a mapping of which nearly all is one list of them, a
// record each. The error is document.ErrOther for everything else.
func readYAML(ctx context.Context, in *document.Input) (*document.Document, error) {
	if len(in.Data) > maxYAML {
		return nil, document.ErrOther
	}
	text, err := in.Text(ctx, in.Data)
	if err != nil {
		return nil, err
	}
	d := yaml.NewDecoder(strings.NewReader(text))
	var root, more yaml.Node
	if err := d.Decode(&root); err != nil || len(root.Content) != 1 {
		return nil, document.ErrOther
	}
	if err := d.Decode(&more); !errors.Is(err, io.EOF) { // several documents are manifests, most often
		return nil, document.ErrOther
	}
	list, rest := root.Content[0], (*yaml.Node)(nil)
	if list.Kind == yaml.MappingNode {
		rest, list = list, largest(list, 1+strings.Count(text, "\n"))
	}
	if list == nil || !areRecords(list) {
		return nil, document.ErrOther
	}
	y := yamlWriter{w: newWriter(in, text), starts: lineStarts(text)}
	y.cell("", root.HeadComment)
	if rest != nil {
		y.mapping(rest, "", list)
	}
	y.cell("", list.HeadComment)
	y.record(0, document.Part{})
	for i, item := range list.Content {
		y.cell("", item.HeadComment)
		y.mapping(item, "", nil)
		y.cell("", item.FootComment)
		y.record(item.Line, document.Part{Unit: document.Record, Number: i + 1})
	}
	y.cell("", list.FootComment)
	y.cell("", root.FootComment)
	y.record(list.Line, document.Part{})
	return y.w.document("yaml"), nil
}

// largest returns the list that takes most of a mapping's lines; nil where none does.
func largest(m *yaml.Node, lines int) *yaml.Node {
	for i := 1; i < len(m.Content); i += 2 {
		v, end := m.Content[i], lines+1
		if i+1 < len(m.Content) {
			end = m.Content[i+1].Line
		}
		if v.Kind == yaml.SequenceNode && float64(end-v.Line) >= wrappedShare*float64(lines) {
			return v
		}
	}
	return nil
}

// areRecords reports whether a list is of mappings that have mostly the same keys, and little
// within them. Steps of a build and tasks of a playbook are not.
func areRecords(list *yaml.Node) bool {
	if list.Kind != yaml.SequenceNode || len(list.Content) < leastRecords {
		return false
	}
	count, all := map[string]int{}, 0
	for _, item := range list.Content {
		if item.Kind != yaml.MappingNode || !isFlat(item, 0) {
			return false
		}
		for i := 0; i < len(item.Content); i += 2 {
			count[item.Content[i].Value]++
			all++
		}
	}
	common := 0
	for _, n := range count {
		if float64(n) >= commonShare*float64(len(list.Content)) {
			common += n
		}
	}
	return all > 0 && float64(common) >= alikeShare*float64(all)
}

// isFlat reports whether mappings within a record lie at most mostNesting deep, and none in a list.
func isFlat(n *yaml.Node, depth int) bool {
	if depth > mostNesting {
		return false
	}
	for _, c := range n.Content {
		switch {
		case c.Kind == yaml.MappingNode && (n.Kind == yaml.SequenceNode || !isFlat(c, depth+1)),
			c.Kind == yaml.SequenceNode && (n.Kind == yaml.SequenceNode || !isFlat(c, depth+1)):
			return false
		}
	}
	return true
}

// yamlWriter gathers the cells of a record.
type yamlWriter struct {
	w            *writer
	starts       []int // offsets of lines
	names, cells []string
}

// cell takes a value, or a comment without its marks.
func (y *yamlWriter) cell(name, value string) {
	if name == "" && strings.HasPrefix(value, "#") {
		lines := strings.Split(value, "\n")
		for i := range lines {
			lines[i] = strings.TrimLeft(lines[i], "# \t")
		}
		value = strings.Join(lines, " ")
	}
	if value != "" {
		y.names, y.cells = append(y.names, name), append(y.cells, value)
	}
}

// mapping takes the values of a mapping but for one, under their path.
func (y *yamlWriter) mapping(m *yaml.Node, path string, but *yaml.Node) {
	for i := 0; i+1 < len(m.Content); i += 2 {
		key, v := m.Content[i], m.Content[i+1]
		y.cell("", key.HeadComment)
		if v != but {
			y.value(path+key.Value, v)
		}
		y.cell("", key.LineComment)
		y.cell("", key.FootComment)
	}
}

// value takes a value of any kind. An alias is named: what it stands for stands where its anchor is.
func (y *yamlWriter) value(name string, v *yaml.Node) {
	y.cell("", v.HeadComment)
	switch v.Kind {
	case yaml.MappingNode:
		y.mapping(v, name+".", nil)
	case yaml.SequenceNode:
		for _, item := range v.Content {
			y.value(name, item)
		}
	case yaml.AliasNode:
		if v.Alias != nil && v.Alias.Kind == yaml.ScalarNode {
			y.cell(name, v.Alias.Value)
		} else {
			y.cell(name, "*"+v.Value)
		}
	default:
		if v.Tag != "!!null" {
			y.cell(name, v.Value)
		}
	}
	y.cell("", v.LineComment)
	y.cell("", v.FootComment)
}

// record writes what was gathered, as what begins on a line.
func (y *yamlWriter) record(line int, part document.Part) {
	if len(y.cells) > 0 {
		offset := 0
		if line > 0 && line <= len(y.starts) {
			offset = y.starts[line-1]
		}
		y.w.data(offset, part, y.names, y.cells)
	}
	y.names, y.cells = nil, nil
}

// lineStarts returns where lines begin.
func lineStarts(text string) []int {
	starts := []int{0}
	for i := range len(text) {
		if text[i] == '\n' {
			starts = append(starts, i+1)
		}
	}
	return starts
}
