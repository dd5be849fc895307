package office

import "testing"

// Programs that write no text into a cell leave its value, and that is read as others show it.
func TestCellsOfODSWithoutText(t *testing.T) {
	cells := ""
	for _, c := range [][2]string{
		{`"string"`, `<text:p>x</text:p>`}, {`"float" office:value="1.5"`}, {`"boolean" office:boolean-value="true"`},
		{`"boolean" office:boolean-value="true"`, `<text:p>VRAI</text:p>`}, {`"date" office:date-value="2021-01-02"`},
		{`"time" office:time-value="PT18H30M00S"`}, {`"time" office:time-value="PT30H05M09.5S"`}, {`"time" office:time-value="soon"`},
	} {
		cells += `<table:table-cell office:value-type=` + c[0] + `>` + c[1] + `</table:table-cell>`
	}
	d := text(t, "a.ods", archive(t, member{"mimetype", "application/vnd.oasis.opendocument.spreadsheet"}, member{"content.xml",
		`<o><office:spreadsheet><table:table table:name="S"><table:table-row>` + cells + `</table:table-row></table:table></office:spreadsheet></o>`}))
	if want := "# S\n\nx; 1.5; TRUE; VRAI; 2021-01-02; 18:30; 30:05:09"; d.Text != want {
		t.Errorf("%q, want %q", d.Text, want)
	}
}
