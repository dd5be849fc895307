package mail

import (
	"strings"
	"time"

	"dowse/indexer/extract/mail/mapi"
)

// particular is what a contact, an appointment or a task says beside its text.
type particular struct {
	label string
	id    uint16
	name  mapi.Name // where id is 0
}

// particularsOf are those of kinds of items, by how their class begins.
var particularsOf = []struct {
	class string
	of    []particular
}{
	{"IPM.CONTACT", []particular{
		{"Nickname", 0x3a4f, mapi.Name{}}, {"Company", 0x3a16, mapi.Name{}}, {"Title", 0x3a17, mapi.Name{}}, {"Department", 0x3a18, mapi.Name{}},
		{"Email", 0, mapi.Name{Set: mapi.Contact, ID: 0x8083}}, {"Email", 0, mapi.Name{Set: mapi.Contact, ID: 0x8093}}, {"Email", 0, mapi.Name{Set: mapi.Contact, ID: 0x80a3}},
		{"Phone", 0x3a08, mapi.Name{}}, {"Phone", 0x3a1b, mapi.Name{}}, {"Phone", 0x3a09, mapi.Name{}}, {"Mobile", 0x3a1c, mapi.Name{}}, {"Fax", 0x3a24, mapi.Name{}},
		{"Address", 0, mapi.Name{Set: mapi.Contact, ID: 0x801b}}, {"Address", 0, mapi.Name{Set: mapi.Contact, ID: 0x801a}}, {"Address", 0x3a15, mapi.Name{}},
		{"Web", 0x3a51, mapi.Name{}}, {"Web", 0, mapi.Name{Set: mapi.Contact, ID: 0x802b}}, {"Birthday", 0x3a42, mapi.Name{}}, {"Spouse", 0x3a48, mapi.Name{}},
	}},
	{"IPM.APPOINTMENT", meeting}, {"IPM.SCHEDULE", meeting}, {"IPM.OLE.CLASS", meeting},
	{"IPM.TASK", []particular{
		{"Start", 0, mapi.Name{Set: mapi.Task, ID: 0x8104}}, {"Due", 0, mapi.Name{Set: mapi.Task, ID: 0x8105}}, {"Owner", 0, mapi.Name{Set: mapi.Task, ID: 0x811f}},
	}},
}

var meeting = []particular{
	{"Start", 0, mapi.Name{Set: mapi.Appointment, ID: 0x820d}}, {"End", 0, mapi.Name{Set: mapi.Appointment, ID: 0x820e}},
	{"Location", 0, mapi.Name{Set: mapi.Appointment, ID: 0x8208}}, {"Recurrence", 0, mapi.Name{Set: mapi.Appointment, ID: 0x8232}},
}

// particulars returns what an item that is no mail says beside its text, a line each.
func particulars(m *mapi.Message) string {
	class := strings.ToUpper(m.Text(mapi.Class))
	var out strings.Builder
	seen := map[string]bool{}
	for _, kind := range particularsOf {
		if !strings.HasPrefix(class, kind.class) {
			continue
		}
		for _, p := range kind.of {
			id := p.id
			if id == 0 {
				id = m.Of(p.name)
			}
			text := strings.Join(strings.Fields(m.Text(id)), " ")
			if t := m.Time(id); !t.IsZero() {
				text = t.Format("Mon 2 Jan 2006 15:04 UTC")
				if p.label == "Birthday" { // midnight where it was written down
					text = t.Add(12 * time.Hour).Format("2 Jan 2006")
				}
			}
			if text != "" && !seen[text] {
				seen[text] = true
				out.WriteString(p.label + ": " + text + "\n")
			}
		}
	}
	return out.String()
}
