package engine

import (
	"errors"
	"strings"
	"time"
)

// parseDate reads a calendar date (the start of the year, month or day), a
// word (today, yesterday) or an age such as 7d, 2w, 3m, 1y before now.
func parseDate(s string, now time.Time) (time.Time, error) {
	for _, layout := range dateLayouts {
		if t, err := time.ParseInLocation(layout, s, now.Location()); err == nil {
			return t, nil
		}
	}
	midnight := time.Date(now.Year(), now.Month(), now.Day(), 0, 0, 0, 0, now.Location())
	switch strings.ToLower(s) {
	case "today":
		return midnight, nil
	case "yesterday":
		return midnight.AddDate(0, 0, -1), nil
	}
	if t, ok := parseAge(s, now); ok {
		return t, nil
	}
	return time.Time{}, errors.New("want a date such as 2026-01-31, 2026-01 or 2026, or an age such as 7d, 2w, 3m, 1y")
}

// maxAge bounds the count of an age, so that arithmetic on dates stays sane.
const maxAge = 100_000

// parseAge reads a count and a unit: hours, days, weeks, months, years.
func parseAge(s string, now time.Time) (time.Time, bool) {
	if len(s) < 2 {
		return time.Time{}, false
	}
	n := 0
	for _, c := range s[:len(s)-1] {
		if c < '0' || c > '9' || n > maxAge {
			return time.Time{}, false
		}
		n = n*10 + int(c-'0')
	}
	switch s[len(s)-1] {
	case 'h':
		return now.Add(-time.Duration(n) * time.Hour), true
	case 'd':
		return now.AddDate(0, 0, -n), true
	case 'w':
		return now.AddDate(0, 0, -7*n), true
	case 'm':
		return now.AddDate(0, -n, 0), true
	case 'y':
		return now.AddDate(-n, 0, 0), true
	}
	return time.Time{}, false
}
