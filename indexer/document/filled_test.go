package document

import (
	"slices"
	"testing"
)

func TestSaid(t *testing.T) {
	m := Meta{Authors: []string{"anonymous", "Ann Lee", "(unspecified)", "Unknown", "<unknown>", "user", "Administrator", "Microsoft Office User", "Anon Ymous", "User Friendly"}}
	want := []string{"Ann Lee", "Anon Ymous", "User Friendly"}
	if got := m.Said().Authors; !slices.Equal(got, want) || m.Authors[0] != "anonymous" {
		t.Errorf("authors %q, want %q; before %q", got, want, m.Authors)
	}
	if got := (Meta{Authors: []string{"(anonymous)"}}).Said().Authors; got != nil {
		t.Errorf("nobody is %q", got)
	}
	for title, want := range map[string]string{
		"untitled": "", "(untitled)": "", "Untitled": "", "(anonymous)": "", "unspecified": "", "Microsoft Word - x.doc": "", "Document": "",
		"Microsoft Word - Minutes of March": "Minutes of March", "paper.dvi": "", "Report final.DOCX": "", "PowerPoint Presentation": "", "": "",
		"Untitled poems": "Untitled poems", "The unknown soldier": "The unknown soldier", "User guide": "User guide",
	} {
		if got := (Meta{Title: title}).Said().Title; got != want {
			t.Errorf("%q is the title %q, want %q", title, got, want)
		}
	}
}
