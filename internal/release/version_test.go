package main

import "testing"

func TestVersionOf(t *testing.T) {
	for describe, want := range map[string]version{
		"v1.2.3":                    {"1.2.3", "1.2.3"},
		"v1.0.0-rc.1":               {"1.0.0-rc.1", "1.0.0rc1"},
		"v1.0.0-rc.1-12-gb8d1581":   {"1.0.0-rc.1.12.gb8d1581", "1.0.0rc1.post12+gb8d1581"},
		"v1.0.0-12-gb8d1581":        {"1.0.0+12.gb8d1581", "1.0.0.post12+gb8d1581"},
		"b8d1581":                   {"0.0.0-0.gb8d1581", "0.0.0.dev0+gb8d1581"},
		"nothing/../of the: kind\n": {"0.0.0-0.gnothingofthekind", "0.0.0.dev0+gnothingofthekind"},
	} {
		if got := versionOf(describe); got != want {
			t.Errorf("%q: %v, want %v", describe, got, want)
		}
	}
}
