package mail

import (
	"bytes"
	"cmp"
	"strings"
	"time"

	"dowse/indexer/extract/mail/mapi"
)

// writeHeader writes sender, recipients and date. The head that the message was delivered with is
// taken first, since it has the addresses and the clock of who wrote it.
func writeHeader(out *bytes.Buffer, m *mapi.Message) {
	brought, _ := splitHead([]byte(strings.TrimLeft(m.Text(mapi.Headers), "\r\n")))
	field := func(name string, values ...string) {
		for _, v := range values {
			if v = strings.Join(strings.Fields(v), " "); v != "" {
				out.WriteString(name + ": " + v + "\n")
			}
		}
	}
	field("MIME-Version", "1.0")
	field("Subject", cmp.Or(m.Text(mapi.Subject), m.Text(mapi.DisplayName)))
	for _, f := range []struct {
		name string
		said []string
	}{
		{"From", []string{sender(m)}}, {"To", recipients(m, 1, displayTo)}, {"Cc", recipients(m, 2, displayCc)}, {"Bcc", recipients(m, 3, displayBcc)}, {"Date", []string{date(m)}},
	} {
		if before := brought.get(strings.ToLower(f.name)); before != "" {
			f.said = []string{before}
		}
		field(f.name, f.said...)
	}
	keywords := m.Texts(m.Of(mapi.Name{Set: mapi.PublicStrings, Text: "Keywords"}))
	field("Keywords", strings.Join(keywords, ", "))
}

// Further numbers of properties.
const (
	displayBcc      = 0x0e02
	displayCc       = 0x0e03
	displayTo       = 0x0e04
	senderName      = 0x0c1a
	senderType      = 0x0c1e
	senderAddress   = 0x0c1f
	senderSMTP      = 0x5d01
	authorName      = 0x0042 // on whose behalf it was sent
	authorType      = 0x0064
	authorAddress   = 0x0065
	authorSMTP      = 0x5d02
	attachShortName = 0x3704
	attachLongName  = 0x3707
	attachPath      = 0x3708
	attachLongPath  = 0x370d
	attachKind      = 0x370e
)

// sender returns the author of a message.
func sender(m *mapi.Message) string {
	author := mailbox(m.Text(authorName), m.Text(authorSMTP), m.Text(authorType), m.Text(authorAddress))
	return cmp.Or(author, mailbox(m.Text(senderName), m.Text(senderSMTP), m.Text(senderType), m.Text(senderAddress)))
}

// recipients returns the recipients of a type, or the text shown in their place.
func recipients(m *mapi.Message, kind uint32, shown uint16) []string {
	var all []string
	for i := range m.Recipients {
		r := &m.Recipients[i]
		if r.Number(mapi.RecipientType)&15 != kind {
			continue
		}
		if a := mailbox(r.Text(mapi.DisplayName), r.Text(mapi.SMTPAddress), r.Text(mapi.AddressType), r.Text(mapi.Address)); a != "" {
			all = append(all, a)
		}
	}
	if len(all) == 0 {
		for name := range strings.SplitSeq(m.Text(shown), ";") {
			all = append(all, mailbox(name, "", "", ""))
		}
	}
	return all
}

// mailbox returns a name with an address. One of Exchange's own is of no use to people.
func mailbox(name, smtp, kind, address string) string {
	name = strings.Trim(strings.TrimSpace(name), "'\"")
	if smtp == "" && (kind == "" || strings.EqualFold(kind, "smtp")) && strings.Contains(address, "@") {
		smtp = address
	}
	smtp = strings.Trim(smtp, "<>' ")
	switch {
	case smtp == "" || strings.EqualFold(name, smtp):
		if strings.ContainsAny(name, `,;"()<>`) {
			return `"` + quote.Replace(name) + `"`
		}
		return name
	case name == "":
		return smtp
	}
	return `"` + quote.Replace(name) + `" <` + smtp + ">"
}

var quote = strings.NewReplacer(`"`, `\"`, `\`, `\\`)

// date returns when a message was sent, or else brought, written or changed.
func date(m *mapi.Message) string {
	for _, id := range []uint16{mapi.SubmitTime, mapi.DeliveryTime, mapi.CreationTime, mapi.ModificationTime} {
		if t := m.Time(id); !t.IsZero() {
			return t.Format(time.RFC1123Z)
		}
	}
	return ""
}
