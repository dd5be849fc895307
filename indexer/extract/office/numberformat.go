package office

import (
	"math"
	"strconv"
	"strings"
	"time"
)

// numberFormat is how Excel shows the numbers of a cell: a section for positive ones, and
// perhaps others for negative ones and zero.
type numberFormat struct{ sections []formatSection }

// formatSection is one of them.
type formatSection struct {
	prefix, suffix string // what stands around the digits: "€", "(", " kg"
	digits         bool   // there is a place for digits
	decimals       int    // places behind the point
	optional       int    // of them, those that are left out when zero
	thousands      bool   // 1,234
	percent        bool
	scientific     bool
	general        bool
	isTime         bool // a date or time, described by the rest
	year, month    bool
	day, clock     bool
	seconds        bool
	elapsed        bool // hours beyond 24
}

// builtinFormats are those that files refer to without describing them.
var builtinFormats = map[int]string{
	1: "0", 2: "0.00", 3: "#,##0", 4: "#,##0.00", 9: "0%", 10: "0.00%", 11: "0.00E+00", 14: "yyyy-mm-dd", 15: "d-mmm-yy", 16: "d-mmm",
	17: "mmm-yy", 18: "h:mm", 19: "h:mm:ss", 20: "h:mm", 21: "h:mm:ss", 22: "m/d/yy h:mm", 27: "yyyy-mm-dd", 28: "yyyy-mm-dd",
	29: "yyyy-mm-dd", 30: "yyyy-mm-dd", 31: "yyyy-mm-dd", 32: "h:mm", 33: "h:mm:ss", 34: "h:mm", 35: "h:mm:ss", 36: "yyyy-mm-dd",
	37: "#,##0;(#,##0)", 38: "#,##0;(#,##0)", 39: "#,##0.00;(#,##0.00)", 40: "#,##0.00;(#,##0.00)", 41: "#,##0;(#,##0)",
	42: "#,##0;(#,##0)", 43: "#,##0.00;(#,##0.00)", 44: "#,##0.00;(#,##0.00)", 45: "mm:ss", 46: "[h]:mm:ss", 47: "mm:ss",
	48: "0.0E+0", 50: "yyyy-mm-dd", 51: "yyyy-mm-dd", 52: "yyyy-mm-dd", 53: "yyyy-mm-dd", 54: "yyyy-mm-dd", 55: "yyyy-mm-dd",
	56: "yyyy-mm-dd", 57: "yyyy-mm-dd", 58: "yyyy-mm-dd",
}

// parseNumberFormat reads a format code. What is not understood is shown as a plain number.
func parseNumberFormat(code string) numberFormat {
	var f numberFormat
	rest := code
	for len(f.sections) < 4 {
		var s formatSection
		s, rest = parseSection(rest)
		f.sections = append(f.sections, s)
		if rest == "" {
			break
		}
	}
	return f
}

// parseSection reads a code up to its semicolon and returns what follows.
func parseSection(code string) (s formatSection, rest string) {
	var literal strings.Builder
	var letters []byte // of dates, in their order
	for i := 0; i < len(code); i++ {
		switch c := code[i]; c {
		case ';':
			s.finish(literal.String(), letters)
			return s, code[i+1:]
		case '"':
			end := strings.IndexByte(code[i+1:], '"')
			if end < 0 {
				end = len(code) - i - 1
			}
			literal.WriteString(code[i+1 : i+1+end])
			i += end + 1
		case '\\':
			if i++; i < len(code) {
				literal.WriteByte(code[i])
			}
		case '_', '*': // the width of the next character, or it again and again
			i++
		case '[':
			end := strings.IndexByte(code[i:], ']')
			if end < 0 {
				end = len(code) - i
			}
			s.bracket(code[i+1:i+end], &literal)
			i += end
		case '0', '#', '?':
			if !s.digits {
				s.prefix = literal.String()
				literal.Reset()
			}
			i += s.number(code[i:]) - 1
		case '%':
			s.percent = true
			literal.WriteByte(c)
		case '@':
			s.general = true
		case 'y', 'Y', 'm', 'M', 'd', 'D', 'h', 'H', 's', 'S', 'G', 'g', 'e':
			if word := "general"; len(code)-i >= len(word) && strings.EqualFold(code[i:i+len(word)], word) {
				s.general = true
				i += len(word) - 1
			} else {
				letters = append(letters, c|0x20)
			}
		case 'A', 'a': // AM/PM
			if strings.HasPrefix(strings.ToUpper(code[i:]), "AM/PM") {
				i += 4
			}
		default:
			literal.WriteByte(c)
		}
	}
	s.finish(literal.String(), letters)
	return s, ""
}

// bracket reads what stands in brackets: a currency, hours beyond 24, a colour.
func (s *formatSection) bracket(inside string, literal *strings.Builder) {
	if symbol, ok := strings.CutPrefix(inside, "$"); ok {
		symbol, _, _ = strings.Cut(symbol, "-")
		literal.WriteString(symbol)
	}
	switch strings.ToLower(inside) {
	case "h", "hh", "m", "mm", "s", "ss":
		s.isTime, s.clock, s.elapsed = true, true, true
	}
}

