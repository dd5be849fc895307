package mail

import (
	"bytes"
	"cmp"
	"context"
	"mime"
	"strconv"
	"strings"
	"unicode/utf8"

	"dowse/indexer/document"
	"dowse/indexer/extract/cfb"
	"dowse/indexer/extract/codepage"
	"dowse/indexer/extract/mail/mapi"

	"github.com/cespare/xxhash/v2"
)

// A message of Outlook is made into the message that it would be elsewhere, and read as that.

// isOutlook reports whether a file is a message of Outlook: a compound file that is named so, or says so near its beginning.
func isOutlook(name string, head []byte) bool {
	if !bytes.HasPrefix(head, []byte(cfb.Magic)) {
		return false
	}
	ext := document.Extension(name)
	return ext == "msg" || ext == "oft" || bytes.Contains(head, []byte("_\x00p\x00r\x00o\x00p\x00e\x00r\x00t\x00i\x00e\x00s\x00_\x00v\x00e\x00r\x00s\x00i\x00o\x00n\x00"))
}

// readOutlook reads a message of Outlook.
func readOutlook(ctx context.Context, in *document.Input) (*document.Document, error) {
	message, err := fromOutlook(in)
	if err != nil {
		return nil, err
	}
	d, err := readMessage(ctx, message)
	if err != nil {
		return nil, err
	}
	d.Format = "msg"
	return d, nil
}

// partOfOutlook is partOfMessage for a message of Outlook.
func partOfOutlook(ctx context.Context, in *document.Input, wanted document.Part) (*document.Input, bool, error) {
	message, err := fromOutlook(in)
	if err != nil {
		return nil, false, err
	}
	return partOfMessage(ctx, message, wanted)
}

// fromOutlook makes a file of Outlook a message.
func fromOutlook(in *document.Input) (*document.Input, error) {
	m, err := mapi.Read(in.Data)
	if err != nil {
		return nil, err
	}
	message := *in
	message.Data = internetMessage(m)
	return &message, nil
}

// internetMessage returns a message of properties as one of RFC 5322, without anything being encoded for transfer. It holds each
// attachment once for each message that it is in.
func internetMessage(m *mapi.Message) []byte {
	var out bytes.Buffer
	writeHeader(&out, m)
	if signed := signedMessage(m); signed != nil {
		out.Write(signed)
		return out.Bytes()
	}
	parts := bodies(m)
	for i := range m.Attachments {
		parts = append(parts, attachmentPart(&m.Attachments[i]))
	}
	out.Write(joined("multipart/mixed", parts))
	return out.Bytes()
}

// joined returns some parts as one of a kind; a single one stays itself.
func joined(kind string, parts [][]byte) []byte {
	if len(parts) == 1 {
		return parts[0]
	}
	sum := xxhash.New()
	for _, p := range parts {
		_, _ = sum.Write(p) // never fails
	}
	boundary := "=_" + strconv.FormatUint(sum.Sum64(), 16)
	var out bytes.Buffer
	out.WriteString("Content-Type: " + kind + "; boundary=\"" + boundary + "\"\n\n")
	for _, p := range parts {
		out.WriteString("--" + boundary + "\n")
		out.Write(p)
		out.WriteString("\n")
	}
	out.WriteString("--" + boundary + "--\n")
	return out.Bytes()
}

// bodies returns the text of a message in its forms, after what it says by properties.
func bodies(m *mapi.Message) [][]byte {
	var parts, forms [][]byte
	if said := particulars(m); said != "" {
		parts = append(parts, textPart("text/plain", said))
	}
	plain := m.Text(mapi.Body)
	rich, kind := richBody(m)
	if kind == "text/plain" && plain == "" {
		plain, rich = rich, ""
	}
	if plain = strings.Trim(plain, "\r\n"); strings.TrimSpace(plain) != "" || rich == "" {
		forms = append(forms, textPart("text/plain", plain))
	}
	if rich != "" && (kind == "text/html" || len(forms) == 0) {
		forms = append(forms, textPart(kind, rich))
	}
	return append(parts, joined("multipart/alternative", forms))
}

// richBody returns the text of a message with its looks.
func richBody(m *mapi.Message) (text, kind string) {
	if v, _ := m.Value(mapi.HTML); len(v.Data) > 0 {
		switch n := m.InternetCodePage(); {
		case v.Type != mapi.Binary:
			return m.Text(mapi.HTML), "text/html"
		case codepage.Encoding(n) != nil && !utf8.Valid(v.Data):
			return codepage.Decode(n, v.Data), "text/html"
		default:
			return string(v.Data), "text/html"
		}
	}
	rtf, err := mapi.Unpack(m.Bytes(mapi.RTF))
	if err != nil {
		return "", ""
	}
	if text, kind = mapi.Unwrap(rtf); kind == "" {
		return string(rtf), "text/rtf"
	}
	return text, kind
}

// textPart returns a part of text.
func textPart(kind, text string) []byte {
	head := "Content-Type: " + kind
	if kind != "text/rtf" {
		head += "; charset=utf-8"
	}
	return []byte(head + "\nContent-Disposition: inline\n\n" + text)
}

// signedMessage returns the parts of a message that was signed, which Outlook keeps as they came, in an attachment; nil of others.
func signedMessage(m *mapi.Message) []byte {
	if len(m.Attachments) != 1 || !strings.HasPrefix(strings.ToUpper(m.Text(mapi.Class)), "IPM.NOTE.SMIME") {
		return nil
	}
	data := bytes.TrimLeft(m.Attachments[0].Bytes(mapi.Data), "\r\n")
	if h, _ := splitHead(data); strings.HasPrefix(strings.ToLower(h.get("content-type")), "multipart/") {
		return data
	}
	return nil
}

// attachmentPart returns an attachment: a message, a file, or the name of one that is elsewhere.
func attachmentPart(a *mapi.Attachment) []byte {
	if a.Message != nil {
		return append([]byte("Content-Type: message/rfc822\n\n"), internetMessage(a.Message)...)
	}
	data := a.Bytes(mapi.Data)
	kind := strings.ToLower(strings.TrimSpace(a.Text(attachKind)))
	if major, _, ok := strings.Cut(kind, "/"); !ok || major == "" || major == "multipart" || strings.ContainsAny(kind, " ;\r\n") {
		kind = "application/octet-stream"
	}
	name := cmp.Or(a.Text(attachLongName), a.Text(attachShortName), a.Text(mapi.DisplayName), a.Text(attachLongPath), a.Text(attachPath))
	name = strings.Join(strings.Fields(name[strings.LastIndexAny(name, `/\`)+1:]), " ")
	disposition := "attachment"
	if name != "" {
		disposition = cmp.Or(mime.FormatMediaType(disposition, map[string]string{"filename": name}), disposition)
	}
	return append([]byte("Content-Type: "+kind+"\nContent-Disposition: "+disposition+"\n\n"), data...)
}
