package document

import "strings"

// undivider drops the characters that only say where a line may be divided, or may not: the
// soft hyphen, the space without width, the word joiner, the byte order mark. Those that join
// and part letters of Persian or Hindi, and emoji, stay: the text looks different without.
var undivider = strings.NewReplacer("\u00ad", "", "\u200b", "", "\u2060", "", "\ufeff", "")

// Undivided is a text without the characters that only say where a line may be divided:
// typesetters put them into words, where no reader sees them.
func Undivided(text string) string { return undivider.Replace(text) }
