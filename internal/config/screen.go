package config

import (
	"fmt"
	"slices"
)

// Screen says how the screen looks and behaves.
type Screen struct {
	History bool              // keep queries from one time to the next
	Theme   string            // one of Themes
	Motion  bool              // results may move while they are ranked
	Keys    map[string]string // keys of actions, parted by blanks; the screen knows which there are
}

// Themes are the values of screen.theme.
var Themes = []string{"auto", "light", "dark", "contrast"}

// screenFile mirrors the table screen.
type screenFile struct {
	History *bool   `toml:"history"`
	Theme   *string `toml:"theme"`
	Motion  *bool   `toml:"motion"`
}

// applyScreen puts the tables screen and keys over what is in c.
func (c *Config) applyScreen(f file) error {
	c.Screen.Keys = f.Keys
	s := f.Screen
	if s == nil {
		return nil
	}
	if s.History != nil {
		c.Screen.History = *s.History
	}
	if s.Motion != nil {
		c.Screen.Motion = *s.Motion
	}
	if s.Theme != nil {
		if !slices.Contains(Themes, *s.Theme) {
			return fmt.Errorf("screen.theme = %q: want \"auto\", \"light\", \"dark\" or \"contrast\"%s", *s.Theme, meant(*s.Theme, Themes))
		}
		c.Screen.Theme = *s.Theme
	}
	return nil
}
