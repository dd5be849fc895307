package ignore

import "strings"

// A glob is a compiled wildcard pattern, matched against a path relative to the
// directory of its rule file. The language is that of gitignore(5) as git's own
// matcher reads it, with paths on.
type glob []token

// token is one step of a glob.
type token struct {
	kind tokenKind
	lit  byte    // of literal
	set  byteSet // of class
}

type tokenKind uint8

const (
	literal tokenKind = iota // the byte lit
	anyByte                  // ?: one byte, not a slash
	class                    // [...]: one byte of set
	star                     // *: any bytes without a slash
	deep                     // ** that crosses slashes
	dirs                     // **/: nothing, or anything up to and with a slash
	never                    // a malformed pattern: matches nothing
)

// byteSet is a set of bytes, one bit each.
type byteSet [4]uint64

func (s *byteSet) add(b byte)      { s[b>>6] |= 1 << (b & 63) }
func (s *byteSet) remove(b byte)   { s[b>>6] &^= 1 << (b & 63) }
func (s *byteSet) has(b byte) bool { return s[b>>6]&(1<<(b&63)) != 0 }

func (s *byteSet) addRange(lo, hi byte) {
	for b := int(lo); b <= int(hi); b++ {
		s.add(byte(b))
	}
}

func (s *byteSet) invert() {
	for i := range s {
		s[i] = ^s[i]
	}
}

// compileGlob reads a pattern. The pattern counts as beginning at a slash, even
// where a literal prefix was cut off before: git does the same, so that
// "a**/b" matches "axx/y/b".
func compileGlob(p string) glob {
	var g glob
	for i := 0; i < len(p); {
		switch p[i] {
		case '*':
			n := len(p[i:]) - len(strings.TrimLeft(p[i:], "*"))
			atSlash := i == 0 || p[i-1] == '/'
			i += n
			t := starToken(p[i:], n, atSlash)
			if t.kind == dirs {
				i++ // the slash belongs to the token
			}
			g = append(g, t)
		case '?':
			g = append(g, token{kind: anyByte})
			i++
		case '[':
			set, n := parseClass(p[i+1:])
			if n < 0 {
				return glob{{kind: never}}
			}
			g = append(g, token{kind: class, set: set})
			i += 1 + n
		case '\\':
			if i++; i == len(p) {
				return glob{{kind: never}}
			}
			g = append(g, token{kind: literal, lit: p[i]})
			i++
		default:
			g = append(g, token{kind: literal, lit: p[i]})
			i++
		}
	}
	return g
}

// starToken returns what a run of n stars before rest means.
func starToken(rest string, n int, atSlash bool) token {
	if n == 1 || !atSlash {
		return token{kind: star}
	}
	switch {
	case strings.HasPrefix(rest, "/"):
		return token{kind: dirs}
	case rest == "", strings.HasPrefix(rest, `\/`):
		return token{kind: deep}
	}
	return token{kind: star}
}

// match reports whether the whole of s matches.
//
// It runs through s once and keeps two places to come back to: the last star,
// which may take one more byte unless that is a slash, and the last deep or dirs
// token, which may take more. An earlier one never helps where a later one of
// the same kind cannot, so nothing else needs to be remembered.
func (g glob) match(s string) bool {
	none := resume{token: -1}
	shallow, far := none, none
	t, i := 0, 0
	for {
		if t < len(g) {
			switch g[t].kind {
			case star:
				shallow = resume{t, i}
				t++
				continue
			case deep, dirs:
				far, shallow = resume{t, i}, none
				t++
				continue
			}
		}
		if t == len(g) && i == len(s) {
			return true
		}
		if t < len(g) && i < len(s) && g[t].accepts(s[i]) {
			t++
			i++
			continue
		}
		if shallow.token >= 0 && shallow.at < len(s) && s[shallow.at] != '/' {
			shallow.at++
			t, i = shallow.token+1, shallow.at
			continue
		}
		if far.token < 0 || !far.advance(g[far.token].kind, s) {
			return false
		}
		shallow = none
		t, i = far.token+1, far.at
	}
}

// resume is a place to come back to: a token that may take more of the path.
type resume struct{ token, at int }

// advance lets a deep or dirs token take the next bit of s; false at its end.
func (r *resume) advance(kind tokenKind, s string) bool {
	if r.at >= len(s) {
		return false
	}
	if kind == deep {
		r.at++
		return true
	}
	slash := strings.IndexByte(s[r.at:], '/')
	if slash < 0 {
		return false
	}
	r.at += slash + 1
	return true
}

// accepts reports whether a token of one byte matches b.
func (t *token) accepts(b byte) bool {
	switch t.kind {
	case literal:
		return b == t.lit
	case anyByte:
		return b != '/'
	case class:
		return t.set.has(b)
	}
	return false
}
