package office

import "testing"

func TestNumbersAreShownAsAPersonReadsThem(t *testing.T) {
	for _, c := range []struct {
		code  string
		value float64
		want  string
	}{
		{"General", 1234.5, "1234.5"}, {"", 0.1 + 0.2, "0.3"}, {"", 1e20, "1E+20"}, {"", -7, "-7"}, {"", 44197, "44197"},
		{"0", 2.5, "3"}, {"0.00", 2, "2.00"}, {"0.00", 1.005, "1.01"}, {"#,##0", 1234567, "1,234,567"}, {"#,##0.00", -1234.5, "-1,234.50"},
		{"0%", 0.25, "25%"}, {"0.0#%", 0.25, "25.0%"}, {"0.00E+00", 12345, "1.23E+04"}, {"# ?/?", 0.5, "0.5"},
		{`#,##0.00\ [$€-407]`, 1234.5, "1,234.50 €"}, {`[$$-409]#,##0;[Red]([$$-409]#,##0)`, -5, "($5)"}, {`0.0" kg"`, 3.25, "3.3 kg"},
		{`0;-0;"none"`, 0, "none"}, {`_-* #,##0.00_-;-* #,##0.00_-;_-* "-"??_-;_-@_-`, -12, "-12.00"}, {"0", -0.2, "0"},
		{"yyyy-mm-dd", 44197, "2021-01-01"}, {"dd.mm.yyyy", 44197, "2021-01-01"}, {"m/d/yy h:mm", 44197.5, "2021-01-01 12:00"},
		{"mmm-yy", 44197, "2021-01"}, {"yyyy", 44197, "2021"}, {"h:mm AM/PM", 0.75, "18:00"}, {"mm:ss", 0.5 / 24, "00:30:00"},
		{"[h]:mm:ss", 1.5, "36:00:00"}, {`[$-F800]dddd\,\ mmmm\ dd\,\ yyyy`, 44197, "2021-01-01"}, {"yyyy-mm-dd", 1, "1900-01-01"},
		{"yyyy-mm-dd", 61, "1900-03-01"}, {"yyyy-mm-dd", 2958466, "2958466"}, {"yyyy-mm-dd", -1, "-1"}, {"yyyy-mm-dd hh:mm:ss", 44197.99999, "2021-01-01 23:59:59"},
		{`0.0.0`, 1.5, "1.50"}, {`"`, 5, "5"}, {`[`, 5, "5"}, {`\`, 5, "5"}, {"@", 5, "5"},
	} {
		if got := parseNumberFormat(c.code).show(c.value, false); got != c.want {
			t.Errorf("%v as %q is %q, want %q", c.value, c.code, got, c.want)
		}
	}
	if got := parseNumberFormat("yyyy-mm-dd").show(42735, true); got != "2021-01-01" {
		t.Errorf("a count from 1904 is %s", got)
	}
}

func TestReferencesOfCells(t *testing.T) {
	for ref, want := range map[string][2]int{
		"A1": {1, 1}, "B3:D9": {2, 3}, "$C$12": {3, 12}, "XFD1048576": {16384, 1048576}, "": {}, "7": {}, "A": {}, "A0": {}, "a1": {}, "ABCD1": {}, "A99999999999999999999": {},
	} {
		if c, r := cellAt(ref); c != want[0] || r != want[1] {
			t.Errorf("%s is column %d, row %d", ref, c, r)
		}
	}
}
