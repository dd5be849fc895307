package lexical

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// TestJumbles: what machines make up is found by its beginning, however much of it is
// asked for.
func TestJumbles(t *testing.T) {
	const base62 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
	for _, kind := range []struct {
		name, digits       string
		length, least, cut int
	}{
		{"git", "0123456789abcdef", 40, 16, hexBytes},
		{"SHA-256", "0123456789ABCDEF", 64, 16, hexBytes},
		{"key", base62, 64, 64, mixedBytes},
	} {
		random, missed := rand.New(rand.NewPCG(1, 1)), 0
		for range 500 {
			word := make([]byte, kind.length)
			for i := range word {
				word[i] = kind.digits[random.IntN(len(kind.digits))]
			}
			if kind.cut == hexBytes { // one that begins with digits alone is a number so far
				copy(word, kind.digits[len(kind.digits)-2:])
				word[2] = '7'
			}
			if kind.digits == base62 && !isKey(string(word)) {
				missed++
				continue
			}
			whole, parts := analyseWord(English, string(word))
			if len(whole) != kind.cut || len(parts) > 0 {
				t.Fatalf("seed 1: %s %s has the term %s and %v of parts", kind.name, word, whole, parts)
			}
			beginning, parts := analyseWord(English, strings.ToLower(string(word[:kind.least])))
			if beginning != whole || len(parts) > 0 {
				t.Fatalf("seed 1: %s %s has the term %s, its beginning %s and %v of parts", kind.name, word, whole, beginning, parts)
			}
		}
		if missed > 50 {
			t.Errorf("seed 1: %d of 500 of the kind %s are taken for names", missed, kind.name)
		}
	}
}

// TestNamesAreNoJumbles: names keep their parts, and numbers all their digits.
func TestNamesAreNoJumbles(t *testing.T) {
	for _, word := range []string{
		"deadbeef", "20230115", "9223372036854775807", "+441632960961", "1024", "IPv6", "sha256sum", "x86_64", "utf_8_to_utf_16",
		"NL80211_CMD_NEW_MPATH", "R_PPC64_DTPREL16_LO_DS", "test_max_pool2d_with_indices", "TestX509V3SHA256",
		"HTTP2ServerX509Certificate", "getElementsByTagNameNS", "internationalisation", "convertToInt32FromUint64",
		"1920x1080", "base64url2hex", "0x00000000000000ff", "Привет2мир3как4дела5",
		"CheckWindowsKeyboardLayoutV2", "NewKubernetesWorkqueueV1Beta1", "linux_keyboard_vt_switch_x11",
	} {
		if n := jumbleBytes(word); n != 0 && n < len(word) {
			t.Errorf("of %s %d bytes are kept", word, n)
		}
		if isMixed(word) {
			t.Errorf("%s has no parts", word)
		}
	}
}
