package mail

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"dowse/indexer/document"

	"github.com/cespare/xxhash/v2"
)

// maxDepth is how deep parts lie within parts at most. Mail of people has three or
// four levels.
const maxDepth = 12

// reader writes messages of one file.
type reader struct {
	ctx       context.Context
	in        *document.Input
	b         *document.Builder
	within    []document.Part // the message that is written
	level     int             // of its heading
	depth     int             // of parts within parts
	filesOnly int             // above 0, text is passed over: it was written already
	quotes    *quotes         // nil where quotations are kept
	most      int             // bytes of the text of an attachment; 0 for all
	shortened int             // attachments that had more
	records   []uint64        // sums of the events and contacts that were written
	known     map[string]bool // words of the texts beside a part of TNEF
	placed    bool
}

// readMessage reads a file of one message.
func readMessage(ctx context.Context, in *document.Input) (*document.Document, error) {
	r := &reader{ctx: ctx, in: in, b: in.Builder()}
	p := newPart(in.Data, "text/plain")
	if err := r.message(&p); err != nil {
		return nil, err
	}
	meta := metaOf(p.header)
	return r.b.Document("eml", meta), nil
}

// readApple reads a message that stands between its length and its properties.
func readApple(ctx context.Context, in *document.Input) (*document.Document, error) {
	message, err := appleMessage(in)
	if err != nil {
		return nil, err
	}
	d, err := readMessage(ctx, message)
	if err != nil {
		return nil, err
	}
	d.Format = "emlx"
	return d, nil
}

// appleMessage cuts the message out.
func appleMessage(in *document.Input) (*document.Input, error) {
	line, rest, _ := bytes.Cut(in.Data, []byte("\n"))
	length := 0
	if _, err := fmt.Sscan(string(line[:min(len(line), 20)]), &length); err != nil {
		return nil, fmt.Errorf("its length is missing: %w", err)
	}
	message := *in
	message.Data = rest[:min(max(length, 0), len(rest))]
	return &message, nil
}

// metaOf returns what a message says of itself.
func metaOf(h header) document.Meta {
	m := document.Meta{
		Title: strings.Join(strings.Fields(h.text("subject")), " "), Authors: h.addresses("from"), To: h.addresses("to", "cc"), Date: h.date(),
	}
	for _, name := range []string{"keywords", "x-keywords", "x-gmail-labels"} {
		for tag := range strings.SplitSeq(h.text(name), ",") {
			if tag = strings.TrimSpace(tag); tag != "" {
				m.Tags = append(m.Tags, tag)
			}
		}
	}
	return m
}

// message writes a message: subject as heading, sender, recipients, date, parts.
func (r *reader) message(p *part) error {
	r.place()
	m := metaOf(p.header)
	r.b.Heading(r.level+1, cmp.Or(m.Title, "(no subject)")) // else it stood below the message before
	cells := []string{strings.Join(m.Authors, ", "), strings.Join(p.header.addresses("to"), ", "), strings.Join(p.header.addresses("cc"), ", "), ""}
	if !m.Date.IsZero() {
		cells[3] = m.Date.Format("Mon 2 Jan 2006 15:04")
	}
	r.b.Row([]string{"From", "To", "Cc", "Date"}, cells)
	return r.walk(p)
}

// place says that what comes next is of the message.
func (r *reader) place(more ...document.Part) {
	parts := append(append([]document.Part(nil), r.within...), more...)
	if len(parts) > 0 || r.placed { // a message that is a file needs no name for its text
		r.b.Place(parts...)
		r.placed = true
	}
}

// walk writes a part with those within it.
func (r *reader) walk(p *part) error {
	if r.depth++; r.depth > maxDepth {
		_ = r.in.Meet(strconv.Itoa(maxDepth) + " parts within each other")
		r.depth--
		return nil
	}
	defer func() { r.depth-- }()
	if err := r.ctx.Err(); err != nil || r.b.Full() {
		return err
	}
	switch {
	case p.kind == "multipart/encrypted", p.kind == "application/pgp-encrypted":
		r.isEncrypted()
	case isSealed(p):
		return r.sealed(p)
	case isSignature(p.kind):
	case isTNEF(p):
		return r.tnef(p)
	case isNested(p.kind):
		return r.nested(p)
	case strings.HasPrefix(p.kind, "multipart/"):
		return r.parts(p)
	default:
		return r.leaf(p)
	}
	return nil
}

// parts writes what a multipart body holds.
func (r *reader) parts(p *part) error {
	children := p.children(r.in)
	if len(children) == 0 {
		r.plain(p)
		return nil
	}
	if p.kind == "multipart/alternative" && r.filesOnly == 0 {
		for _, t := range r.body(p) {
			r.write(t)
		}
		r.filesOnly++
		defer func() { r.filesOnly-- }()
	}
	r.learnTexts(p, children)
	for i := range children {
		if err := r.walk(&children[i]); err != nil {
			return err
		}
	}
	return nil
}

// nested writes a message within a message, as one of its own.
func (r *reader) nested(p *part) error {
	inner := newPart(p.content(), "text/plain")
	outer, level, filesOnly := r.within, r.level, r.filesOnly
	r.within = append(append([]document.Part(nil), outer...), document.Part{Unit: document.Message, Name: metaOf(inner.header).Title})
	r.level++
	r.filesOnly = 0 // it was written in no other form
	err := r.message(&inner)
	r.within, r.level, r.filesOnly = outer, level, filesOnly
	r.place()
	return err
}

// isEncrypted writes that a part is.
func (r *reader) isEncrypted() {
	r.b.Paragraph("This message is encrypted.")
	r.b.Lack("text that is encrypted")
}

// isNested reports whether a part is a message.
func isNested(kind string) bool {
	return kind == "message/rfc822" || kind == "message/global" || kind == "message/news"
}

func isSignature(kind string) bool {
	switch kind {
	case "application/pgp-signature", "application/pkcs7-signature", "application/x-pkcs7-signature", "application/pgp-keys":
		return true
	}
	return false
}

// attachment writes the name of an attached file, and its text where it is of a kind
// that is read.
func (r *reader) attachment(p *part, name string) error {
	r.place()
	r.b.Item(0, "Attachment: "+name)
	if strings.HasPrefix(p.kind, "image/") || strings.HasPrefix(p.kind, "audio/") || strings.HasPrefix(p.kind, "video/") {
		return nil
	}
	data := p.content()
	if isRecord(p.kind) || strings.HasSuffix(strings.ToLower(name), ".ics") {
		if sum := xxhash.Sum64(bytes.TrimSpace(bytes.ReplaceAll(data, []byte("\r"), nil))); !slices.Contains(r.records, sum) {
			r.records = append(r.records, sum)
		} else {
			return nil // an event is in an invitation twice, once to be saved
		}
	}
	if strings.HasPrefix(p.kind, "text/") {
		if text, ok := decodeCharset(p.params["charset"], data); ok {
			data = []byte(text)
		}
	}
	d, err := r.in.Open(r.ctx, name, data)
	switch {
	case r.ctx.Err() != nil:
		return r.ctx.Err()
	case errors.Is(err, document.ErrEncrypted):
		r.b.Paragraph(name + " is encrypted.")
	case err == nil:
		if r.most > 0 && len(d.Text) > r.most {
			r.in.Release(d.Shorten(r.most))
			r.shortened++
		}
		within := append(append([]document.Part(nil), r.within...), document.Part{Unit: document.Attachment, Name: name})
		r.b.Append(d, within...)
		r.placed = true
		r.place()
	}
	return nil // one that cannot be read is no reason to leave out the message
}
