package record

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"time"

	"dowse/indexer/document"
)

// isContacts reports whether a file named as contacts begins as a vCard.
func isContacts(name string, head []byte) bool {
	ext := document.Extension(name)
	return (ext == "vcf" || ext == "vcard") && beginsWith(head, "BEGIN:VCARD")
}

func beginsWith(head []byte, words string) bool {
	head = blankless(head)
	return len(head) >= len(words) && bytes.EqualFold(head[:len(words)], []byte(words))
}

// readContacts reads vCards (RFC 6350, and versions 2.1 and 3.0), a record each.
func readContacts(ctx context.Context, in *document.Input) (*document.Document, error) {
	text, err := in.Text(ctx, wholeLetters(in.Data))
	if err != nil {
		return nil, err
	}
	w := newWriter(in, text)
	var card []property
	number, start := 0, 0
	for p := range properties(text) {
		switch p.name {
		case "BEGIN":
			card, start = card[:0], p.at
		case "END":
			if number++; number%1000 == 0 && ctx.Err() != nil {
				return nil, ctx.Err()
			}
			name, names, cells := contact(card)
			w.b.Entry(contactMeta(name, card))
			w.record(start, document.Part{Unit: document.Record, Number: number, Name: name}, names, cells)
			card = card[:0]
		default:
			card = append(card, p)
		}
	}
	if number == 0 {
		return nil, document.ErrOther
	}
	return w.document("vcard"), nil
}

// contactNames are the properties that say something to a person, in words of theirs.
var contactNames = map[string]string{
	"NICKNAME": "Nickname", "ORG": "Organization", "TITLE": "Position", "ROLE": "Role", "TEL": "Phone", "EMAIL": "E-mail",
	"ADR": "Address", "BDAY": "Birthday", "ANNIVERSARY": "Anniversary", "URL": "Web", "NOTE": "Note", "CATEGORIES": "Categories",
	"RELATED": "Related", "IMPP": "Chat", "LANG": "Language", "X-ABDATE": "Date", "X-ABRELATEDNAMES": "Related",
	"X-PHONETIC-FIRST-NAME": "Spoken", "X-PHONETIC-LAST-NAME": "Spoken", "X-SPOUSE": "Spouse", "X-ANNIVERSARY": "Anniversary",
}

// contact returns whose card it is and what it says, name by name.
func contact(card []property) (whose string, names, cells []string) {
	labels := map[string]string{}
	for _, p := range card {
		switch p.name {
		case "X-ABLABEL": // Apple's: _$!<Home>!$_
			labels[p.group] = strings.TrimSuffix(strings.TrimPrefix(p.text(), "_$!<"), ">!$_")
		case "FN":
			whose = p.text()
		}
	}
	if whose == "" {
		whose = personName(card)
	}
	names, cells = append(names, "Name"), append(cells, whose)
	for _, p := range card {
		name, known := contactNames[p.name]
		value := contactValue(&p)
		if !known || value == "" {
			continue
		}
		kind := contactKind(&p)
		if label := labels[p.group]; p.group != "" && label != "" {
			kind = strings.ToLower(label)
		}
		if kind != "" {
			name += " (" + kind + ")"
		}
		names, cells = append(names, name), append(cells, value)
	}
	return whose, names, cells
}

// personName puts the parts of a name, family name first, into the order in which people say them.
func personName(card []property) string {
	for _, p := range card {
		if p.name != "N" {
			continue
		}
		parts := append(p.fields(';'), "", "", "", "", "")
		said := []string{parts[3], parts[1], parts[2], parts[0], parts[4]}
		return strings.Join(slices.DeleteFunc(said, func(s string) bool { return s == "" }), " ")
	}
	return ""
}

func contactValue(p *property) string {
	switch p.name {
	case "ADR", "ORG":
		return p.joined(';', ", ")
	case "CATEGORIES", "NICKNAME":
		return p.joined(',', ", ")
	case "BDAY", "ANNIVERSARY", "X-ABDATE", "X-ANNIVERSARY":
		return birthday(p.text())
	case "TEL", "EMAIL", "IMPP":
		value := p.text()
		for _, scheme := range []string{"tel:", "mailto:"} {
			value = strings.TrimPrefix(value, scheme)
		}
		return value
	}
	return p.text()
}

// birthday writes a date as people do in notes; what is none stays. Without a year it is --0302.
func birthday(value string) string {
	for _, layout := range []string{dayLayout, time.DateOnly, timeLayout + "Z", "2006-01-02T15:04:05Z"} {
		if t, err := time.Parse(layout, value); err == nil {
			return t.Format("2 January 2006")
		}
	}
	for _, layout := range []string{"--0102", "--01-02"} {
		if t, err := time.Parse(layout, value); err == nil {
			return t.Format("2 January")
		}
	}
	return value
}

// contactKinds are the kinds of a telephone or address that are worth saying.
var contactKinds = []string{"HOME", "WORK", "CELL", "MOBILE", "FAX", "PAGER", "CHILD", "PARENT", "SPOUSE", "FRIEND"}

// contactKind returns "home", "work" or "work, fax", "" where a line says nothing of it.
func contactKind(p *property) string {
	var kinds []string
	for _, kind := range strings.FieldsFunc(p.about, func(r rune) bool { return strings.ContainsRune(`;,="`, r) }) {
		if slices.Contains(contactKinds, kind) && !slices.Contains(kinds, strings.ToLower(kind)) {
			kinds = append(kinds, strings.ToLower(kind))
		}
	}
	return strings.Join(kinds, ", ")
}
