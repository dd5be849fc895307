package mail

import "strings"

// leaf writes a part that holds no others.
func (r *reader) leaf(p *part) error {
	name, attached := p.file()
	switch {
	case attached:
		return r.attachment(p, name)
	case r.filesOnly > 0:
	case p.kind == "text/html", p.kind == "application/xhtml+xml":
		return r.html(p)
	case p.kind == "text/rtf" && name == "part.rtf":
		return r.richText(p)
	case p.kind == "text/calendar", p.kind == "text/vcard", p.kind == "text/x-vcard", p.kind == "text/rtf", p.kind == "text/csv":
		return r.attachment(p, name)
	default:
		r.plain(p)
	}
	return nil
}

// choose returns which of the forms of a text is read: plain text, unless it only says that there is
// another form; -1 where all are of kinds that are not compared.
func (r *reader) choose(forms []part) int {
	plain, rich := -1, -1
	for i := range forms {
		switch f := &forms[i]; {
		case f.kind == "text/plain" && plain < 0:
			plain = i
		case f.kind == "text/html" || f.kind == "multipart/related" || f.kind == "multipart/mixed" || f.kind == "multipart/alternative":
			rich = i
		}
	}
	if rich < 0 || plain < 0 {
		return max(plain, rich)
	}
	text := strings.TrimSpace(r.decode(&forms[plain], forms[plain].content()))
	if len(text) == 0 || len(text) < shortForm && len(forms[rich].body) > 20*shortForm {
		return rich
	}
	return plain
}

// shortForm is the length of a plain text that may be nothing but a hint at the other form.
const shortForm = 200

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

// plain writes a body of plain text.
func (r *reader) plain(p *part) {
	if r.filesOnly > 0 {
		return
	}
	text := r.decode(p, p.content())
	if isArmoured(text) {
		r.isEncrypted()
		return
	}
	if strings.TrimSpace(text) == "" {
		return
	}
	if strings.EqualFold(p.params["format"], "flowed") {
		text = unflow(text, strings.EqualFold(p.params["delsp"], "yes"))
	}
	r.texts++
	r.place()
	r.paragraphs(text)
}

// html writes a body of HTML, with its headings below that of the message.
func (r *reader) html(p *part) error {
	data := p.content()
	if text, ok := decodeCharset(p.params["charset"], data); ok {
		data = []byte(text)
	}
	d, err := r.in.Open(r.ctx, "part.html", data)
	if err != nil { // an empty page, most often
		return r.ctx.Err()
	}
	r.texts++
	d.Text = lowered(d.Text, r.level+1)
	r.b.Append(d, r.within...)
	r.placed = r.placed || len(r.within) > 0
	return nil
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

// isArmoured reports whether a text is one encrypted message of PGP.
func isArmoured(text string) bool {
	return strings.HasPrefix(strings.TrimSpace(text), "-----BEGIN PGP MESSAGE-----")
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
