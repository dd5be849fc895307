package answer

import "strings"

// Conclude reads an answer that has ended. Where it was cut for want of room, a
// sentence that was only begun is left out, unless it is all there is. However a
// model says that the passages do not answer, it is said in the same words.
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
