package encoded

import (
	"bytes"
	"encoding/base64"
	"strings"
)

// form is how tokens of one kind are written.
type form struct {
	prefix string
	what   What
	least  int    // letters behind the prefix
	more   string // signs beside letters and digits
}

// forms are those whose makers gave them a beginning by which they are found in text, by the maker's own account. The first
// that fits counts.
var forms = []form{
	{"ghp_", Token, 36, ""}, {"gho_", Token, 36, ""}, {"ghu_", Token, 36, ""}, {"ghs_", Token, 36, ""}, {"ghr_", Token, 36, ""},
	{"github_pat_", Token, 60, "_"}, {"glpat-", Token, 20, "_-"}, {"gldt-", Token, 20, "_-"}, {"glrt-", Token, 20, "_-"},
	{"xoxb-", Token, 20, "-"}, {"xoxp-", Token, 20, "-"}, {"xoxa-", Token, 20, "-"}, {"xoxr-", Token, 20, "-"}, {"xoxs-", Token, 20, "-"},
	{"xapp-", Token, 20, "-"}, {"sk_live_", Token, 24, ""}, {"rk_live_", Token, 24, ""}, {"sk-ant-", Token, 40, "_-"},
	{"sk-proj-", Token, 40, "_-"}, {"sk-", Token, 40, ""}, {"AIza", Token, 35, "_-"}, {"ya29.", Token, 40, "_-."},
	{"GOCSPX-", Token, 20, "_-"}, {"hf_", Token, 30, ""}, {"npm_", Token, 36, ""}, {"pypi-AgE", Token, 40, "_-"},
	{"SG.", Token, 60, "_-."}, {"dop_v1_", Token, 64, ""}, {"shpat_", Token, 32, ""}, {"lin_api_", Token, 32, ""}, {"hvs.", Token, 24, "_-"},
	{"eyJ", Token, 40, "_-."}, // a JSON web token, which isToken looks into
	{"gAAAAA", Ciphertext, 94, "_-="}, {"U2FsdGVkX1", Ciphertext, 30, "+/="},
	{"ENC[AES256_GCM,data:", Ciphertext, 20, "+/=,:_"}, {"ENC[PKCS7,", Ciphertext, 64, "+/= \r\n"}, {vaultMark, Ciphertext, 9, ".;_-"},
	{"AGE-SECRET-KEY-1", Key, 58, ""}, {"xprv", Key, 107, ""}, {"yprv", Key, 107, ""}, {"zprv", Key, 107, ""},
}

// vaultMark begins a file of Ansible Vault, or a value in one; lines of hexadecimal digits follow it.
const vaultMark = "$ANSIBLE_VAULT;"

// formsBy has the forms by the first byte of their prefix.
var formsBy = func() (by [256][]form) {
	for _, f := range forms {
		by[f.prefix[0]] = append(by[f.prefix[0]], f)
	}
	return by
}()

// begins says of two bytes that a prefix begins with them.
var begins = func() (are [256][256]bool) {
	for _, f := range forms {
		are[f.prefix[0]][f.prefix[1]] = true
	}
	return are
}()

// tokens returns the runs that are tokens of a fixed form.
func tokens(text string) (runs []Run) {
	within := false // a word
	for at := 0; at < len(text); at++ {
		c := text[at]
		if !within && at+1 < len(text) && begins[c][text[at+1]] {
			if end, what := tokenAt(text, at); end > 0 {
				runs = append(runs, Run{Start: at, End: end, What: what})
				at = end - 1
				continue
			}
		}
		within = isLetter[c]
	}
	return runs
}

// isLetter says of a byte that it is a letter or a digit.
var isLetter = func() (is [256]bool) {
	for c := range is {
		is[c] = alphabet[c] != none && alphabet[c] != sign
	}
	return is
}()

// tokenAt returns the end of the token that begins at an offset, 0 where none does.
func tokenAt(text string, at int) (end int, what What) {
	for _, f := range formsBy[text[at]] {
		if !strings.HasPrefix(text[at:], f.prefix) {
			continue
		}
		end := at + len(f.prefix)
		for end < len(text) && (isLetter[text[end]] || strings.IndexByte(f.more, text[end]) >= 0) {
			end++
		}
		for f.what == Token && end > at && !isLetter[text[end-1]] { // the end of a sentence
			end--
		}
		if end-at-len(f.prefix) < f.least {
			continue
		}
		if end = f.whole(text, at, end); end > 0 {
			return end, f.what
		}
	}
	return 0, Data
}

// whole returns where a token ends that reaches from at to end or further, 0 where it is none.
func (f *form) whole(text string, at, end int) int {
	l := lookAt(text, piece{start: at + len(f.prefix), end: end})
	switch f.prefix {
	case "eyJ":
		if !isWebToken(text[at:end]) {
			return 0
		}
		return end
	case "gAAAAA":
		if end < len(text) && (end-at)%4 != 0 {
			return 0
		}
	case "U2FsdGVkX1":
		p := pieceAt(text, at)
		g := group{text: text, run: Run{Start: at, End: p.end}, width: p.size(), last: p}
		for g.more() {
		}
		return g.run.End
	case vaultMark:
		if !strings.HasPrefix(text[at+len(vaultMark):end], "1.") {
			return 0
		}
		return vaultEnd(text, end)
	case "AGE-SECRET-KEY-1": // capitals and digits
		if l.unlike*3 < l.differ {
			return 0
		}
		return end
	}
	if strings.HasPrefix(f.prefix, "ENC[") {
		if end == len(text) || text[end] != ']' {
			return 0
		}
		return end + 1
	}
	if !l.encoded() {
		return 0
	}
	return end
}

// isWebToken reports whether a word is a JSON web token (RFC 7519): parts with dots between them, of which the
// first says how the rest is signed or encrypted.
func isWebToken(word string) bool {
	parts := strings.Split(word, ".")
	if len(parts) < 3 || len(parts[1]) < minPiece && len(parts) < 5 || len(parts[2]) < minPiece {
		return false
	}
	head, err := base64.RawURLEncoding.DecodeString(parts[0])
	return err == nil && bytes.HasPrefix(head, []byte(`{`)) && bytes.Contains(head, []byte(`"alg"`))
}

// vaultEnd returns where the lines of hexadecimal digits end that follow the first line of a vault, 0 where there
// are none.
func vaultEnd(text string, at int) int {
	if n := strings.IndexByte(text[at:min(len(text), at+maxJoint)], '\n'); n >= 0 {
		at += n + 1 // the cipher, and a name
	}
	end := 0
	for line := range strings.Lines(text[at:]) {
		bare := strings.TrimSpace(line)
		if !digitsOf(bare) || end == 0 && len(bare) < minPiece {
			break
		}
		end = at + len(strings.TrimRight(line, "\r\n"))
		at += len(line)
	}
	return end
}
