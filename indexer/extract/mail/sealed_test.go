package mail

import (
	"bytes"
	"compress/zlib"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dowse/indexer/document"
)

// sealedFile returns a file that OpenSSL 3.0 has written: by "cms -sign -nodetach", "-stream" (BER without lengths), "smime -sign", "cms -encrypt".
func sealedFile(t testing.TB, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// What is signed is not encrypted, though no letter of it can be seen.
func TestSignedMessagesAreRead(t *testing.T) {
	for _, name := range []string{"signed.eml", "signed-stream.eml", "smime.eml"} {
		data := sealedFile(t, name)
		for shape, data := range map[string]string{
			"as it is":  data,
			"unnamed":   strings.Replace(strings.Replace(data, `; smime-type=signed-data; name="smime.p7m"`, "", 1), `; filename="smime.p7m"`, "", 1),
			"as a file": strings.Replace(strings.Replace(data, "application/pkcs7-mime", "application/octet-stream", 1), "application/x-pkcs7-mime", "application/octet-stream", 1),
		} {
			d := mustRead(t, name, data)
			if want := "# Barometer\n\nFrom: ann@example.org; To: bob@example.org\n\nThe spare key hangs behind the barometer."; d.Text != want || d.Lacking != "" {
				t.Errorf("%s %s: read %q without %q", name, shape, d.Text, d.Lacking)
			}
		}
	}
	for _, name := range []string{"enveloped.eml", "auth-enveloped.eml"} {
		d := mustRead(t, name, sealedFile(t, name))
		if want := "# Barometer\n\nFrom: ann@example.org; To: bob@example.org\n\nThis message is encrypted."; d.Text != want || d.Lacking == "" {
			t.Errorf("%s: read %q without %q", name, d.Text, d.Lacking)
		}
	}
}

// A document that is signed is one; so is a message that was saved with or without its head.
func TestSignedFilesAreRead(t *testing.T) {
	for name, data := range map[string]string{
		"a.txt.p7m": sealedFile(t, "invoice.xml.p7m"),
		"b.TXT.P7M": sealedFile(t, "invoice-pem.xml.p7m"),
		"c.txt.p7m": string(sealedOf(sealedFile(t, "invoice.xml.p7m"))),
		"d.txt.p7m": string(compressed("Riparazione del tetto")),
		"e.p7m":     sealedFile(t, "signed-stream.eml"),
		"smime.p7m": string(sealedOf("Content-Type: text/plain\r\n\r\nRiparazione del tetto")),
		"f.txt.p7m": string(inPieces("Ripara", "zione del ", "tetto")),
	} {
		if d, err := read(name, data); err != nil || d.Format != "p7m" || !strings.Contains(d.Text, "Riparazione del tetto") && !strings.Contains(d.Text, "behind the barometer") {
			t.Errorf("%s: %+v, %v", name, d, err)
		}
	}
	for name, c := range map[string]struct {
		data string
		err  error
	}{
		"a.txt.p7m": {sealedFile(t, "detached.p7m"), document.ErrNoText},
		"b.txt.p7m": {string(berOf(0x30, berOf(6, []byte(cmsEnveloped)), berOf(0xa0, berOf(0x30)))), document.ErrEncrypted},
		"c.txt.p7m": {"Nothing of CMS", errBER},
	} {
		if _, err := read(name, c.data); !errors.Is(err, c.err) {
			t.Errorf("%s: %v, want %v", name, err, c.err)
		}
	}
}

// No depth of elements within elements is too deep, and none is walked more than a few times.
func TestElementsWithinElementsEnd(t *testing.T) {
	deep := strings.Repeat("\x30\x80", 1<<16)
	octets := string(pieces(0x30, berOf(6, []byte(cmsSigned)), pieces(0xa0, pieces(0x30, pieces(0x30, berOf(6, []byte(cmsData)),
		append([]byte{0xa0, 0x80}, strings.Repeat("\x24\x80", 1<<16)...))))))
	for _, data := range []string{deep, octets} {
		if _, err := read("a.txt.p7m", data); err == nil {
			t.Error("it is read")
		}
	}
}

// Files that are attached to a signed message can be opened.
func TestPartsOfSignedMessagesOpen(t *testing.T) {
	inner := "Subject: y\nContent-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/plain; name=a.txt\n\ntiles\n--b--\n"
	outer := "Subject: x\nContent-Type: application/pkcs7-mime\nContent-Transfer-Encoding: binary\n\n"
	for name, data := range map[string]string{"a.eml": outer + string(sealedOf(inner)), "smime.p7m": string(sealedOf(inner))} {
		in := document.NewInput(name, []byte(data), document.DefaultLimits)
		wanted := document.Part{Unit: document.Attachment, Name: "a.txt"}
		if name == "smime.p7m" {
			unwrapped, found, err := partOfSealed(context.Background(), in, wanted)
			if err != nil || found {
				t.Fatalf("%s: %v, %v", name, found, err)
			}
			in = unwrapped
		}
		part, found, err := partOfMessage(context.Background(), in, wanted)
		if err != nil || !found || string(part.Data) != "tiles" {
			t.Errorf("%s: %v, %v, %+v", name, err, found, part)
		}
	}
}

// berOf writes an element of BER with its length, pieces one without.
func berOf(tag byte, parts ...[]byte) []byte {
	body := bytes.Join(parts, nil)
	return append([]byte{tag, 0x82, byte(len(body) >> 8), byte(len(body))}, body...)
}

func pieces(tag byte, parts ...[]byte) []byte {
	return append(append([]byte{tag, 0x80}, bytes.Join(parts, nil)...), 0, 0)
}

func sealedOf(content string) []byte {
	return berOf(0x30, berOf(6, []byte(cmsSigned)), berOf(0xa0, berOf(0x30, berOf(2, []byte{1}), berOf(0x31), berOf(0x30, berOf(6, []byte(cmsData)), berOf(0xa0, berOf(4, []byte(content)))))))
}

func compressed(content string) []byte {
	var z bytes.Buffer
	w := zlib.NewWriter(&z)
	_, _ = w.Write([]byte(content))
	_ = w.Close()
	return berOf(0x30, berOf(6, []byte(cmsCompressed)), berOf(0xa0, berOf(0x30, berOf(2, []byte{0}), berOf(0x30), berOf(0x30, berOf(6, []byte(cmsData)), berOf(0xa0, berOf(4, z.Bytes()))))))
}

// inPieces is sealedOf without lengths, with pieces within pieces.
func inPieces(first, second, third string) []byte {
	text := pieces(0x24, berOf(4, []byte(first)), pieces(0x24, berOf(4, []byte(second)), berOf(4, []byte(third))))
	signed := pieces(0x30, berOf(2, []byte{1}), berOf(0x31), pieces(0x30, berOf(6, []byte(cmsData)), pieces(0xa0, text)))
	return pieces(0x30, berOf(6, []byte(cmsSigned)), pieces(0xa0, signed))
}
