package secret

import (
	"strings"

	"dowse/indexer/encoded"
	"dowse/indexer/skip"
	"dowse/internal/pattern"
)

// Parts of a file of keys that are no prose.
var (
	markLine  = pattern.New(`(?m)^[ \t>#]*-{4,5} ?(?:BEGIN|END) [A-Za-z0-9 ,/]+-{4,5}[ \t]*$`)
	publics   = pattern.New(`(?s)-----BEGIN [A-Z0-9 ]*(?:CERTIFICATE|PARAMETERS|PUBLIC KEY|CRL|REQUEST)[A-Z0-9 ]*-----.*?-----END [A-Z0-9 ]+-----`)
	attribute = pattern.New(`(?m)^(?:Bag Attributes.*|Key Attributes.*|[ \t]+(?:localKeyID|friendlyName|Microsoft [^:\n]*|1\.\d[\d.]*|2\.\d[\d.]*): .*|(?:subject|issuer)=.*|No Attributes|untrusted comment:.*|ssh-[a-z0-9-]+ AAAA\S+.*|[ \t]*//.*)$`)
	comment   = pattern.New(`(?m)^[ \t]*[#;].*$`)
)

// armour tells files that are nothing but keys, ciphertext or tokens, with comments and certificates around them.
func (f *file) armour() Found {
	runs := encoded.Secrets(f.text)
	if len(runs) == 0 {
		return Found{}
	}
	var rest strings.Builder
	from, what := 0, encoded.Data
	for _, r := range runs {
		rest.WriteString(f.text[from:r.Start])
		from = r.End
		if what != encoded.Key { // which counts more than what stands beside it
			what = max(what, r.What)
		}
		if r.What == encoded.Key {
			what = r.What
		}
	}
	rest.WriteString(f.text[from:])
	left := rest.String()
	for _, re := range []*pattern.Pattern{publics, markLine, attribute} {
		left = re.ReplaceAllString(left, "")
	}
	if !isMarkdown[f.ext] {
		left = comment.ReplaceAllString(left, "")
	}
	if strings.Trim(left, " \t\n\"'=,;") != "" {
		return Found{}
	}
	switch what {
	case encoded.Key:
		return Found{skip.PrivateKey, ""}
	case encoded.Ciphertext:
		return Found{skip.Encrypted, ""}
	}
	return Found{skip.Tokens, ""}
}

// isMarkdown says of an extension that a line with # is a heading.
var isMarkdown = map[string]bool{"md": true, "markdown": true, "mdown": true, "mkd": true, "qmd": true, "rmd": true}

// Keys in forms of their own.
var (
	wireguard = pattern.New(`(?m)^[ \t]*PrivateKey[ \t]*=[ \t]*[A-Za-z0-9+/]{43}=[ \t]*$`)
	bareKey   = pattern.New(`^(?:[0-9A-Fa-f]{32,128}|[A-Za-z0-9+/_-]{43}=)$`)
	torClient = pattern.New(`^[a-z2-7]{56}:descriptor:x25519:[A-Z2-7]{52}$`)
	railsSeal = pattern.New(`^[A-Za-z0-9+/]{16,}=*--[A-Za-z0-9+/]+=*--[A-Za-z0-9+/]+=*$`)
	openssl   = pattern.New(`^U2FsdGVkX1[A-Za-z0-9+/=\n]+$`)
	phrase    = pattern.New(`^(?:(?:\d{1,2}[.):]?[ \t]*)?[a-z]{3,8}[ \t\n]*){12,24}$`)
)

// keyFile tells keys that stand in no armour.
func (f *file) keyFile() Found {
	text := strings.TrimSpace(f.text)
	if f.cut {
		return Found{}
	}
	switch {
	case strings.Contains(text, "[Interface]") && wireguard.MatchString(text):
		return Found{skip.PrivateKey, "WireGuard"}
	case torClient.MatchString(text):
		return Found{skip.PrivateKey, "Tor"}
	case strings.HasSuffix(f.name, "key") && bareKey.MatchString(text):
		return Found{skip.PrivateKey, "of a program"}
	case f.ext == "key" && strings.Contains(text, "private-key") && strings.Contains(text, "("):
		return Found{skip.PrivateKey, "GnuPG"}
	case strings.HasPrefix(text, "untrusted comment:") && strings.Contains(firstLine(text), "secret key"):
		return Found{skip.PrivateKey, "signify"}
	case railsSeal.MatchString(text):
		return Found{skip.Encrypted, "Rails"}
	case openssl.MatchString(text):
		return Found{skip.Encrypted, "OpenSSL"}
	case isWallet(f.name) && len(text) < 512 && isPhrase(text):
		return Found{skip.PrivateKey, "a phrase of words"}
	}
	return Found{}
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}

// isWallet reports whether a name says that a file holds what a wallet is restored from.
func isWallet(name string) bool {
	for _, word := range []string{"wallet", "seed", "mnemonic", "recovery"} {
		if strings.Contains(name, word) {
			return true
		}
	}
	return false
}

// isPhrase reports whether a text is nothing but 12, 15, 18, 21 or 24 short words (BIP 39).
func isPhrase(text string) bool {
	if !phrase.MatchString(text) {
		return false
	}
	n := 0
	for _, word := range strings.Fields(text) {
		if strings.Trim(word, "0123456789.):") != "" {
			n++
		}
	}
	return n >= 12 && n%3 == 0
}
