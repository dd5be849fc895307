package office

import "testing"

// Dublin Core is what DOCX, OpenDocument and EPUB (calibre: "Unknown") have in common.
func TestPropertiesThatNobodyWrote(t *testing.T) {
	var p properties
	for _, said := range [][2]string{{"title", "Untitled"}, {"creator", "Unknown"}, {"creator", "Ann Lee"}} {
		p.start(element{})
		p.text(said[1])
		p.end(said[0])
	}
	if m := p.result(); m.Title != "" || len(m.Authors) != 1 || m.Authors[0] != "Ann Lee" {
		t.Errorf("%+v", m)
	}
}
