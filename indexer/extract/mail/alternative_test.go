package mail

import (
	"slices"
	"strings"
	"testing"
)

// alternative writes a message with several forms of a text, each with its fields.
func alternative(forms ...string) string {
	return "Subject: x\nContent-Type: multipart/alternative; boundary=b\n\n--b\n" + strings.Join(forms, "\n--b\n") + "\n--b--\n"
}

// A hint at another form hides nothing, and of two forms that say the same one is written.
func TestWhatEachFormSaysIsReadOnce(t *testing.T) {
	const order = "<h1>Order 4711</h1><p>Two sacks of clay for the kiln.</p><p>They cost 39 francs.</p>"
	const orderText = "# x\n\n## Order 4711\n\nTwo sacks of clay for the kiln.\n\nThey cost 39 francs."
	html := func(page string) string { return "Content-Type: text/html\n\n" + page }
	plain := func(text string) string { return "Content-Type: text/plain\n\n" + text }
	for name, c := range map[string]struct{ data, want string }{
		"the same":               {alternative(plain("Order 4711\n\nTwo sacks of clay for\nthe kiln. They cost 39 francs.\n\n[https://example.org/track?u=99]"), html(order)), "# x\n\nOrder 4711\n\nTwo sacks of clay for\nthe kiln. They cost 39 francs.\n\n[https://example.org/track?u=99]"},
		"the other way":          {alternative(html(order), plain("Order 4711\n\nTwo sacks of clay for the kiln. They cost 39 francs.")), "# x\n\nOrder 4711\n\nTwo sacks of clay for the kiln. They cost 39 francs."},
		"a hint":                 {alternative(plain("Your program shows no HTML."), html(order)), orderText + "\n\nYour program shows no HTML."},
		"a link":                 {alternative(plain("https://example.org/view?id=4711"), html(order)), orderText},
		"nothing":                {alternative(plain(" \n"), html(order)), orderText},
		"nothing rich":           {alternative(plain("Two sacks"), html("")), "# x\n\nTwo sacks"},
		"HTML as plain":          {alternative(plain("<html><h1>Order 4711</h1></html>"), html(order)), orderText},
		"styles":                 {alternative(plain("body, td { font-family: Arial; color: #333 }\n@media print {\n .a { margin: 0; }\n}\nOrder 4711. Two sacks of clay for the kiln. They cost 39 francs."), html(order)), "# x\n\nOrder 4711. Two sacks of clay for the kiln. They cost 39 francs."},
		"a beginning":            {alternative(plain("Order 4711"), html(order)), orderText},
		"a line more":            {alternative(plain("Order 4711. Two sacks of clay for the kiln."), html(order)), "# x\n\nOrder 4711. Two sacks of clay for the kiln.\n\nThey cost 39 francs."},
		"a line less":            {alternative(plain("Order 4711. Two sacks of clay for the kiln. They cost 39 francs.\n\nAnn"), html(order)), "# x\n\nOrder 4711. Two sacks of clay for the kiln. They cost 39 francs.\n\nAnn"},
		"two languages":          {alternative(plain("Zwei Sack Ton"), html("<p>Two sacks of clay</p>")), "# x\n\nTwo sacks of clay\n\nZwei Sack Ton"},
		"without spaces":         {alternative(plain("粘土を二\n袋"), html("<p>粘土を二袋</p>")), "# x\n\n粘土を二\n袋"},
		"soft hyphens":           {alternative(plain("Dachrinne reparieren"), html("<p>Dach\u00adrinne repa\u200brieren</p>")), "# x\n\nDachrinne reparieren"},
		"for programs of Google": {alternative(plain("Order"), "Content-Type: text/x-amp-html\n\n"+order, html("<p>Order 4711</p>")), orderText},
		"for watches":            {alternative(plain("Order 4711"), "Content-Type: text/watch-html\n\n<p>Order 4711 came</p>"), "# x\n\nOrder 4711\n\nOrder 4711 came"},
		"enriched":               {alternative(plain("See the attachment"), "Content-Type: text/enriched\n\n<bold>Two sacks</bold> of\nclay << 40\n\n<color><param>red</param>for the kiln</color>"), "# x\n\nTwo sacks of clay < 40\nfor the kiln\n\nSee the attachment"},
		"rich text":              {"Subject: x\nContent-Type: text/richtext\n\n<bold>Two</bold> <lt> 3<nl>sacks\nof<comment>no</comment> clay", "# x\n\nTwo < 3\nsacks of clay"},
		"flowed":                 {alternative("Content-Type: text/plain; format=flowed; delsp=yes\n\nKin \nderwagen repa \nrieren", html("<p>Kinderwagen reparieren</p>")), "# x\n\nKinderwagen reparieren"},
		"two charsets":           {alternative("Content-Type: text/plain; charset=iso-8859-1\n\nDachst\xfchle", "Content-Type: text/html; charset=utf-8\n\n<p>Dachstühle</p>"), "# x\n\nDachstühle"},
		"related within":         {alternative(plain("See the page"), "Content-Type: multipart/related; boundary=c\n\n--c\n"+html(order)+"\n--c\nContent-Type: text/css\n\np { color: red }\n--c\nContent-Type: image/png; name=i.png\n\nx\n--c--"), orderText + "\n\nSee the page\n\n- Attachment: i.png"},
		"within related":         {"Subject: x\nContent-Type: multipart/related; boundary=c\n\n--c\n" + alternative(plain("See the page"), html(order)) + "\n--c\nContent-Type: image/png; name=i.png\n\nx\n--c--", orderText + "\n\nSee the page\n\n- Attachment: i.png"},
		"files within a form":    {alternative(plain("Order 4711"), "Content-Type: multipart/mixed; boundary=c\n\n--c\n"+html("<p>Order</p>")+"\n--c\nContent-Type: application/pdf; name=i.txt\n\nthe invoice\n--c\n"+html("<p>4711 of May</p>")+"\n--c--"), "# x\n\nOrder 4711\n\n4711 of May\n\n- Attachment: i.txt\n\nthe invoice"},
		"forms within a form":    {alternative(plain("Order"), "Content-Type: multipart/related; boundary=c\n\n--c\nContent-Type: multipart/alternative; boundary=d\n\n--d\n"+plain("Order")+"\n--d\n"+html(order)+"\n--d--\n--c--"), orderText},
		"a letter within":        {alternative(plain("Order"), "Content-Type: message/rfc822\n\nSubject: y\n\nclay"), "# x\n\nOrder\n\n## y\n\nclay"},
	} {
		if got := mustRead(t, "a.eml", c.data).Text; got != c.want {
			t.Errorf("%s: read\n%s\nwant\n%s", name, got, c.want)
		}
	}
}

