package mail

import (
	"bytes"
	"context"
	"strings"

	"dowse/indexer/document"
	"dowse/indexer/extract/mail/mapi"
)

// isTNEFFile reports whether a file is what Outlook attaches for other Outlooks, "winmail.dat".
func isTNEFFile(_ string, head []byte) bool { return bytes.HasPrefix(head, []byte(mapi.TNEFMagic)) }

// readTNEF reads such a file by itself.
func readTNEF(ctx context.Context, in *document.Input) (*document.Document, error) {
	message, err := fromTNEF(in)
	if err != nil {
		return nil, err
	}
	d, err := readMessage(ctx, message)
	if err != nil {
		return nil, err
	}
	d.Format = "tnef"
	return d, nil
}

// partOfTNEF is partOfMessage for such a file.
func partOfTNEF(ctx context.Context, in *document.Input, wanted document.Part) (*document.Input, bool, error) {
	message, err := fromTNEF(in)
	if err != nil {
		return nil, false, err
	}
	return partOfMessage(ctx, message, wanted)
}

// fromTNEF makes a file of TNEF a message.
func fromTNEF(in *document.Input) (*document.Input, error) {
	m, err := mapi.ReadTNEF(in.Data)
	if err != nil {
		return nil, err
	}
	message := *in
	message.Data = internetMessage(m)
	return &message, nil
}

// isTNEF reports whether a part is such a file.
func isTNEF(p *part) bool {
	name, _ := p.file()
	return p.kind == "application/ms-tnef" || p.kind == "application/vnd.ms-tnef" || strings.EqualFold(name, "winmail.dat")
}

// tnef writes what a part of TNEF says beside the texts of its message, which it holds again, and the files in it.
func (r *reader) tnef(p *part) error {
	m, err := mapi.ReadTNEF(p.content())
	if err != nil {
		name, _ := p.file()
		r.b.Item(0, "Attachment: "+name)
		return nil
	}
	inner := newPart(internetMessage(m), "text/plain")
	for _, t := range r.body(&inner) {
		if len(r.known) > 0 {
			t.text, t.added = unsaid(t, r.known), true
		}
		r.write(t)
	}
	r.filesOnly++
	defer func() { r.filesOnly-- }()
	return r.walk(&inner)
}

// learnTexts remembers the words of the texts beside a part of TNEF.
func (r *reader) learnTexts(p *part, children []part) {
	r.known = nil
	for i := range children {
		if isTNEF(&children[i]) {
			r.known = map[string]bool{}
		}
	}
	if r.known == nil {
		return
	}
	for _, t := range r.body(p) {
		learn(r.known, t.text)
	}
}
