package mail

import (
	"encoding/base64"
	"reflect"
	"strings"
	"testing"
	"time"

	"dowse/indexer/document"
)

const letter = `From: "Lee, Ann" <ann@example.org>
To: Bob <bob@example.org>, =?utf-8?q?J=C3=B6rg?= <j@example.org>
Cc: c@example.org
Date: Tue, 3 Feb 2026 09:05:00 +0100 (CET)
Subject: =?iso-8859-1?q?Das_D=E4c?=
 =?iso-8859-1?q?hlein?=
Keywords: house, roof
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary="a b"

not read
--a b
Content-Type: multipart/alternative; boundary=c

--c
Content-Type: text/plain; charset=iso-8859-1
Content-Transfer-Encoding: quoted-printable

The roof costs 3=A0000 =
francs.

> How much is it?
It leaks.
-- 
Ann
Tel 1
v
w
x
y
saying of a wise man
--c
Content-Type: text/html

<p>The roof costs 3&nbsp;000 francs. How much is it? It leaks.</p>
--c--
--a b
Content-Type: application/x-thing; name="offer.txt"
Content-Disposition: attachment; filename*=iso-8859-1''Angebot%20gr%FCn.txt
Content-Transfer-Encoding: base64

VGlsZXMgYW5kIGJlYW1z
--a b
Content-Type: image/png; name=roof.png

xxxx
--a b
Content-Type: message/rfc822

Subject: Old letter
From: carl@example.org

It is hail.
--a b--
not read either
`

func TestALetterIsReadWithItsParts(t *testing.T) {
	for _, name := range []string{"a.eml", "1700000000.M1P2.host,S=12:2,S", "cur", "12."} {
		for _, data := range []string{letter, crlf(letter)} {
			d := mustRead(t, name, data)
			want := `# Das Dächlein

From: Lee, Ann <ann@example.org>; To: Bob <bob@example.org>, Jörg <j@example.org>; Cc: c@example.org; Date: Tue 3 Feb 2026 09:05

The roof costs 3 000 francs.

> How much is it?

It leaks.

Ann
Tel 1
v
w
x
y
saying of a wise man

- Attachment: Angebot grün.txt

Tiles and beams

- Attachment: roof.png

## Old letter

From: carl@example.org

It is hail.`
			if d.Text != want {
				t.Errorf("%s: read\n%s\nwant\n%s", name, d.Text, want)
			}
			for text, place := range map[string]string{
				"The roof": "", "Tiles": "attachment Angebot grün.txt", "roof.png": "", "It is hail": "message Old letter",
			} {
				if got := document.Label(d.Place(strings.Index(d.Text, text))); got != place {
					t.Errorf("%s: %q is of %q, want %q", name, text, got, place)
				}
			}
			date := d.Meta.Date
			if d.Meta.Date = (time.Time{}); !date.Equal(time.Date(2026, 2, 3, 8, 5, 0, 0, time.UTC)) || !reflect.DeepEqual(d.Meta, document.Meta{
				Title: "Das Dächlein", Authors: []string{"Lee, Ann <ann@example.org>"}, Tags: []string{"house", "roof"},
				To: []string{"Bob <bob@example.org>", "Jörg <j@example.org>", "c@example.org"},
			}) {
				t.Errorf("%s: says of itself %+v, %v", name, d.Meta, date)
			}
		}
	}
}

func TestWhatIsAMessageIsToldFromWhatIsNot(t *testing.T) {
	for _, c := range []struct{ name, data, format string }{
		{"a.eml", "Subject: x\n\ny", "eml"},
		{"a.eml", "just a note", ""},
		{"note", "From: Ann\n\nBuy tiles.", ""},
		{"note", "From: Ann\nTo say it: no.\n\nBuy tiles.", ""},
		{"note", "From: Ann\nSubject: x\nand then a line\n\nBuy tiles.", ""},
		{"103126", "From: Ann\nSubject: x\nLines: 3\n\nBuy tiles.", "eml"},
		{"letter.txt", "From: Ann\nSubject: x\n\nBuy tiles.", ""},
		{"a.md", "From: Ann\nSubject: x\n\nBuy tiles.", ""},
		{"Inbox", "From a@b.c Mon Jan  1 10:00:00 2024\nFrom: a@b.c\nDate: x\n\nhi\n", "mbox"},
		{"2024-January.txt", "From ann at b.c  Mon Jan  1 10:00:00 2024\nFrom: ann at b.c\nDate: x\n\nhi\n", "mbox"},
		{"0001-x.patch", "From 0123 Mon Sep 17 00:00:00 2001\nFrom: a@b.c\nDate: x\n\nhi\n", ""},
		{"a.mbox", "From \nSubject: a\n\nhi\n", "mbox"},
		{"a.txt", "From time to time, at 10:00 since 2024\nthings: change\nSubject: x\n\n", ""},
		{"a.emlx", "21\nSubject: x\n\nBuy tiles<?xml?>", "emlx"},
		{"a.emlx", "x\nSubject: x\n\nBuy tiles", ""},
	} {
		format := ""
		for _, f := range Formats {
			if format == "" && f.Is(c.name, []byte(c.data)) {
				format = f.Name
			}
		}
		if format != c.format {
			t.Errorf("%s: %.30q is %q, want %q", c.name, c.data, format, c.format)
		}
	}
}

