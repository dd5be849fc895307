package cli

import (
	"fmt"
	"slices"
	"strings"
)

// colour is when text is coloured.
type colour string

const (
	colourAuto   colour = "auto" // on a terminal, unless the environment forbids it
	colourAlways colour = "always"
	colourNever  colour = "never"
)

var colours = []string{string(colourAuto), string(colourAlways), string(colourNever)}

// String implements pflag.Value.
func (c *colour) String() string { return string(*c) }

// Type implements pflag.Value.
func (c *colour) Type() string { return "when" }

// Set implements pflag.Value.
func (c *colour) Set(value string) error {
	if !slices.Contains(colours, value) {
		return fmt.Errorf("want %s%s", strings.Join(colours, ", "), didYouMean(value, colours))
	}
	*c = colour(value)
	return nil
}
