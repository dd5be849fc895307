package encoded

import "strings"

// What says what stood in a run.
type What uint8

const (
	// Data is pictures, dumps, numbers and whatever else is told by its letters alone.
	Data What = iota
	// Ciphertext was encrypted by a program that says so: OpenPGP, age, OpenSSL, Fernet, Ansible Vault, SOPS.
	Ciphertext
	// Key is the secret half of a pair of keys.
	Key
	// Token opens an account to whoever has it.
	Token
)

// String names it in words that follow "without".
func (w What) String() string {
	return [...]string{"encoded data", "encrypted text", "a private key", "access tokens"}[w]
}

// Marks of armour (RFC 7468, RFC 9580) and bounds of what stands between them.
const (
	armourMark  = "BEGIN "
	armourEnd   = "END "
	maxLabel    = 64
	minArmoured = 64 // letters
	minPiece    = 16 // letters of a line that count, the last one apart
)

// Secrets returns the runs of a text that a program encrypted, or by which others know who somebody is: what stands
// between the marks of armour, and tokens whose form is fixed. Placeholders are none.
func Secrets(text string) []Run { return ordered(text, append(armoured(text), tokens(text)...)) }

// armoured returns what stands between the marks of armour that hides something. The marks stay, and say what was there.
func armoured(text string) (runs []Run) {
	end := -1 // of the marks at the end, the first one that is not before at
	for at := 0; ; {
		found := strings.Index(text[at:], armourMark)
		if found < 0 {
			return runs
		}
		begin := at + found
		at = begin + len(armourMark)
		what, inside := label(text, begin)
		if inside == 0 {
			continue
		}
		if end < inside && end < len(text) {
			end = len(text)
			if n := strings.Index(text[inside:], "-"+armourEnd); n >= 0 {
				end = inside + n
			} else if n := strings.Index(text[inside:], "- "+armourEnd); n >= 0 {
				end = inside + n
			}
		}
		start, stop := inside, end
		if next := strings.Index(text[inside:end], armourMark); next >= 0 {
			stop = inside + next // the end of this one is missing
		}
		if end == len(text) || stop < end {
			stop = endless(text[:stop], inside)
		}
		if start, stop = trimmed(text, start, stop); isArmoured(text[start:stop]) {
			runs = append(runs, Run{Start: start, End: stop, What: what})
			at = stop
		}
	}
}

// label reads the mark around "BEGIN " at an offset, and returns what it announces and where that begins; 0 of
// another one.
func label(text string, begin int) (what What, inside int) {
	if before := strings.TrimSuffix(text[:begin], " "); !strings.HasSuffix(before, "----") {
		return Data, 0
	}
	name := text[begin+len(armourMark) : min(len(text), begin+len(armourMark)+maxLabel)]
	n := strings.Index(name, "----")
	if n < 0 {
		return Data, 0
	}
	inside = begin + len(armourMark) + n
	for inside < len(text) && text[inside] == '-' {
		inside++
	}
	switch name = name[:n]; {
	case strings.Contains(name, "PRIVATE KEY"), strings.Contains(name, "Static key"):
		return Key, inside
	case strings.HasPrefix(name, "PGP MESSAGE"), strings.HasPrefix(name, "AGE ENCRYPTED FILE"), strings.HasPrefix(name, "CMS"):
		return Ciphertext, inside
	}
	return Data, 0
}

// endless returns where armour ends whose end is missing: behind the last of the lines of code.
func endless(text string, at int) int {
	end := at
	for line := range strings.Lines(text[at:]) {
		at += len(line)
		switch bare := strings.TrimSpace(line); {
		case longPieces(bare)*2 > len(bare) && bare != "":
			end = at
		case bare != "" && !strings.Contains(bare, ": "):
			return end
		}
	}
	return end
}

// trimmed leaves out white space on both sides, and how JSON writes line ends.
func trimmed(text string, start, end int) (int, int) {
	for start < end {
		switch rest := text[start:end]; {
		case strings.IndexByte(" \t\r\n>", rest[0]) >= 0:
			start++
		case strings.HasPrefix(rest, `\n`), strings.HasPrefix(rest, `\r`):
			start += 2
		default:
			body := strings.TrimRight(rest, "- \t\r\n>")
			body = strings.TrimSuffix(strings.TrimSuffix(body, `\n`), `\r`)
			return start, start + len(body)
		}
	}
	return start, end
}

// isArmoured reports whether what stands between two marks is code, and no placeholder.
func isArmoured(body string) bool {
	seen, l := 0, look{}
	for i := range len(body) {
		if c := body[i]; c > ' ' {
			seen++
		}
	}
	for at := 0; at < len(body); {
		p := pieceAt(body, at)
		if p.size() >= minPiece {
			l.add(lookAt(body, p))
		}
		at = max(p.end, at+1)
	}
	return l.letters >= minArmoured && l.letters*2 >= seen && l.encoded()
}

// longPieces counts the letters of the pieces of a line that are long enough.
func longPieces(line string) (n int) {
	for at := 0; at < len(line); {
		p := pieceAt(line, at)
		if p.size() >= minPiece {
			n += p.size()
		}
		at = max(p.end, at+1)
	}
	return n
}
