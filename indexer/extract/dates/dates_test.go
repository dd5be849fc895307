package dates_test

import (
	"strings"
	"testing"
	"time"

	"dowse/indexer/extract/dates"
	"dowse/internal/testmutate"
)

// TestLeading reads each date as what Go's own layouts read of it, and leaves what stands behind it.
func TestLeading(t *testing.T) {
	day := time.Date(2025, 5, 1, 0, 0, 0, 0, dates.Clock)
	at := func(hour, minute, second int, where *time.Location) time.Time {
		return time.Date(2025, 5, 1, hour, minute, second, 0, where)
	}
	for text, want := range map[string]struct {
		t    time.Time
		rest string
	}{
		"2025-05-01": {day, ""}, "2025-05-01 the heron": {day, " the heron"}, "2025/5/1: x": {day, ": x"}, "2025_05_01": {day, ""}, "2025.05.01.": {day, "."},
		"Thursday, 1 May 2025": {day, ""}, "Thu 1 May 2025 - x": {day, " - x"}, "Donnerstag, 1. Mai 2025": {day, ""}, "Do., 1. Mai 2025": {day, ""}, "1er mai 2025": {}, "jeudi 1 mai 2025": {day, ""},
		"1 de mayo de 2025": {day, ""}, "May 1st, 2025": {day, ""}, "Thursday, May 1, 2025 at 10:05 PM": {at(22, 5, 0, dates.Clock), ""}, "May 2025": {}, "1 Mayor 2025": {},
		"1.5.2025": {day, ""}, "01.05.2025, 10:00": {at(10, 0, 0, dates.Clock), ""}, "05/06/2025": {}, "Thursday, 05/01/2025": {day, ""}, "Thursday, 01/05/2025": {day, ""}, "Friday, 01/05/2025": {},
		"2025-05-01T10:00:00Z INFO": {at(10, 0, 0, time.UTC), " INFO"}, "2025-05-01T10:00:00.123+02:00": {at(8, 0, 0, time.UTC), ""}, "2025-05-01 10:00:07,123 x": {at(10, 0, 7, dates.Clock), " x"},
		"2025-05-01 Thu 10:00-11:00": {at(10, 0, 0, dates.Clock), "-11:00"}, "2025-05-01 Thu": {day, " Thu"}, "01/May/2025:10:00:00 +0000] x": {at(10, 0, 0, time.UTC), "] x"}, "1-May-2025": {day, ""},
		"2025-05-01 12:30 a.m.": {at(0, 30, 0, dates.Clock), ""}, "2025-05-01 9:30 am.": {at(9, 30, 0, dates.Clock), "."}, "2025-02-30": {}, "2025-05-011": {}, "20250501": {}, "1200-05-01": {}, "31.4.2025": {}, "marvellous": {}, "": {}, "Mo": {}, "2025": {}, "2025-": {}, "1.": {}, "2025-05-01b": {},
	} {
		got, rest, ok := dates.Leading(text)
		if ok != !want.t.IsZero() || ok && (!got.Equal(want.t) || got.Location() != want.t.Location() || rest != want.rest) {
			t.Errorf("%q is %v and %q (%v), want %v and %q", text, got, rest, ok, want.t, want.rest)
		}
	}
}

// TestParseKnowsLayouts takes the layouts that programs write, each way round.
func TestParseKnowsLayouts(t *testing.T) {
	when := time.Date(2025, 11, 27, 17, 4, 5, 0, time.UTC)
	for _, layout := range []string{
		time.RFC3339, "2006-01-02T15:04:05", "2006-01-02 15:04:05 -0700", "2006-01-02 15:04:05", "2006-01-02T15:04", "2006-01-02 15:04", "2006-01-02", "2006/01/02", "2006-01", "20060102",
		"2.1.2006", "January 2, 2006", "2 January 2006", "Jan 2, 2006", time.RFC1123Z, time.RFC1123, "Monday, 2 January 2006", "2006-01-02 Mon 15:04", "2006-01-02 3:04 PM",
	} {
		want, err := time.Parse(layout, when.Format(layout))
		if err != nil {
			t.Fatal(err)
		}
		if got := dates.Parse(" " + when.Format(layout) + "\n"); !got.Equal(want) {
			t.Errorf("%s is %v, want %v", when.Format(layout), got, want)
		}
	}
	for _, text := range []string{"2025-05-01 and more", "10:00", "12345678", "99999999", "x", "", "2025-13"} {
		if got := dates.Parse(text); !got.IsZero() {
			t.Errorf("%q is %v", text, got)
		}
	}
}

// TestHostileTexts: what is read stands in the text.
func TestHostileTexts(t *testing.T) {
	seeds := [][]byte{[]byte("Thursday, 1. Mai 2025, 10:00:07.5 PM +02:00 x"), []byte("2025-05-01T10:00:00Z"), []byte("May 1st, 2025 at 10:05"), []byte("01/May/2025:10:00:00 +0000"), []byte("1 de mayo de 2025")}
	testmutate.Each(t, 4000, seeds, func(data []byte) {
		if _, rest, _ := dates.Leading(string(data)); !strings.HasSuffix(string(data), rest) {
			t.Errorf("%q leaves %q", data, rest)
		}
	})
}
