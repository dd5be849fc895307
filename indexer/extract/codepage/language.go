package codepage

// Windows gives each language a number: its lower ten bits are the language, the others the country.
const languageBits = 1<<10 - 1

// languages are the code pages of languages whose letters are not those of Western Europe.
var languages = map[int]int{
	0x01: 1256, 0x02: 1251, 0x04: 936, 0x05: 1250, 0x08: 1253, 0x0d: 1255, 0x0e: 1250, 0x11: 932, 0x12: 949, 0x15: 1250, 0x18: 1250, 0x19: 1251,
	0x1a: 1250, 0x1b: 1250, 0x1c: 1250, 0x1e: 874, 0x1f: 1254, 0x20: 1256, 0x22: 1251, 0x23: 1251, 0x24: 1250, 0x25: 1257, 0x26: 1257, 0x27: 1257,
	0x29: 1256, 0x2a: 1258, 0x2c: 1254, 0x2f: 1251, 0x3f: 1251, 0x40: 1251, 0x44: 1251, 0x50: 1251,
}

// countries are those of languages that several alphabets are used for: Chinese as Taiwan, Hong Kong and Macao write it, and
// Serbian in Cyrillic letters.
var countries = map[int]int{0x0404: 950, 0x0c04: 950, 0x1404: 950, 0x0c1a: 1251, 0x1c1a: 1251, 0x201a: 1251}

// OfLanguage returns the number of the code page that Windows uses for a language, by the number of that; 0 where
// nothing is said.
func OfLanguage(number int) int {
	if page := countries[number]; page != 0 || number == 0 {
		return page
	}
	if page := languages[number&languageBits]; page != 0 {
		return page
	}
	return 1252
}
