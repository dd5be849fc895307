package tokenizer

// Byte-level vocabularies are written in one visible character per byte
// (GPT-2's bytes_to_unicode): the printable ones of Latin-1 stand for
// themselves, the others for U+0100 and up in order.

// alphabetSize bounds the characters of the alphabet.
const alphabetSize = 0x144

// alphabet holds the byte that each character stands for, or -1.
var alphabet = func() (bytes [alphabetSize]int16) {
	for i := range bytes {
		bytes[i] = -1
	}
	next := 0x100
	for c := range 0x100 {
		if c > ' ' && c < 0x7f || c > 0xa0 && c != 0xad {
			bytes[c] = int16(c)
		} else {
			bytes[next] = int16(c)
			next++
		}
	}
	return bytes
}()

// alphabetBytes returns the bytes of a token of a byte-level vocabulary. It
// fails for characters outside the alphabet.
func alphabetBytes(token string) (string, bool) {
	text := make([]byte, 0, len(token))
	for _, r := range token {
		if r >= alphabetSize || alphabet[r] < 0 {
			return "", false
		}
		text = append(text, byte(alphabet[r]))
	}
	return string(text), true
}
