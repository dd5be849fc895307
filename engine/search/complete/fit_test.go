package complete

import "testing"

func TestFitOf(t *testing.T) {
	for _, tt := range []struct {
		value, typed string
		want         fit
	}{
		{"garden", "gar", begins}, {"garden", "", begins}, {"my garden", "gar", beginsWord}, {"ann@example.org", "ex", beginsWord},
		{"regarding", "gar", contains}, {"regarding garden", "gar", beginsWord}, {"soil", "gar", differs},
		{"a. lee\nlee, ann", "lee", begins}, {"größe/übung", "üb", beginsWord}, {"ßübung", "üb", contains}, {"", "x", differs}, {"aaa", "aa", begins},
	} {
		if got := fitOf(tt.value, tt.typed); got != tt.want {
			t.Errorf("%q, %q: %d, want %d", tt.value, tt.typed, got, tt.want)
		}
	}
}