func TestAHeadLongerThanWhatIsLookedAtIsOne(t *testing.T) {
	long := "From: a\nSubject: x\n" + strings.Repeat("Received: from there\n", 300)
	if !isMessage("x", []byte(long[:4096])) {
		t.Error("not recognised")
	}
}

func TestAppleMailEndsBeforeItsProperties(t *testing.T) {
	d := mustRead(t, "a.emlx", "17\nSubject: x\n\ntiles <?xml version?><plist>")
	if want := "# x\n\ntiles"; d.Text != want || d.Format != "emlx" {
		t.Errorf("%q, %s", d.Text, d.Format)
	}
}

// Of a message that is encrypted its head is read.
func TestEncryptedMessagesAreSaidToBe(t *testing.T) {
	for name, body := range map[string]string{
		"PGP/MIME": "Content-Type: multipart/encrypted; boundary=x\n\n--x\n\nVersion: 1\n--x\n\nabc\n--x--\n",
		"armour":   "\n-----BEGIN PGP MESSAGE-----\n\nabcd\n-----END PGP MESSAGE-----\n",
		"S/MIME":   "Content-Type: application/pkcs7-mime; smime-type=enveloped-data; name=smime.p7m\nContent-Transfer-Encoding: base64\n\nabcd\n",
	} {
		message := "From: a\nSubject: secret\n" + body
		if d := mustRead(t, "a.eml", message); d.Text != "# secret\n\nFrom: a\n\nThis message is encrypted." || d.Lacking != "text that is encrypted" || d.Meta.Title != "secret" {
			t.Errorf("%s: %q without %q", name, d.Text, d.Lacking)
		}
		d := mustRead(t, "a.mbox", "From a\n"+message+"\nFrom b\nSubject: open\n\nhello\n")
		if !strings.Contains(d.Text, "This message is encrypted.") || !strings.Contains(d.Text, "hello") {
			t.Errorf("%s in a mailbox: %q", name, d.Text)
		}
	}
}

// What marks a text as signed by PGP goes, and what stands around an encrypted one stays.
func TestArmourOfPGPIsLeftOut(t *testing.T) {
	const signature = "-----BEGIN PGP SIGNATURE-----\nVersion: x\n\niQabc\n-----END PGP SIGNATURE-----\n"
	for body, want := range map[string]string{
		"-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\nNotDashEscaped: a\n\nHash: that is a word.\n- - a list\n- -----\n" + signature: "Hash: that is a word.\n- a list\n\\-----",
		"On the list:\n-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA1\n\ntiles\n" + signature + "-- footer\n- -- x":                       "On the list:\n\ntiles\n-- footer\n- -- x",
		"Before\n-----BEGIN PGP MESSAGE-----\n\nabc\n-----END PGP MESSAGE-----\nafter":                                                    "Before\nafter\n\nThis message is encrypted.",
		"It begins so:\n-----BEGIN PGP MESSAGE-----\nVersion: x\n\nblah, blah\n-----END PGP MESSAGE-----":                                 "It begins so:\n-----BEGIN PGP MESSAGE-----\nVersion: x\n\nblah, blah\n-----END PGP MESSAGE-----",
		"-----BEGIN PGP SIGNATURE-----\nand it never ends":                                                                                "-----BEGIN PGP SIGNATURE-----\nand it never ends",
	} {
		if got := mustRead(t, "a.eml", "Subject: x\n\n"+body).Text; got != "# x\n\n"+want {
			t.Errorf("%q: read %q, want %q", body, got, want)
		}
	}
}

func TestAnAttachmentThatCannotBeReadIsNamed(t *testing.T) {
	d := mustRead(t, "a.eml", `Subject: x
Content-Type: multipart/mixed; boundary=b

--b
Content-Type: application/octet-stream; name=a.locked

x
--b
Content-Type: application/octet-stream; name="c:\tmp\b.dat"

x
`)
	if want := "# x\n\n- Attachment: a.locked\n\na.locked is encrypted.\n\n- Attachment: b.dat"; d.Text != want {
		t.Errorf("%q", d.Text)
	}
}

