package answer

import (
	"slices"
	"strings"
	"testing"
)

// TestHeadsOfMailsAreNoEvidence: unless the question is about who wrote when, and where it
// is a head and no line of a note.
func TestHeadsOfMailsAreNoEvidence(t *testing.T) {
	const mail = "From: Petra Sommer <p@museums.example.org>; To: Kim; Date: Thu 11 Jun 2026 11:30\n\nDear Kim, the museums close at five."
	const forwarded = "See below.\n\nFrom: museums@city.example.org\nSent: Monday\nSubject: museums in Lisbon\n\nTickets are 12 euros."
	const raw = "Received: from mx.museums.example.org by mail\nX-Mailer: Museums 3\n\nThe coach leaves at nine."
	const note = "Trip to Lisbon\n\nFrom: Ann, the list of museums.\n\nTo do: book."
	for _, c := range []struct {
		name, question, text string
		heads                []string
	}{
		{"row", "which museums close early", mail, []string{"From: Petra"}},
		{"row, asked who", "who wrote about the museums", mail, nil},
		{"row, asked when", "when did Petra say the museums close", mail, nil},
		{"forwarded", "what do the museums cost", forwarded, []string{"From: museums", "Sent: Monday", "Subject: museums"}},
		{"transport", "which museums are there", raw, []string{"Received:", "X-Mailer:"}},
		{"note", "which museums are there", note, nil},
	} {
		asked := Asked{Question: c.question}
		pieces := Pieces(c.text)
		got := mailHeads(&asked, c.text, pieces)
		var said []string
		for i, p := range pieces {
			if got[i] {
				said = append(said, c.text[p.Start:p.End])
			}
		}
		if !slices.EqualFunc(said, c.heads, strings.HasPrefix) {
			t.Errorf("%s: heads %q, want %q", c.name, said, c.heads)
		}
	}
	p := Passage{Number: 1, Path: "/m.eml", Text: forwarded}
	if a := extract(t, "what do museums cost in Lisbon", []Passage{p}); strings.Contains(a.Text, "Subject") || strings.Contains(a.Text, "From:") {
		t.Errorf("quoted %q", a.Text)
	}
}