// An invitation is sent as text, as a page, as an event, and as a file of that.
func TestTheEventOfAnInvitationIsReadOnce(t *testing.T) {
	const event = "Content-Type: text/calendar; method=REQUEST\n\nBEGIN:VEVENT Kiln opening, shed\n"
	data := "Subject: x\nContent-Type: multipart/mixed; boundary=m\n\n--m\n" + alternative("\nYou are invited.", event) +
		"\n--m\n" + strings.Replace(event, "REQUEST\n", "REQUEST; name=invite.ics\nContent-Disposition: attachment\nContent-Transfer-Encoding: quoted-printable\n", 1) + "\n--m--\n"
	if got, want := mustRead(t, "a.eml", data).Text, "# x\n\nYou are invited.\n\n- Attachment: part.ics\n\nBEGIN:VEVENT Kiln opening, shed\n\n- Attachment: invite.ics"; got != want {
		t.Errorf("read\n%s\nwant\n%s", got, want)
	}
}

func TestPlainTextThatIsAPageIsReadAsOne(t *testing.T) {
	for body, want := range map[string]string{
		"<html><p>two sacks</p></html>\n":                      "two sacks",
		"<p>How do I write</p><p>this</p> in HTML?":            "<p>How do I write</p><p>this</p> in HTML?",
		"a { b: c; } is a rule, <html></html></p> is a page. ": "a { b: c; } is a rule, <html></html></p> is a page.",
	} {
		if got := mustRead(t, "a.eml", "Subject: x\n\n"+body).Text; got != "# x\n\n"+want {
			t.Errorf("%q: read %q", body, got)
		}
	}
}

// Long lines are not added for a word.
func TestSentencesOfALineAreJudgedAlone(t *testing.T) {
	bar := strings.TrimSpace(strings.Repeat("clay kiln glaze ", 40))
	got := unsaid(piece{text: "# Clay. Kiln! A new wheel | glaze\n" + bar + " wheels " + bar, rich: true},
		map[string]bool{"clay": true, "kiln": true, "glaze": true})
	if !strings.HasPrefix(got, "A new wheel |") || !strings.Contains(got, "wheels") || len(got) > 300 {
		t.Errorf("%q", got)
	}
	for _, line := range []string{bar, "", "a", "a. b", ". . ", "x | y |"} {
		if joined := strings.Join(slices.Collect(sentences(line)), ""); joined != line {
			t.Errorf("%q became %q", line, joined)
		}
	}
}
