package encoded

import "strings"

// minNumbers is how many numbers a vector has at least.
const minNumbers = 64

// vectors returns what stands between square brackets where that is nothing but numbers, most of them with fractions.
func vectors(text string) (runs []Run) {
	for at := 0; ; {
		open := strings.IndexByte(text[at:], '[')
		if open < 0 {
			return runs
		}
		start := at + open + 1
		end, ok := vector(text, start)
		if ok {
			runs = append(runs, Run{Start: start, End: end, Vector: true})
		}
		at = end
	}
}

// vector returns where the numbers end that begin at an offset, and whether they are a vector.
func vector(text string, at int) (end int, ok bool) {
	numbers, exact := 0, 0
	for {
		from := skipBlanks(text, at)
		n, fraction := number(text[from:])
		if n == 0 {
			return from, false
		}
		numbers++
		if fraction {
			exact++
		}
		switch at = skipBlanks(text, from+n); {
		case at == len(text):
			return at, false
		case text[at] == ']':
			return at, numbers >= minNumbers && 2*exact > numbers
		case text[at] == ',':
			at++
		case at == from+n: // neither a comma nor a blank
			return at, false
		}
	}
}

func skipBlanks(text string, at int) int {
	for at < len(text) && strings.IndexByte(" \t\r\n", text[at]) >= 0 {
		at++
	}
	return at
}

// number returns the length of the number that a text begins with, 0 where there is none, and whether it has a fraction
// or an exponent: "-12", "0.5", "1.", "1.5e-07".
func number(text string) (n int, fraction bool) {
	n = signed(text, 0)
	whole := digits(text, n)
	if whole == n {
		return 0, false
	}
	if n = whole; n < len(text) && text[n] == '.' {
		n, fraction = digits(text, n+1), true
	}
	if n < len(text) && (text[n] == 'e' || text[n] == 'E') {
		from := signed(text, n+1)
		if end := digits(text, from); end > from {
			n, fraction = end, true
		}
	}
	return n, fraction
}

// signed returns where the sign ends that may stand at an offset.
func signed(text string, at int) int {
	if at < len(text) && (text[at] == '-' || text[at] == '+') {
		return at + 1
	}
	return at
}

// digits returns where the digits end that begin at an offset.
func digits(text string, at int) int {
	for at < len(text) && text[at] >= '0' && text[at] <= '9' {
		at++
	}
	return at
}
