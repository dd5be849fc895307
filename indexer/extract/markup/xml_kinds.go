package markup

import (
	"encoding/xml"
	"strings"

	"dowse/indexer/document"
	"dowse/indexer/extract/dates"
	"dowse/indexer/extract/htmltext"
	"dowse/internal/pattern"
)

// xmlKind is how documents of one kind are read otherwise than other XML: their attributes are numbers.
type xmlKind struct {
	format string          // "" of other XML
	skip   map[string]bool // elements that are passed over, with all that is in them
	titles map[string]bool // elements that are headings, beside title
	// said reads what the file says of itself, and writes it; nil: only a title.
	said func(w *writer, text string) document.Meta
	// none is why a file without text is left out; nil: it is empty.
	none error
}

// missing returns why a document is left out.
func (k *xmlKind) missing(d *document.Document) error {
	if strings.TrimSpace(d.Text) == "" {
		return k.none
	}
	return nil
}

// xmlKinds are the kinds by extension: books of FictionBook, tracks of GPS devices, and drawings.
var xmlKinds = map[string]xmlKind{
	"fb2": {format: "fb2", skip: setOf("description", "binary", "stylesheet"), said: saidOfBook},
	"gpx": {format: "gpx", skip: setOf("trkpt", "rtept", "ele", "time", "extensions", "bounds", "sym", "sat", "hdop"), titles: setOf("name"), said: saidOfTrack},
	"svg": {format: "svg", skip: setOf("style", "script", "metadata", "namedview", "image"), none: document.ErrPicture},
}

func setOf(words ...string) map[string]bool {
	set := map[string]bool{}
	for _, w := range words {
		set[w] = true
	}
	return set
}

// trackTime is the first time of a track.
var trackTime = pattern.New(`<time>([^<]*)</time>`)

func saidOfTrack(_ *writer, text string) document.Meta {
	m := trackTime.FindStringSubmatch(text)
	if m == nil {
		return document.Meta{}
	}
	return document.Meta{Date: dates.Parse(m[1])}
}

// bookHead is the description of a book of FictionBook 2.
type bookHead struct {
	Title   string `xml:"title-info>book-title"`
	Authors []struct {
		First  string `xml:"first-name"`
		Middle string `xml:"middle-name"`
		Last   string `xml:"last-name"`
		Nick   string `xml:"nickname"`
	} `xml:"title-info>author"`
	Annotation struct {
		Page string `xml:",innerxml"`
	} `xml:"title-info>annotation"`
	Keywords string `xml:"title-info>keywords"`
	Date     struct {
		Value string `xml:"value,attr"`
		Text  string `xml:",chardata"`
	} `xml:"title-info>date"`
}

// saidOfBook writes who wrote a book and what it is about.
func saidOfBook(w *writer, text string) (meta document.Meta) {
	const end = "</description>"
	start, stop := strings.Index(text, "<description"), strings.Index(text, end)
	if start < 0 || stop < start {
		return meta
	}
	var h bookHead
	if xml.Unmarshal([]byte(text[start:stop+len(end)]), &h) != nil {
		return meta
	}
	for _, a := range h.Authors {
		if name := strings.Join(strings.Fields(a.First+" "+a.Middle+" "+a.Last), " "); name+a.Nick != "" {
			meta.Authors = append(meta.Authors, strings.TrimSpace(name+" "+a.Nick))
		}
	}
	for word := range strings.SplitSeq(h.Keywords, ",") {
		if word = strings.TrimSpace(word); word != "" {
			meta.Tags = append(meta.Tags, word)
		}
	}
	meta.Title = strings.TrimSpace(h.Title)
	if meta.Date = dates.Parse(h.Date.Value); meta.Date.IsZero() {
		meta.Date = dates.Parse(strings.TrimSpace(h.Date.Text))
	}
	w.from(1)
	w.Row([]string{"Title", "By"}, []string{meta.Title, strings.Join(meta.Authors, ", ")})
	w.EndRows()
	if about, _ := htmltext.Read(h.Annotation.Page); about != "" {
		w.Append(&document.Document{Text: about, Kind: document.HTML})
	}
	return meta
}
