package secret

import (
	"bytes"
	"encoding/binary"
	"path"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"dowse/indexer/skip"
)

// Bounds of the search, in bytes.
const (
	headBytes = 64 << 10
	jsonBytes = 1 << 20
)

// Found says what a file holds. A zero Found says that it holds no secret.
type Found struct {
	Reason skip.Reason // skip.PrivateKey, skip.Passwords, skip.Tokens or skip.Encrypted; "" for none of these
	Detail string      // which kind: "OpenSSH", "a password table"; never part of the file
}

// file is the file that is searched.
type file struct {
	name string // in small letters, without folders
	ext  string // without the dot
	data []byte // of the file, or its beginning
	text string // the head of it, whole lines
	cut  bool   // text is not all
}

// Of looks at a file with some bytes; of its path the name alone counts.
func Of(name string, data []byte) Found {
	f := file{name: strings.ToLower(path.Base(strings.ReplaceAll(name, `\`, "/"))), data: data}
	f.ext = strings.TrimPrefix(path.Ext(f.name), ".")
	if found := f.magic(); found.Reason != "" {
		return found
	}
	if !f.decode() {
		return Found{}
	}
	for _, is := range []func(*file) Found{(*file).armour, (*file).keyFile, (*file).object, (*file).markup, (*file).table, (*file).lines, (*file).settings} {
		if found := is(&f); found.Reason != "" {
			return found
		}
	}
	return Found{}
}

// decode makes text of the head of the file; false says that it has none.
func (f *file) decode() bool {
	head := f.data[:min(len(f.data), headBytes)]
	f.cut = len(head) < len(f.data)
	switch {
	case bytes.HasPrefix(head, []byte("\xff\xfe")):
		f.text = wide(head[2:], binary.LittleEndian)
	case bytes.HasPrefix(head, []byte("\xfe\xff")):
		f.text = wide(head[2:], binary.BigEndian)
	case bytes.IndexByte(head, 0) >= 0:
		return false
	default:
		f.text = strings.TrimPrefix(string(head), "\ufeff")
	}
	if f.cut {
		if end := strings.LastIndexByte(f.text, '\n'); end >= 0 {
			f.text = f.text[:end+1]
		}
	}
	f.text = strings.ReplaceAll(f.text, "\r\n", "\n")
	return strings.TrimSpace(f.text) != ""
}

// wide decodes UTF-16.
func wide(data []byte, order binary.ByteOrder) string {
	units := make([]uint16, 0, len(data)/2)
	for ; len(data) >= 2; data = data[2:] {
		units = append(units, order.Uint16(data))
	}
	return string(utf16.Decode(units))
}

// signature is how files of a kind begin.
type signature struct {
	magic  string
	reason skip.Reason
	detail string
}

var signatures = []signature{
	{"Salted__", skip.Encrypted, "OpenSSL"}, {"VimCrypt~", skip.Encrypted, "vim"}, {"age-encryption.org/", skip.Encrypted, "age"},
	{"\x00GITCRYPT\x00", skip.Encrypted, "git-crypt"}, {"\x03\xd9\xa2\x9a\x67\xfb\x4b\xb5", skip.Encrypted, "KeePass"},
	{"\x03\xd9\xa2\x9a\x65\xfb\x4b\xb5", skip.Encrypted, "KeePass 1"}, {"LUKS\xba\xbe", skip.Encrypted, "LUKS"}, {"RCLONE\x00\x00", skip.Encrypted, "rclone"},
	{"AES\x02", skip.Encrypted, "AES Crypt"}, {"GnomeKeyring\n\r\x00\n", skip.Encrypted, "GNOME keyring"}, {"$ANSIBLE_VAULT;1.", skip.Encrypted, "Ansible Vault"},
	{"\x00GITCRYPTKEY\x00", skip.PrivateKey, "git-crypt"}, {"PuTTY-User-Key-File-", skip.PrivateKey, "PuTTY"}, {"== ed25519v1-secret:", skip.PrivateKey, "Tor"}, {"openssh-key-v1\x00", skip.PrivateKey, "OpenSSH"},
}

// magic looks at the first bytes.
func (f *file) magic() Found {
	head := bytes.TrimPrefix(f.data, []byte("\xef\xbb\xbf"))
	for _, s := range signatures {
		if bytes.HasPrefix(head, []byte(s.magic)) {
			return Found{s.reason, s.detail}
		}
	}
	if isOpenPGP(head) {
		return Found{skip.Encrypted, "OpenPGP"}
	}
	return Found{}
}

// isOpenPGP reports whether a file begins with the packet of a session key (RFC 9580, 5.1 and 5.3), which a message
// that is encrypted does.
func isOpenPGP(head []byte) bool {
	if len(head) < 16 {
		return false
	}
	var body []byte
	switch tag := head[0]; {
	case tag&0xfc == 0x84 || tag&0xfc == 0x8c: // in the old form, for a key or for a password
		size := 1 << (tag & 3)
		if size > 4 {
			return false
		}
		body = head[1+size:]
	case tag == 0xc1 || tag == 0xc3:
		body = head[2:]
		if head[1] >= 192 {
			body = head[3:]
		}
	default:
		return false
	}
	public := head[0]&0xfc == 0x84 || head[0] == 0xc1
	if public {
		return (body[0] == 3 || body[0] == 6) && !utf8.Valid(head)
	}
	return (body[0] == 4 || body[0] == 5 || body[0] == 6) && body[1] < 16 && !utf8.Valid(head)
}