func TestCharsetsAreUndone(t *testing.T) {
	for _, c := range []struct{ charset, bytes, want string }{
		{"iso-8859-1", "Gr\xfc\xdfe", "Grüße"}, {"\"UTF-8\"", "Grüße", "Grüße"}, {"koi8-r", "\xf0\xd2\xc9", "При"},
		{"iso-2022-jp", "\x1b$B$3$s\x1b(B", "こん"}, {"iso-2022-kr", "\x1b$)C\x0e>H3g\x0f", "안녕"}, {"utf-7", "Gr+APwA3w-e +- x", "Grüße + x"},
		{"us-ascii", "Grüße", "Grüße"}, {"hz-gb-2312", "~{VPND~}", "中文"}, {"cp437", "Gr\x81\xe1e", "Grüße"}, {"gb2312", "\xd6\xd0", "中"},
		{"ks_c_5601-1987", "\xbe\xc8", "안"}, {"latin-1", "\xfc", "ü"}, {"big5", "\xa4\xa4", "中"}, {"x-mac-cyrillic", "\x8f", "П"},
		{"utf-16", "\xfe\xff\x00A\x00\xfc", "Aü"}, {"utf-32", "\x00\x00\xfe\xff\x00\x00\x00A", "A"}, {"nonsense", "abc", "abc"}, {"iso8859_15", "\xa4", "€"},
	} {
		if got, ok := decodeCharset(c.charset, []byte(c.bytes)); !ok || strings.TrimPrefix(got, "\ufeff") != c.want {
			t.Errorf("%s: %q, %v, want %q", c.charset, got, ok, c.want)
		}
	}
	for _, c := range []string{"", "nonsense", "us-ascii", "utf-8"} {
		if _, ok := decodeCharset(c, []byte("Gr\xfc\xdfe")); ok {
			t.Errorf("%q fits Latin letters", c)
		}
	}
}

func TestWordsOfFieldsAreDecoded(t *testing.T) {
	for raw, want := range map[string]string{
		"=?utf-8?b?R3I=?= =?utf-8?b?w7w=?=":              "Grü",
		"=?utf-8?q?=C3?= =?utf-8?q?=BC?= and":            "ü and",
		"Re: =?iso-8859-1?Q?a_b=E4?= =?koi8-r?q?=f0?= c": "Re: a bäП c",
		"=?utf-8?q?with a space?=":                       "with a space",
		"=?utf-8*de?q?Gr=C3=BC?=":                        "Grü",
		"=?broken":                                       "=?broken",
		"=?utf-8?b?R3LDvA?=":                             "Grü",
		"caf\xe9":                                        "café",
		"=?x-nonsense?q?plain?=":                         "plain",
		"=?iso-2022-jp?b?GyRCJDMbKEI=?= =?utf-8?q?x?=":   "こx",
	} {
		if got := decodeWords(raw); got != want {
			t.Errorf("%q: %q, want %q", raw, got, want)
		}
	}
}

func TestTransfersThatAreDamagedGiveWhatTheyCan(t *testing.T) {
	for _, c := range []struct{ encoding, body, want string }{
		{"base64", "VGlsZXM= 1", "Tiles"}, {"base64", "the roof\nof 1911\n", "the roof\nof 1911\n"}, {"base64", "VGls\n ZXM*=\n", "Tiles"}, {"base64", "VGlsZXM=VGlsZXM=", "TilesTiles"}, {"base64", "VGlsZXM" + "=", "Tiles"}, {"base64", "VGlsZ", "Til"},
		{"quoted-printable", "a=3Db=\r\nc=zz= \nd=", "a=bc=zzd"}, {"x-uuencode", "begin 644 a\n%5&EL97,`\n`\nend\nx", "Tiles"}, {"7bit", "a=3D", "a=3D"},
	} {
		if got := string(untransfer(c.encoding, []byte(c.body))); got != c.want {
			t.Errorf("%s of %q: %q, want %q", c.encoding, c.body, got, c.want)
		}
	}
	for n := range 50 {
		want := strings.Repeat("xyz", n)[:n]
		if got := string(unbase64([]byte(base64.StdEncoding.EncodeToString([]byte(want))))); got != want {
			t.Errorf("%q: %q", want, got)
		}
	}
}

func TestFlowedLinesAreJoined(t *testing.T) {
	for _, c := range []struct {
		text, want string
		delsp      bool
	}{
		{"one \ntwo\n\nthree \n-- \nAnn", "one two\n\nthree \n-- \nAnn", false},
		{"zwei \nfel", "zweifel", true},
		{"> a \n> b\nc", "> a b\nc", false},
		{"a \n> b", "a \n> b", false},
		{" From x \ny", "From x y", false},
	} {
		if got := unflow(c.text, c.delsp); got != c.want {
			t.Errorf("%q: %q, want %q", c.text, got, c.want)
		}
	}
}

func TestLettersOfAHeadAreOfTheSetOfTheText(t *testing.T) {
	d := mustRead(t, "a.eml", "Subject: \xf0\xd2\xc9\nContent-Type: text/plain; charset=koi8-r\n\n\xf0\xd2\xc9\n")
	if d.Text != "# При\n\nПри" || d.Meta.Title != "При" {
		t.Errorf("%q", d.Text)
	}
}

// TestBase64OfAnotherMessage: of an attachment that is spread over several messages the rest is no text.
func TestBase64OfAnotherMessage(t *testing.T) {
	data := strings.Repeat(strings.Repeat("Qk9u", 18)+"\n", 5)
	d, err := read("a.eml", "From: ann@example.org\nSubject: part 2\n\n"+data+"The end.\n"+strings.Repeat("a", 70)+"\n")
	if err != nil || strings.Contains(d.Text, "Qk9u") || !strings.Contains(d.Text, "The end.\naaaa") {
		t.Errorf("read %q", d.Text)
	}
}
