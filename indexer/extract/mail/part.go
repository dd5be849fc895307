package mail

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"dowse/indexer/document"

	"github.com/dustin/go-humanize"
)

// part is a message or a part of one.
type part struct {
	header header
	kind   string            // "text/plain"
	params map[string]string // of the kind
	body   []byte            // still encoded for transfer
}

// newPart reads the head of a part. What says of no kind is of usual.
func newPart(data []byte, usual string) part {
	h, body := splitHead(data)
	p := part{header: h, body: body, kind: usual}
	if raw := h.get("content-type"); raw != "" {
		p.kind, p.params = valueAndParameters(raw)
	}
	if major, minor, ok := strings.Cut(p.kind, "/"); !ok || major == "" || minor == "" { // "text", nonsense
		p.kind = "text/plain"
	}
	for i, f := range h { // letters that no encoded word names are of the set of the text, most often
		if !utf8.ValidString(f.value) {
			h[i].value = p.short([]byte(f.value))
		}
	}
	return p
}

// short decodes text too short to guess its character set from.
func (p *part) short(data []byte) string {
	if text, ok := decodeCharset(p.params["charset"], data); ok {
		return text
	}
	return decodeShort("", data)
}

// content returns the body as it was before the transfer.
func (p *part) content() []byte {
	encoding := strings.ToLower(strings.TrimSpace(p.header.get("content-transfer-encoding")))
	encoding, _, _ = strings.Cut(encoding, ";")
	return untransfer(strings.TrimSpace(encoding), p.body)
}

// file returns the name that the part has as a file, and whether it is attached rather than
// part of the text.
func (p *part) file() (name string, attached bool) {
	disposition, params := valueAndParameters(p.header.get("content-disposition"))
	name = strings.TrimSpace(params["filename"])
	if name == "" {
		name = strings.TrimSpace(p.params["name"])
	}
	name = name[strings.LastIndexAny(name, `/\`)+1:]
	switch {
	case disposition == "attachment":
		attached = true
	case p.kind == "text/plain":
		attached = name != ""
	default:
		attached = !strings.HasPrefix(p.kind, "text/") && !strings.HasPrefix(p.kind, "message/")
	}
	if name == "" {
		name = "part" + extensions[p.kind]
	}
	return name, attached
}

// extensions are those of kinds whose parts may come without a name.
var extensions = map[string]string{
	"application/pdf": ".pdf", "application/zip": ".zip", "application/gzip": ".gz", "application/rtf": ".rtf", "text/rtf": ".rtf",
	"application/json": ".json", "text/csv": ".csv", "text/calendar": ".ics", "text/html": ".html", "text/plain": ".txt",
	"application/msword": ".doc", "application/epub+zip": ".epub", "text/markdown": ".md", "text/vcard": ".vcf",
	"application/vnd.oasis.opendocument.text": ".odt", "application/vnd.oasis.opendocument.spreadsheet": ".ods",
	"application/vnd.openxmlformats-officedocument.wordprocessingml.document":   ".docx",
	"application/vnd.openxmlformats-officedocument.spreadsheetml.sheet":         ".xlsx",
	"application/vnd.openxmlformats-officedocument.presentationml.presentation": ".pptx",
}

// maxParts is how many parts of a message are read; mail of people has ten.
const maxParts = 20_000

// children returns the parts of a multipart body, nil where its boundary is
// missing. What stands before the first and after the last is for programs that know no parts.
func (p *part) children(in *document.Input) []part {
	boundary := strings.TrimRight(p.params["boundary"], " \t")
	if boundary == "" {
		return nil
	}
	usual := "text/plain"
	if p.kind == "multipart/digest" {
		usual = "message/rfc822"
	}
	var parts []part
	mark := []byte("--" + boundary)
	start, at := -1, 0
	for line := range bytes.Lines(p.body) {
		begin := at
		at += len(line)
		rest, found := bytes.CutPrefix(line, mark)
		if !found {
			continue
		}
		rest, last := bytes.CutPrefix(rest, []byte("--"))
		if len(bytes.TrimSpace(rest)) > 0 {
			continue
		}
		if len(parts) == maxParts {
			_ = in.Meet(humanize.Comma(maxParts) + " parts of a message")
			return parts
		}
		if start >= 0 {
			parts = append(parts, newPart(trimLineEnd(p.body[start:begin]), usual))
		}
		if start = at; last {
			return parts
		}
	}
	if start >= 0 && start < len(p.body) { // the end is missing
		parts = append(parts, newPart(p.body[start:], usual))
	}
	return parts
}

// trimLineEnd takes away the line end before a boundary, which belongs to it.
func trimLineEnd(data []byte) []byte {
	return bytes.TrimSuffix(bytes.TrimSuffix(data, []byte("\n")), []byte("\r"))
}
