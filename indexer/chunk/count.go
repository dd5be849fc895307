package chunk

// longText is the length from which on counts are remembered, in bytes: what is shorter has few lines twice, and to keep
// them takes longer than to count.
const longText = 256 << 10

// rememberedTexts is how many counts are remembered: a table of a million rows has few that differ, or no two alike.
const rememberedTexts = 1 << 12

// remembered returns a count that does not count a text again that was counted a short while before.
func remembered(count func(string) int) func(string) int {
	known := make(map[string]int)
	return func(text string) int {
		if n, is := known[text]; is {
			return n
		}
		if len(known) == rememberedTexts {
			clear(known)
		}
		n := count(text)
		known[text] = n
		return n
	}
}
