package office

import (
	"context"
	"strings"
	"time"

	"dowse/indexer/document"
)

// readComic reads what the ComicInfo.xml of a comic book says of it; its pages are pictures.
func readComic(ctx context.Context, in *document.Input) (*document.Document, error) {
	r := comicReader{b: in.Builder(), said: map[string]string{}}
	if err := readXML(ctx, in, in.Data, &r); err != nil {
		return nil, err
	}
	issue := strings.TrimSpace(r.said["Series"] + " " + r.said["Number"])
	meta := document.Meta{Title: r.said["Title"], Authors: splitTags(r.said["Writer"]), Tags: append(splitTags(r.said["Genre"]), splitTags(r.said["Tags"])...)}
	if meta.Title == "" {
		meta.Title = issue
	}
	if day, err := time.Parse("2006-1-2", r.said["Year"]+"-"+r.said["Month"]+"-"+r.said["Day"]); err == nil {
		meta.Date = day
	} else {
		meta.Date = parseTime(r.said["Year"])
	}
	r.b.Heading(1, meta.Title)
	if issue != meta.Title {
		r.b.Paragraph(issue)
	}
	for _, name := range comicFields {
		r.b.Row([]string{name}, []string{r.said[name]})
	}
	r.b.Paragraph(r.said["Summary"])
	r.b.Paragraph(r.said["Notes"])
	for _, mark := range r.marks {
		r.b.Item(0, mark)
	}
	return r.b.Document("comic", meta), nil
}

// comicFields are what is said of a comic in a few words each.
var comicFields = []string{"Writer", "Penciller", "Inker", "Colorist", "Letterer", "CoverArtist", "Editor", "Translator", "Publisher", "Imprint",
	"Genre", "Tags", "Web", "Format", "SeriesGroup", "StoryArc", "AlternateSeries", "Characters", "Teams", "Locations", "MainCharacterOrTeam", "Review", "ScanInformation"}

// comicReader reads its XML.
type comicReader struct {
	b     *document.Builder
	said  map[string]string
	marks []string // names of pages
	chars strings.Builder
}

func (c *comicReader) start(e element) (skip bool) {
	if mark := e.attribute("Bookmark"); e.name == "Page" && mark != "" && len(c.marks) < maxComments {
		c.marks = append(c.marks, mark)
	}
	c.chars.Reset()
	return false
}

func (c *comicReader) text(s string) { c.chars.WriteString(s) }

func (c *comicReader) end(name string) {
	if text := strings.TrimSpace(c.chars.String()); text != "" && len(c.said) < maxFields*2 {
		c.said[name] = text
	}
	c.chars.Reset()
}
