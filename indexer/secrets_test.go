package indexer_test

import (
	"archive/zip"
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/base64"
	"encoding/binary"
	"encoding/pem"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"dowse/indexer"
	"dowse/indexer/kept"
	"dowse/store"
)

// hidden is in each file that holds a secret, and in no other one; spoken is what stands beside them.
const (
	hidden = "Zw7Qx9unguessable"
	spoken = "unicorn"
)

// privateKey returns one in armour.
func privateKey(t testing.TB) string {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	der, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	return string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der}))
}

// zipped is an archive of files.
func zipped(t testing.TB, files map[string]string) string {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		m, err := w.Create(name)
		if err == nil {
			_, err = m.Write([]byte(files[name]))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

const passwordTable = "name,url,username,password\nbank,https://a.example,orla," + hidden + "\n"

// mailWith is a message with an attached file.
func mailWith(name, data string) string {
	return "From: orla@example.org\nSubject: The keys\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=xx\n\n" +
		"--xx\nContent-Type: text/plain\n\nThe " + spoken + " is in the letter.\n\n--xx\nContent-Type: application/octet-stream; name=" + name +
		"\nContent-Disposition: attachment; filename=" + name + "\nContent-Transfer-Encoding: base64\n\n" + base64.StdEncoding.EncodeToString([]byte(data)) + "\n--xx--\n"
}

// secrets writes files that hold secrets and files beside them, and returns what of the former must not be found.
func (b *bench) secrets() (trace []string) {
	b.t.Helper()
	key := privateKey(b.t)
	trace = []string{hidden, strings.Split(key, "\n")[1]}
	for name, data := range map[string]string{
		"id_ecdsa": key, "copy.txt": key, "wg0.conf": "[Interface]\nPrivateKey = " + strings.Repeat("Ab3", 14) + "Q=\n",
		"passwords.csv": passwordTable, "prod.env": "# shop\nHOST=db\nDB_PASSWORD=" + hidden + "\n", "netrc": "machine nas login orla password " + hidden + "\n",
		"kube/config": "apiVersion: v1\nkind: Config\nusers:\n- name: orla\n  user:\n    token: " + hidden + "0123456789\n",
		"note.md":     "The " + spoken + " is in the note.\n\n" + key + "\nMore of the note.\n", "wifi.md": "The wifi password of the " + spoken + " is grandmother.\n",
		"all.zip":    zipped(b.t, map[string]string{"passwords.csv": passwordTable, "note.txt": "The " + spoken + " is in the archive.\n", "id": key}),
		"letter.eml": mailWith("passwords.csv", passwordTable),
	} {
		b.write(name, data)
	}
	folder := filepath.Join("..", "testdata", "secrets")
	for _, name := range []string{"age.asc", "age.bin", "openssl.bin", "openssl.txt", "sym.asc", "sym.gpg", "db.kdbx", "gitcrypt.bin", "vault.yml", "vim_blowfish2.txt", "fernet.txt"} {
		data, err := os.ReadFile(filepath.Join(folder, name))
		b.must(err)
		b.write("sealed/"+name, string(data))
		if at := bytes.IndexByte(data, '\n'); name != "vault.yml" && len(data) > 60 {
			trace = append(trace, string(data[max(at, 0)+20:][:24]))
		}
	}
	return trace
}

// withSecrets makes the indexer one that indexes secrets, or not.
func (b *bench) withSecrets(is bool) {
	opts := b.options()
	opts.Secrets = is
	b.index = indexer.New(opts)
}

// holding returns which texts the data of the index hold, byte for byte, packed or as vectors of texts with hidden.
func (b *bench) holding(trace []string, embedded []string) (found []string) {
	b.t.Helper()
	all := map[string][]byte{}
	for _, s := range trace {
		all[s] = []byte(s)
	}
	for _, text := range embedded {
		if !strings.Contains(text, hidden) {
			continue
		}
		var raw []byte
		for _, x := range fakeVector(text) {
			raw = binary.LittleEndian.AppendUint32(raw, math.Float32bits(x))
		}
		all["vector of "+text] = raw
	}
	b.must(filepath.WalkDir(filepath.Dir(b.db.Path()), func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		for what, bytesOf := range all {
			if bytes.Contains(data, bytesOf) {
				found = append(found, what)
			}
		}
		return err
	}))
	b.must(b.db.View(func(tx *store.Tx) error {
		return tx.EachText(func(_ uint32, value []byte) error {
			doc, err := kept.Unpack(value)
			for _, s := range trace {
				if err == nil && strings.Contains(doc.Text, s) {
					found = append(found, "kept: "+s)
				}
			}
			return err
		})
	}))
	return found
}

// leftByReason counts what is left out.
func (b *bench) leftByReason() map[string]int {
	b.t.Helper()
	left, err := b.index.Left()
	b.must(err)
	return left.Skipped
}

func TestSecretsAreLeftOut(t *testing.T) {
	b := newBench(t)
	trace := b.secrets()
	b.run(b.root)
	b.expect(map[string]int{"note.md": 1, "wifi.md": 1, "all.zip": 1, "letter.eml": 1})
	texts := b.embed.take()
	for _, s := range trace {
		for _, text := range texts {
			if strings.Contains(text, s) {
				t.Errorf("%q was embedded: %q", s, text)
			}
		}
	}
	if found := b.holding(trace, nil); len(found) > 0 {
		t.Errorf("the index holds %q", found)
	}
	left := b.leftByReason()
	for reason, want := range map[string]int{"a private key": 3, "passwords": 3, "access tokens": 1, "encrypted": 11} {
		if left[reason] != want {
			t.Errorf("%d are left out as %s, want %d: %v", left[reason], reason, want, left)
		}
	}
	all, err := b.index.Left()
	b.must(err)
	for _, p := range all.Partial {
		if !strings.Contains(p.Lacking, "a private key") && !strings.Contains(p.Lacking, "passwords") {
			t.Errorf("%s lacks %s", p.Path, p.Lacking)
		}
	}
	if len(all.Partial) != 3 || !slices.Contains(all.Files["passwords"], b.path("prod.env")) {
		t.Errorf("%+v", all)
	}
	why, err := b.index.WhyNot(b.path("prod.env"))
	if b.must(err); !strings.Contains(why, "it holds passwords (settings); extract.secrets = true") {
		t.Error(why)
	}
	listed, err := b.index.LeftOut(t.Context())
	if b.must(err); len(listed) != 18 {
		t.Errorf("%d are listed: %+v", len(listed), listed)
	}
}

// TestSecretsAreErased: what the settings had indexed, or an earlier version, which looked for none.
func TestSecretsAreErased(t *testing.T) {
	for name, before := range map[string]func(b *bench){
		"the setting": func(*bench) {},
		"an earlier version": func(b *bench) {
			b.must(b.db.Update(func(tx *store.Tx) error { return tx.PutMeta(indexer.MetaSecrets, nil) }))
		},
	} {
		b := newBench(t)
		trace := b.secrets()
		b.withSecrets(true)
		b.run(b.root)
		if got := b.files(); len(got) != 11 {
			t.Errorf("%s: indexed %v", name, got)
		}
		var dead []uint32
		for _, file := range []string{"prod.env", "passwords.csv", "netrc", "kube/config"} {
			dead = append(dead, b.chunkIDs(file)...)
		}
		texts := b.embed.take()
		if found := b.holding(trace, texts); len(found) == 0 || len(dead) < 4 {
			t.Fatalf("%s: the index holds nothing of the secrets: the test tests little", name)
		}
		before(b)
		b.withSecrets(false)
		b.run()
		b.expect(map[string]int{"note.md": 1, "wifi.md": 1, "all.zip": 1, "letter.eml": 1})
		if found := b.holding(trace, texts); len(found) > 0 {
			t.Errorf("%s: the index still holds %q", name, found)
		}
		b.nothingLeft(dead)
		if b.run(); b.leftByReason()["passwords"] != 3 {
			t.Errorf("%s: %v", name, b.leftByReason())
		}
	}
}

// TestSecretsAreMarked: what is read of them again says so, and what cannot be known to hold none is taken out of its file.
func TestSecretsAreMarked(t *testing.T) {
	b := newBench(t)
	b.secrets()
	b.withSecrets(true)
	b.run(b.root)
	texts := b.reading()
	texts.Secrets = true
	for name, want := range map[string]bool{"prod.env": true, "all.zip": true, "letter.eml": true, "kube/config": true, "passwords.csv": true, "note.md": false, "wifi.md": false} {
		text, err := texts.Text(b.path(name))
		if b.must(err); text.Secret != want {
			t.Errorf("%s: %v", name, text.Secret)
		}
	}
	for _, secrets := range []bool{true, false} {
		texts.Secrets = secrets
		text, err := texts.Text(b.path("all.zip"))
		if b.must(err); strings.Contains(text.Body, hidden) != secrets || !strings.Contains(text.Body, spoken) {
			t.Errorf("%q", text.Body)
		}
	}
	if text, err := b.reading().Text(b.path("prod.env")); err == nil {
		t.Errorf("read as %q", text.Body)
	}
}
