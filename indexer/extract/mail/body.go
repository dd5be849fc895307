package mail

import (
	"strings"

	"dowse/indexer/document"
	"dowse/internal/pattern"
)

// leaf writes a part that holds no others.
func (r *reader) leaf(p *part) error {
	name, attached := p.file()
	switch {
	case attached, isRecord(p.kind):
		return r.attachment(p, name)
	case r.filesOnly > 0, isResource(p.kind):
	case isHTML(p.kind):
		r.writeRich(r.htmlText(p.params["charset"], p.content()))
	case p.kind == "text/rtf" && name == "part.rtf":
		r.writeRich(r.rtfText(p))
	case p.kind == "text/rtf":
		return r.attachment(p, name)
	default:
		r.plain(p)
	}
	return nil
}

// decode returns the text of a part. One without a character set that fits is guessed as files are.
func (r *reader) decode(p *part, data []byte) string {
	text, ok := decodeCharset(p.params["charset"], data)
	if ok {
		return text
	}
	if text, err := r.in.Text(r.ctx, data); err == nil {
		return text
	}
	text, _ = decodeCharset("windows-1252", data)
	return text
}

// plain writes a body of plain text, or of a page that is said to be plain text.
func (r *reader) plain(p *part) {
	if r.filesOnly > 0 {
		return
	}
	text := r.plainText(p)
	if isPage(text) {
		r.writeRich(r.htmlText("utf-8", []byte(text)))
		return
	}
	r.writePlain(text)
}

// plainText returns the text of a part that is no page.
func (r *reader) plainText(p *part) string {
	text := strings.ReplaceAll(r.decode(p, p.content()), "\r\n", "\n")
	switch {
	case p.kind == "text/enriched" || p.kind == "text/richtext":
		return unenriched(text, p.kind == "text/richtext")
	case strings.EqualFold(p.params["format"], "flowed"):
		return unflow(text, strings.EqualFold(p.params["delsp"], "yes"))
	}
	return text
}

// writePlain writes plain text.
func (r *reader) writePlain(text string) {
	if strings.TrimSpace(text) == "" {
		return
	}
	r.place()
	if r.paragraphs(text) {
		r.isEncrypted()
	}
}

// htmlText returns the text of a page in the structure of Markdown, "" for one without any.
func (r *reader) htmlText(charset string, data []byte) string {
	if text, ok := decodeCharset(charset, data); ok {
		data = []byte(text)
	}
	d, err := r.in.Open(r.ctx, "part.html", data)
	if err != nil {
		return ""
	}
	return d.Text
}

// rtfText returns the text of a body of RTF in the structure of Markdown.
func (r *reader) rtfText(p *part) string {
	d, err := r.in.Open(r.ctx, "part.rtf", p.content())
	if err != nil {
		return ""
	}
	if d.Kind == document.Converted {
		r.in.Release(len(d.Text)) // counted again when it is written
	}
	return d.Text
}

// writeRich writes a text in the structure of Markdown, with its headings below that of the message.
func (r *reader) writeRich(text string) {
	if text == "" {
		return
	}
	r.b.Append(&document.Document{Text: lowered(text, r.level+1), Kind: document.HTML}, r.within...)
	r.placed = r.placed || len(r.within) > 0
}

// lowered makes the headings of a text in the structure of Markdown lower by some levels.
func lowered(text string, levels int) string {
	var out strings.Builder
	fenced := false
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "```") {
			fenced = !fenced
		}
		if rest := strings.TrimLeft(line, "#"); !fenced && rest != line && strings.HasPrefix(rest, " ") {
			line = strings.Repeat("#", min(len(line)-len(rest)+levels, 6)) + rest
		}
		out.WriteString(line)
	}
	return out.String()
}

// unflow joins lines that format=flowed (RFC 3676) has cut: they end with a space, which
// delsp says to be no part of the text.
func unflow(text string, delsp bool) string {
	var out strings.Builder
	open, depth := false, 0
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		body := strings.TrimLeft(line, ">")
		quoted := len(line) - len(body)
		body = strings.TrimPrefix(body, " ")
		goesOn := strings.HasSuffix(body, " ") && body != "-- "
		if goesOn && delsp {
			body = strings.TrimSuffix(body, " ")
		}
		if open && quoted == depth && body != "-- " {
			out.WriteString(body)
		} else {
			if out.Len() > 0 {
				out.WriteByte('\n')
			}
			if quoted > 0 {
				out.WriteString(line[:quoted] + " ")
			}
			out.WriteString(body)
		}
		open, depth = goesOn, quoted
	}
	return out.String()
}

// Commands of text/enriched (RFC 1896) and text/richtext (RFC 1341).
var (
	enrichedCommand = pattern.New(`(?is)<param>.*?</param>|<comment>.*?</comment>|</?[a-z0-9-]{1,60}>`)
	enrichedBreak   = pattern.New(`\r?\n(?:[ \t]*\r?\n)*`)
)

// unenriched returns the text without its commands. A line end alone is a space in it, of more than one the first
// is none; the older richtext has commands for both.
func unenriched(text string, older bool) string {
	const less = "\x00" // stands for "<<" or "<lt>"
	if text = strings.ReplaceAll(text, "\x00", ""); older {
		text = strings.NewReplacer("<lt>", less, "<LT>", less, "<nl>", "\n", "<NL>", "\n", "</paragraph>", "\n\n", "\r", "", "\n", " ").Replace(text)
	} else {
		text = enrichedBreak.ReplaceAllStringFunc(strings.ReplaceAll(text, "<<", less), func(ends string) string {
			if n := strings.Count(ends, "\n"); n > 1 {
				return strings.Repeat("\n", n-1)
			}
			return " "
		})
	}
	return strings.ReplaceAll(enrichedCommand.ReplaceAllString(text, ""), less, "<")
}
