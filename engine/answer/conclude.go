package answer

import "strings"

// Conclude reads a finished answer. It drops a sentence cut off for want of
// room, unless that is all, and words every declining answer alike.
func (c *Checker) Conclude(text string, cut bool) Answer {
	text = strings.TrimSpace(text)
	if begun := c.Check(text, false).Sentences; cut && len(begun) > 1 {
		text = text[:begun[len(begun)-2].End]
	}
	said := c.Check(text, true)
	if said.Declined {
		return Declined()
	}
	return said
}