// number reads places of digits and returns how long they are in the code.
func (s *formatSection) number(code string) int {
	s.digits = true
	point := false
	for i := 0; i < len(code); i++ {
		switch c := code[i]; c {
		case '0', '#', '?':
			if point {
				if s.decimals++; c == '0' {
					s.optional = 0
				} else {
					s.optional++
				}
			}
		case '.':
			point = true
		case ',':
			s.thousands = s.thousands || i+1 < len(code) && strings.IndexByte("0#?", code[i+1]) >= 0
		case 'E', 'e':
			s.scientific = true
			for i++; i < len(code) && strings.IndexByte("+-0#?", code[i]) >= 0; i++ {
				continue
			}
			return i
		case '/':
			s.general = true // a fraction
		default:
			return i
		}
	}
	return len(code)
}

// finish takes what stands behind the digits, and the letters of dates.
func (s *formatSection) finish(literal string, letters []byte) {
	if s.digits {
		s.suffix = literal
	} else {
		s.prefix = literal
	}
	if strings.Trim(string(letters), "g") == "" || s.digits && !strings.ContainsAny(string(letters), "ymdhs") {
		return
	}
	s.isTime = true
	for i, c := range letters {
		switch c {
		case 'y', 'e':
			s.year = true
		case 'd':
			s.day = true
		case 'h':
			s.clock = true
		case 's':
			s.clock, s.seconds = true, true
		case 'm':
			before, after := strings.TrimRight(string(letters[:i]), "m"), strings.TrimLeft(string(letters[i:]), "m")
			if strings.HasSuffix(before, "h") || strings.HasPrefix(after, "s") || s.elapsed && before == "" {
				s.clock = true // minutes
			} else {
				s.month = true
			}
		}
	}
}

// show returns a number as a person reads it; dates as 2021-01-31, whatever their order.
func (f numberFormat) show(v float64, date1904 bool) string {
	if len(f.sections) == 0 {
		return plainNumber(v)
	}
	s, negative := f.sections[0], v < 0
	switch {
	case v < 0 && len(f.sections) > 1:
		s, negative = f.sections[1], false
	case v == 0 && len(f.sections) > 2:
		s = f.sections[2]
	}
	switch {
	case s.isTime:
		if text, ok := s.date(v, date1904); ok {
			return text
		}
		return plainNumber(v)
	case s.general || !s.digits && s.prefix == "" || math.Abs(v) >= 1e18:
		return plainNumber(v)
	case !s.digits:
		return strings.TrimSpace(s.prefix) // a text instead of the number: "-"
	}
	text := s.amount(math.Abs(v))
	if negative && strings.Trim(text, "0.,%") != "" {
		text = "-" + text
	}
	return strings.TrimSpace(s.prefix + text + s.suffix)
}

// amount writes the digits.
func (s formatSection) amount(v float64) string {
	if s.percent {
		v *= 100
	}
	decimals := min(s.decimals, 15)
	if s.scientific {
		return strconv.FormatFloat(v, 'E', decimals, 64)
	}
	// As decimal digits are rounded by people: 0.285 is 0.29, though its double is less.
	text := strconv.FormatFloat(v+v*4e-16, 'f', decimals, 64)
	whole, fraction, _ := strings.Cut(text, ".")
	for n := 0; n < s.optional && strings.HasSuffix(fraction, "0"); n++ {
		fraction = fraction[:len(fraction)-1]
	}
	if s.thousands {
		for i := len(whole) - 3; i > 0; i -= 3 {
			whole = whole[:i] + "," + whole[i:]
		}
	}
	if fraction != "" {
		whole += "." + fraction
	}
	return whole
}

// plainNumber writes a number with the 15 digits that Excel keeps.
func plainNumber(v float64) string {
	if a := math.Abs(v); a != 0 && (a < 1e-9 || a >= 1e15) || math.IsInf(v, 0) || math.IsNaN(v) {
		return strconv.FormatFloat(v, 'G', 15, 64)
	}
	rounded, err := strconv.ParseFloat(strconv.FormatFloat(v, 'e', 14, 64), 64)
	if err != nil {
		rounded = v
	}
	return strconv.FormatFloat(rounded, 'f', -1, 64)
}

// maxSerial is the day after the last that Excel knows, in the year 9999.
const maxSerial = 2958466

// date writes a count of days since the beginning of 1900, or of 1904.
func (s formatSection) date(v float64, date1904 bool) (string, bool) {
	if v < 0 || v >= maxSerial {
		return "", false
	}
	seconds := int64(math.Round(v * 86400))
	if s.elapsed {
		return clock(seconds, s.seconds), true
	}
	epoch := time.Date(1899, 12, 30, 0, 0, 0, 0, time.UTC)
	switch {
	case date1904:
		epoch = time.Date(1904, 1, 1, 0, 0, 0, 0, time.UTC)
	case v < 60: // Excel has a 29 February 1900, which was none
		epoch = time.Date(1899, 12, 31, 0, 0, 0, 0, time.UTC)
	}
	t := epoch.Add(time.Duration(seconds) * time.Second)
	var text []string
	switch {
	case s.day, s.month && !s.year:
		text = append(text, t.Format("2006-01-02"))
	case s.month:
		text = append(text, t.Format("2006-01"))
	case s.year:
		text = append(text, t.Format("2006"))
	}
	if s.clock {
		text = append(text, clock(seconds%86400, s.seconds))
	}
	return strings.Join(text, " "), true
}

// clock writes a time of day, or a span.
func clock(seconds int64, exact bool) string {
	if !exact {
		return two(seconds/3600) + ":" + two(seconds/60%60)
	}
	return two(seconds/3600) + ":" + two(seconds/60%60) + ":" + two(seconds%60)
}

func two(n int64) string {
	if n < 10 {
		return "0" + strconv.FormatInt(n, 10)
	}
	return strconv.FormatInt(n, 10)
}
