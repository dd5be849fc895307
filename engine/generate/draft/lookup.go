package draft

// Prompt lookup's published numbers.
const (
	lookupNgram  = 3
	lookupTokens = 10
)

// Lookup is prompt lookup (Saxena 2023), the baseline: the tokens after the
// first earlier occurrence of the last three tokens, of the last two, or of the
// last one. It returns at most 10 tokens of text, or none.
func Lookup(text []int32) []int32 {
	for n := lookupNgram; n >= 1; n-- {
		last := len(text) - n
		if last <= 0 {
			continue
		}
		for at := 0; at < last; at++ {
			if equal(text[at:at+n], text[last:]) {
				return text[at+n : min(at+n+lookupTokens, len(text))]
			}
		}
	}
	return nil
}

func equal(a, b []int32) bool {
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}
