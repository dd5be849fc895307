package codepage

import "strings"

// symbol is the set of the font Symbol from 0x20 to 0xff; a space stands for what it lacks.
var symbol = []rune(" !∀#∃%&∋()∗+,−./0123456789:;<=>?≅ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ[∴]⊥_‾αβχδεφγηιϕκλμνοπθρστυϖωξψζ{|}∼ " +
	strings.Repeat(" ", 32) +
	"€ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…⏐⎯↵ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓◊〈®©™∑⎛⎜⎝⎡⎢⎣⎧⎨⎩⎪ 〉∫⌠⎮⌡⎞⎟⎠⎤⎥⎦⎫⎬⎭ ")

// dingbats are signs of the font Wingdings that say something.
var dingbats = map[byte]string{
	0x4a: "☺", 0x4c: "☹", 0x6f: "☐", 0xa8: "☐", 0xdf: "←", 0xe0: "→", 0xfb: "✗", 0xfc: "✓", 0xfd: "☒", 0xfe: "☑",
}

// IsSymbolic reports whether the letters of a font are others than their codes say: Symbol, SymbolMT, Wingdings 2.
func IsSymbolic(font string) bool {
	font = strings.ToLower(font)
	return strings.Contains(font, "wingdings") || strings.Contains(font, "symbol") && !strings.Contains(font, "segoe")
}

// Symbol returns what a letter of such a font shows, "" for nothing with a meaning. Programs keep it as a byte, or as that
// byte from U+F000 on.
func Symbol(font string, letter rune) string {
	if letter >= 0xf000 && letter <= 0xf0ff {
		letter -= 0xf000
	}
	switch {
	case letter < 0x20 || letter > 0xff:
		return string(letter)
	case strings.Contains(strings.ToLower(font), "wingdings"):
		return dingbats[byte(letter)]
	}
	return strings.TrimSuffix(string(symbol[letter-0x20]), " ")
}

// Symbols returns the private letters of a text that a font shows, U+F020 to U+F0FF, as what they show. Others stay.
func Symbols(font, text string) string {
	if !IsSymbolic(font) {
		return text
	}
	var out strings.Builder
	for _, r := range text {
		if r >= 0xf020 && r <= 0xf0ff {
			out.WriteString(Symbol(font, r))
		} else {
			out.WriteRune(r)
		}
	}
	return out.String()
}
