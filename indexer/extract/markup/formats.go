package markup

import (
	"dowse/indexer/document"
)

// Formats are those of texts that are written for a program which shows them.
var Formats = []document.Format{
	{Name: "ipynb", Extensions: []string{"ipynb"}, Read: readNotebook},
	{Name: "org", Extensions: []string{"org"}, Read: readOrg},
	{Name: "latex", Extensions: []string{"tex", "latex", "ltx"}, Read: readLaTeX},
	{Name: "asciidoc", Extensions: []string{"adoc", "asciidoc"}, Read: readASCIIDoc},
	{Name: "rst", Extensions: []string{"rst", "rest"}, Read: restructured.read},
	{Name: "mediawiki", Extensions: []string{"mediawiki", "wiki"}, Read: mediaWiki.read},
	{Name: "textile", Extensions: []string{"textile"}, Read: textile.read},
	{Name: "typst", Extensions: []string{"typ"}, Read: typst.read},
	{Name: "zim", Is: isZim, Read: zim.read},
	{Name: "subtitles", Extensions: []string{"srt", "vtt"}, Read: readSubtitles},
	{Name: "subtitles", Extensions: []string{"ass", "ssa", "lrc"}, Read: readCaptions},
	{Name: "subtitles", Extensions: []string{"ttml", "dfxp"}, Read: readTimed},
	{Name: "feed", Is: isFeed, Read: readFeed},
	{Name: "outline", Extensions: []string{"xbel", "mm"}, Is: isOutline, Read: readOutline},
	{Name: "alto", Is: isScan, Read: readScan},
	{Name: "musicxml", Extensions: []string{"musicxml"}, Is: isScore, Read: readScore},
	{Name: "shortcut", Extensions: []string{"url", "webloc", "desktop"}, Read: readShortcut},
	{Name: "bookmarks", Is: isBookmarks, Read: readBookmarks},
	{Name: document.Browser, Is: isBrowser, Read: readBrowser},
	{Name: "chat", Is: isChat, Read: readChat},
	{Name: "chat", Extensions: []string{"weechatlog"}, Is: isIRC, Read: readIRC, MaxBytes: maxIRC},
	{Name: "drawio", Extensions: []string{"drawio", "dio"}, Is: isDiagram, Read: readDiagram},
	{Name: "excalidraw", Extensions: []string{"excalidraw"}, Read: readBoard},
	{Name: "canvas", Extensions: []string{"canvas"}, Read: readBoard},
	{Name: "xml", Extensions: xmlExtensions, Is: isXML, Read: readXML},
}

// writer writes a document whose lines are those of a text.
type writer struct {
	*document.Builder
	marks []document.LineMark
}

func newWriter(in *document.Input) *writer {
	return &writer{Builder: in.Builder(), marks: []document.LineMark{}}
}

// from notes the line that the next text comes from.
func (w *writer) from(line int) {
	w.marks = append(w.marks, document.LineMark{Offset: int32(w.Len()), Line: int32(line)})
}

// document returns the Document.
func (w *writer) document(format string, meta document.Meta) *document.Document {
	d := w.Document(format, meta)
	d.MarkLines(w.marks)
	return d
}
