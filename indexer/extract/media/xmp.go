package media

import (
	"bytes"
	"encoding/xml"
	"strings"
	"time"
)

// spaces are the names of what a person says in XMP, by which prefixes are known again.
var spaces = map[string]string{
	"http://purl.org/dc/elements/1.1/":                     "dc",
	"http://ns.adobe.com/photoshop/1.0/":                   "photoshop",
	"http://iptc.org/std/Iptc4xmpCore/1.0/xmlns/":          "core",
	"http://iptc.org/std/Iptc4xmpExt/2008-02-29/":          "ext",
	"http://ns.adobe.com/exif/1.0/":                        "exif",
	"http://ns.adobe.com/xap/1.0/":                         "xmp",
	"http://www.w3.org/1999/02/22-rdf-syntax-ns#":          "rdf",
	"http://ns.microsoft.com/photo/1.2/":                   "microsoft",
	"http://ns.acdsee.com/iptc/1.0/":                       "acdsee",
	"http://www.digikam.org/ns/1.0/":                       "digikam",
	"http://ns.adobe.com/lightroom/1.0/":                   "lightroom",
	"http://ns.microsoft.com/photo/1.2/t/RegionInfo#":      "regions",
	"http://www.metadataworkinggroup.com/schemas/regions/": "mwg",
}

// maxXMPText is how long one value may be.
const maxXMPText = 1 << 20

// xmp follows a packet of XMP. How deep its elements are costs nothing: what is open is a
// property at most.
type xmp struct {
	w        *words
	prefixes map[string]string
	property string // that is open, "dc:title"; "" of none that is wanted
	within   int    // elements that are open in it
	text     strings.Builder
}

// readXMP takes the words out of a packet. A fault ends it, and the words before it stay.
func (w *words) readXMP(packet []byte) {
	if w.packets += len(packet); len(packet) == 0 || w.packets > maxPart {
		return
	}
	decoder := xml.NewDecoder(bytes.NewReader(packet))
	decoder.Strict = false
	x := &xmp{w: w, prefixes: map[string]string{"dc": "dc", "photoshop": "photoshop", "exif": "exif", "xmp": "xmp", "rdf": "rdf"}}
	for {
		token, err := decoder.RawToken()
		if err != nil {
			return
		}
		switch t := token.(type) {
		case xml.StartElement:
			x.start(t)
		case xml.CharData:
			if x.property != "" && x.text.Len()+len(t) <= maxXMPText {
				x.text.Write(t)
			}
		case xml.EndElement:
			x.end()
		}
	}
}

func (x *xmp) start(t xml.StartElement) {
	for _, a := range t.Attr {
		if short, known := spaces[a.Value]; known && a.Name.Space == "xmlns" && len(x.prefixes) < 100 {
			x.prefixes[a.Name.Local] = short
		}
	}
	if x.property != "" {
		x.within++
		if t.Name.Local == "li" {
			x.flush() // what stood before the first item is white space
		}
		return
	}
	if name := x.name(t.Name); wantedXMP[name] {
		x.property, x.within = name, 0
		x.text.Reset()
	}
	for _, a := range t.Attr { // properties in short
		if name := x.name(a.Name); wantedXMP[name] {
			x.setProperty(name, a.Value)
		}
	}
}

func (x *xmp) end() {
	if x.property == "" {
		return
	}
	x.flush()
	if x.within == 0 {
		x.property = ""
		return
	}
	x.within--
}

// flush ends the open property with its text.
func (x *xmp) flush() {
	if x.text.Len() > 0 {
		x.setProperty(x.property, x.text.String())
		x.text.Reset()
	}
}

// name returns a name with the prefix by which it is known here.
func (x *xmp) name(n xml.Name) string {
	if short := x.prefixes[n.Space]; short != "" {
		return short + ":" + n.Local
	}
	return n.Local
}

// wantedXMP are the properties that have words.
var wantedXMP = map[string]bool{
	"dc:title": true, "photoshop:Headline": true, "dc:description": true, "exif:UserComment": true, "acdsee:caption": true,
	"dc:subject": true, "dc:creator": true, "ext:PersonInImage": true, "photoshop:City": true, "photoshop:State": true,
	"photoshop:Country": true, "core:Location": true, "exif:DateTimeOriginal": true, "photoshop:DateCreated": true,
	"regions:PersonDisplayName": true, "mwg:Name": true,
}

// setProperty notes the text of a property.
func (x *xmp) setProperty(property, text string) {
	if text = strings.TrimSpace(text); text == "" {
		return
	}
	switch property {
	case "dc:title", "photoshop:Headline":
		x.w.setTitle(text)
	case "dc:description", "exif:UserComment", "acdsee:caption":
		x.w.addCaption(text)
	case "dc:subject":
		x.w.keyword(text)
	case "dc:creator":
		x.w.author(text)
	case "ext:PersonInImage", "regions:PersonDisplayName", "mwg:Name":
		x.w.person(text)
	case "photoshop:City", "photoshop:State", "photoshop:Country", "core:Location":
		x.w.place(text)
	case "exif:DateTimeOriginal", "photoshop:DateCreated":
		for _, layout := range []string{time.RFC3339, "2006-01-02T15:04:05", "2006-01-02T15:04", "2006-01-02"} {
			if at, err := time.Parse(layout, text); err == nil {
				x.w.takenAt(sane(at))
				return
			}
		}
	}
}
