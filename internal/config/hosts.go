package config

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"
)

// ThisMachine is the name by which a search of several machines asks this one.
const ThisMachine = "here"

// applyHosts puts other machines over what is in c.
func (c *Config) applyHosts(f file) error {
	for _, name := range slices.Sorted(maps.Keys(f.Hosts)) {
		odd := func(r rune) bool {
			return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("-_.", r)
		}
		switch {
		case name == "" || name == ThisMachine || strings.ContainsFunc(name, odd):
			return fmt.Errorf("hosts.%q: a machine is called by letters, digits, dots and dashes, and %s is this one", name, ThisMachine)
		case len(strings.Fields(f.Hosts[name])) == 0:
			return fmt.Errorf("hosts.%s = %q: want a command that runs another on that machine, such as \"ssh %[1]s\"", name, f.Hosts[name])
		}
		if c.Hosts == nil {
			c.Hosts = map[string]string{}
		}
		c.Hosts[name] = f.Hosts[name]
	}
	return nil
}
