package office

import (
	"context"
	"strings"

	"dowse/indexer/document"
	"dowse/indexer/extract/htmltext"
)

// maxFields is how many things are said of one place of a map.
const maxFields = 50

// readKML reads the places of a map: folders as headings, each place a row of what is said of it.
func readKML(ctx context.Context, in *document.Input) (*document.Document, error) {
	r := kmlReader{b: in.Builder()}
	if err := readXML(ctx, in, in.Data, &r); err != nil {
		return nil, err
	}
	return r.b.Document("kml", document.Meta{Title: r.title}), nil
}

// kmlReader reads KML.
type kmlReader struct {
	b           *document.Builder
	title       string
	folders     int // open documents and folders
	inPlace     bool
	inData      string // the name of the value that comes next
	inTag       string
	chars       strings.Builder
	names       []string // of what is said of the place
	values      []string
	description string
}

// kmlFields are the elements whose text a person reads, by what they are called.
var kmlFields = map[string]string{
	"name": "", "description": "", "snippet": "", "address": "Address", "phoneNumber": "Phone", "when": "When", "begin": "Begin", "end": "End",
	"value": "", "SimpleData": "",
}

func (k *kmlReader) start(e element) (skip bool) {
	switch e.name {
	case "Style", "StyleMap", "LookAt", "Camera", "coordinates", "Icon", "Schema", "NetworkLink":
		return true
	case "Document", "Folder":
		k.folders++
	case "Placemark", "GroundOverlay", "PhotoOverlay":
		k.inPlace = true
		k.names, k.values, k.description = nil, nil, ""
	case "Data", "SimpleData":
		k.inData = e.attribute("name")
	}
	k.inTag = ""
	if _, said := kmlFields[e.name]; said {
		k.inTag = e.name
		k.chars.Reset()
	}
	return false
}

func (k *kmlReader) text(s string) {
	if k.inTag != "" {
		k.chars.WriteString(s)
	}
}

func (k *kmlReader) end(name string) {
	switch name {
	case "Document", "Folder":
		k.folders = max(k.folders-1, 0)
	case "Placemark", "GroundOverlay", "PhotoOverlay":
		k.place()
	case k.inTag:
		k.field(name)
	}
	k.inTag = ""
}

// field takes what an element says.
func (k *kmlReader) field(name string) {
	text := strings.TrimSpace(k.chars.String())
	if strings.Contains(text, "<") && (name == "description" || name == "value" || name == "snippet") {
		text, _ = htmltext.Read(text)
	}
	if text == "" {
		return
	}
	switch {
	case !k.inPlace && name == "name":
		if k.title == "" {
			k.title = text
		}
		k.b.Heading(k.folders, text)
	case !k.inPlace:
		k.b.Paragraph(text)
	case name == "description":
		k.description = text
	case len(k.names) < maxFields:
		called := kmlFields[name]
		if name == "value" || name == "SimpleData" {
			called = k.inData
		}
		k.names, k.values = append(k.names, called), append(k.values, text)
	}
}

// place writes the place that has ended. A long description is a text of its own.
func (k *kmlReader) place() {
	if len(k.description) > maxLayoutCell {
		k.b.Row(k.names, k.values)
		k.b.Paragraph(k.description)
	} else {
		k.b.Row(append(k.names, ""), append(k.values, k.description))
	}
	k.inPlace, k.names, k.values, k.description = false, nil, nil, ""
}
