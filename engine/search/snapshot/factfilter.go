package snapshot

import (
	"slices"
	"sort"
	"strings"

	"dowse/engine"
	"dowse/engine/layout"
	"dowse/internal/fold"
	"dowse/store"
)

// factFilter is a filter on what documents say of themselves. Which files have a tag, an
// author or a format is looked up; titles are as many as documents, and are read.
type factFilter struct {
	engine.FactFilter
	kinds map[uint8]bool // of type: as files have them
	files []uint32       // that have what is asked for, by id; of one commit
}

// TypeGroups are the formats and kinds that people mean by one word. A word that is no
// key means the format or kind of that name.
var TypeGroups = map[string][]string{
	"note": noteFormats, "notes": noteFormats,
	"web": {"html", "mhtml"}, "page": {"html", "mhtml"},
	"mail": {"eml", "emlx", "mbox", "maildir", "msg", "tnef"}, "email": {"eml", "emlx", "mbox", "maildir", "msg", "tnef"},
	"sheet": {"xlsx", "xlsm", "xls", "ods", "csv", "gnumeric", "numbers"}, "table": {"xlsx", "xlsm", "xls", "ods", "csv", "gnumeric", "numbers"},
	"slides": {"pptx", "ppt", "odp", "key"}, "keynote": {"key"},
	"word": {"docx", "doc"}, "excel": {"xlsx", "xls"}, "powerpoint": {"pptx", "ppt"}, "outlook": {"msg"},
	"office": {"docx", "doc", "odt", "rtf", "xlsx", "xlsm", "xls", "ods", "pptx", "ppt", "odp", "odg", "pages", "numbers", "key"},
	"letter": {"docx", "doc", "odt", "rtf", "pages"}, "document": {"docx", "doc", "odt", "rtf", "pages", "pdf", "djvu", "latex"},
	"book": {"epub", "mobi", "djvu", "fb2", "comic", "calibre"}, "cards": {"anki"}, "reference": {"zotero", "bibtex", "ris", "csl"}, "notebook": {"ipynb"},
	"picture": pictureFormats, "photo": pictureFormats, "image": pictureFormats,
	"sound": soundFormats, "audio": soundFormats, "music": soundFormats,
	"drawing": {"drawio", "excalidraw", "svg", "odg", "vsdx", "xopp", "canvas"},
	"video":   {"subtitles", "mp4", "ogv", "matroska"}, "film": {"subtitles", "mp4", "ogv", "matroska"},
	"contact": {"vcard"}, "contacts": {"vcard"}, "calendar": {"ical"}, "event": {"ical"},
	"archive": {"zip", "tar", "gzip", "bzip2", "zstd", "xz"},
	"plain":   {"text"},
	"todo":    {"task"}, "journal": {"jrnl"}, "bookmark": {"bookmarks", "outline", "shortcut", "browser"}, "score": {"musicxml"},
}

// Formats of notes, of pictures and of sound.
var (
	noteFormats    = []string{"markdown", "org", "asciidoc", "rst", "mediawiki", "textile", "typst", "zim", "enex", "joplin", "tiddlywiki", "keep", "dayone", "standardnotes", "simplenote"}
	pictureFormats = []string{"jpeg", "png", "gif", "webp", "tiff", "heic", "raw", "svg"}
	soundFormats   = []string{"mp3", "flac", "ogg", "m4a", "wav"}
)

// TypeNames are the words of typeGroups that are suggested. The others mean the same.
var TypeNames = []string{"note", "web", "mail", "letter", "sheet", "slides", "office", "document", "book", "cards", "reference", "notebook", "picture", "drawing", "sound", "video", "contact", "calendar", "archive"}

func newFactFilter(f engine.FactFilter) factFilter {
	out := factFilter{FactFilter: f}
	if f.Key != "type" {
		out.Values = FoldAll(f.Values)
		return out
	}
	out.kinds, out.Values = map[uint8]bool{}, nil
	for _, value := range f.Values {
		names := TypeGroups[value]
		if names == nil {
			names = []string{value}
		}
		for _, name := range names {
			if kind := slices.Index(layout.Kinds, name); kind >= 0 {
				out.kinds[uint8(kind)] = true
			} else {
				out.Values = append(out.Values, name)
			}
		}
	}
	return out
}

// find looks up the files of a commit.
func (f *factFilter) find(tx *store.Tx) (err error) {
	f.files = nil
	switch f.Key {
	case "title":
		return tx.EachFacts(func(file uint32, facts store.Facts) error {
			if facts.Title != "" && f.contains(facts.Title) {
				f.files = append(f.files, file)
			}
			return nil
		})
	case "from":
		f.files, err = tx.Marked(store.AuthorMark, "", f.isAuthor)
	case "to":
		f.files, err = tx.Marked(store.RecipientMark, "", f.contains)
	case "tag":
		f.files, err = tx.Marked(store.TagMark, "", f.isTagged)
	case "type":
		err = f.ofFormats(tx)
	}
	return err
}

// isTagged reports whether a tag is one of the values or lies below it: garden/roses below
// garden.
func (f *factFilter) isTagged(tag string) bool {
	tag = fold.String(tag)
	return slices.ContainsFunc(f.Values, func(value string) bool { return tag == value || strings.HasPrefix(tag, value+"/") })
}

// me is who asks in sessions and exports of assistants.
const me = "me"

// isAuthor reports whether one of the values is in a name. "me" has to be all of it: it is in many.
func (f *factFilter) isAuthor(name string) bool {
	name = fold.String(name)
	return slices.ContainsFunc(f.Values, func(value string) bool {
		return name == value || value != me && strings.Contains(name, value)
	})
}

// contains reports whether a text has one of the values in it.
func (f *factFilter) contains(text string) bool {
	text = fold.String(text)
	return slices.ContainsFunc(f.Values, func(value string) bool { return strings.Contains(text, value) })
}

// ofFormats looks up the files of each format, and at no others.
func (f *factFilter) ofFormats(tx *store.Tx) error {
	for _, wanted := range f.Values {
		files, err := tx.Marked(store.FormatMark, wanted, func(format string) bool { return format == wanted })
		if err != nil {
			return err
		}
		f.files = append(f.files, files...)
	}
	slices.Sort(f.files)
	f.files = slices.Compact(f.files)
	return nil
}

// FoldAll folds each of some texts.
func FoldAll(texts []string) []string {
	folded := make([]string, len(texts))
	for i, text := range texts {
		folded[i] = fold.String(text)
	}
	return folded
}

// admits reports whether a file passes.
func (f *factFilter) admits(file *store.File) bool {
	_, found := slices.BinarySearch(f.files, file.ID)
	return (found || f.kinds[file.Kind]) != f.Not
}

// among returns the files that can pass the filters: those of the one that leaves the
// fewest, or all.
func (s *Snapshot) among(f *Filter) []*store.File {
	var fewest *factFilter
	for i := range f.facts {
		if f := &f.facts[i]; !f.Not && len(f.kinds) == 0 && (fewest == nil || len(f.files) < len(fewest.files)) {
			fewest = f
		}
	}
	if fewest == nil {
		return s.Files
	}
	ids := fewest.files
	if fewest.Key != "type" {
		ids = orWith(ids, f.Entries)
	}
	var out []*store.File
	for _, id := range ids {
		if i := sort.Search(len(s.Files), func(i int) bool { return s.Files[i].ID >= id }); i < len(s.Files) && s.Files[i].ID == id {
			out = append(out, s.Files[i])
		}
	}
	return out
}
