package encoded

import (
	"crypto/ed25519"
	"crypto/rand"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"dowse/internal/testmutate"
)

// privateKey returns one in armour, shorter than what is cut for its letters alone.
func privateKey(t testing.TB) string {
	t.Helper()
	_, private, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	der, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	return string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der}))
}

// some returns n letters and digits, in which no program finds a token while they stand in this file.
func some(n int) string {
	const letters = "a7Kd0Zq3Xw9Rm2Bv5Tn8Jc1Lf6Yh4Pg"
	return strings.Repeat(letters, n/len(letters)+1)[:n]
}

// webToken returns a JSON web token.
func webToken() string {
	part := base64.RawURLEncoding.EncodeToString
	return part([]byte(`{"alg":"HS256","typ":"JWT"}`)) + "." + part([]byte(`{"sub":"orla 17"}`)) + "." + some(43)
}

func fixture(t testing.TB, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "..", "testdata", "secrets", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// without is a text without its runs.
func without(text string, runs []Run) string {
	var b strings.Builder
	from := 0
	for _, r := range runs {
		b.WriteString(text[from:r.Start] + "…")
		from = r.End
	}
	return b.String() + text[from:]
}

// TestSecretsInProse: what is secret goes, what somebody wrote around it stays.
func TestSecretsInProse(t *testing.T) {
	key := privateKey(t)
	begin, end := "-----BEGIN PRIVATE KEY-----", "-----END PRIVATE KEY-----"
	quoted := strings.ReplaceAll(strings.TrimSpace(key), "\n", "\n> ")
	indented := strings.ReplaceAll(strings.TrimSpace(key), "\n", "\n    ")
	escaped := strings.ReplaceAll(key, "\n", `\n`)
	cut, _, _ := strings.Cut(key, "-----END")
	vault := fixture(t, "vault_value.yml")
	for text, want := range map[string]string{
		"Bob, the key:\n\n" + key + "\nOrla\n":                                      "Bob, the key:\n\n" + begin + "\n…\n" + end + "\n\nOrla\n",
		"> " + quoted + "\n> Orla":                                                  "> " + begin + "\n> …\n> " + end + "\n> Orla",
		"key: |\n    " + indented + "\nhost: nas\n":                                 "key: |\n    " + begin + "\n    …\n    " + end + "\nhost: nas\n",
		`{"key": "` + escaped + `", "host": "nas"}`:                                 `{"key": "` + begin + `\n…\n` + end + `\n", "host": "nas"}`,
		"The end is missing:\n" + cut + "\nOrla says.":                              "The end is missing:\n" + begin + "\n…\n\nOrla says.",
		"Two:\n" + key + key:                                                        "Two:\n" + begin + "\n…\n" + end + "\n" + begin + "\n…\n" + end + "\n",
		"The mail:\n" + fixture(t, "sym.asc") + "Bye":                               "The mail:\n-----BEGIN PGP MESSAGE-----\n\n…\n-----END PGP MESSAGE-----\nBye",
		"Age:\n" + fixture(t, "age.asc") + "Bye":                                    "Age:\n-----BEGIN AGE ENCRYPTED FILE-----\n…\n-----END AGE ENCRYPTED FILE-----\nBye",
		"x: 1\n" + strings.TrimRight(vault, " \n") + "\nhost: nas\n":                "x: 1\ndb_password: !vault |\n          …\nhost: nas\n",
		"Fernet: " + strings.SplitN(fixture(t, "fernet.txt"), "\n", 2)[0] + " done": "Fernet: … done",
		"OpenSSL:\n" + fixture(t, "openssl.txt") + "\nBye":                          "OpenSSL:\n…\n\nBye",
		"use ghp" + "_" + some(36) + ".":                                            "use ….", "token=" + "glpat" + "-" + some(20) + "\n": "token=…\n",
		"Authorization: Bearer " + webToken() + "\nHost: nas":                                        "Authorization: Bearer …\nHost: nas",
		"db: ENC[AES256_GCM,data:" + some(12) + ",iv:" + some(43) + "=,tag:x==,type:str]\nhost: nas": "db: …\nhost: nas",
		"id: AGE-SECRET-KEY-" + "1" + strings.Repeat("Q7XK2M9A", 8)[:58] + " (mine)":                 "id: … (mine)",
	} {
		if got := without(text, Secrets(text)); got != want {
			t.Errorf("of %q\n got %q\nwant %q", text, got, want)
		}
		if got := without(text, Runs(text)); got != want {
			t.Errorf("among all runs: %q, want %q", got, want)
		}
	}
	for _, text := range []string{
		"-----BEGIN PRIVATE KEY-----\n...\n-----END PRIVATE KEY-----\n", "-----BEGIN PRIVATE KEY-----\n" + strings.Repeat("x", 64) + "\n-----END PRIVATE KEY-----\n",
		"-----BEGIN PUBLIC KEY-----\n" + some(64) + "\n-----END PUBLIC KEY-----\n", "BEGIN TRANSACTION; -- BEGIN \n----BEGIN", "ghp_" + strings.Repeat("x", 36), "xoxb-your-bot-token-goes-here-please",
		"sk-" + "learn-is-a-library-of-many-estimators-that-people-use", "eyJ" + strings.Repeat("x", 60), "$ANSIBLE_VAULT;1.1;AES256\nand what follows", "ENC[AES256_GCM,data:...]",
		"A heading like ----- BEGIN PRIVATE KEY ----- in prose, which goes on for a while and has no key in it at all.",
	} {
		if runs := Secrets(text); len(runs) > 0 {
			t.Errorf("%q lacks %+v", text, runs)
		}
	}
}

// slowTokens finds tokens by a regular expression for each form, without a look at what they are made of.
func slowTokens(text string) (found []string) {
	for _, f := range forms[:len(forms)-10] { // those that have nothing but letters behind a prefix
		more := strings.NewReplacer("-", `\-`).Replace(f.more)
		re := regexp.MustCompile(`(?:^|[^A-Za-z0-9])(` + regexp.QuoteMeta(f.prefix) + `[A-Za-z0-9` + more + `]*[A-Za-z0-9])`)
		for _, m := range re.FindAllStringSubmatch(text, -1) {
			if len(m[1]) >= len(f.prefix)+f.least {
				found = append(found, m[1])
			}
		}
	}
	return found
}

func TestTokensAsByExpressions(t *testing.T) {
	var text strings.Builder
	for _, f := range forms[:len(forms)-10] {
		for _, n := range []int{f.least - 1, f.least, f.least + 5} {
			text.WriteString(" is " + f.prefix + some(n) + ", /" + f.prefix + some(n) + "'x" + f.prefix + some(n) + "\n")
		}
	}
	var got []string
	for _, r := range tokens(text.String()) {
		got = append(got, text.String()[r.Start:r.End])
	}
	want := slowTokens(text.String())
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) || len(want) < 4*20 {
		t.Errorf("%d tokens, want %d", len(got), len(want))
	}
}

// TestSecretsOfDamagedText: runs lie within the text, one behind the other.
func TestSecretsOfDamagedText(t *testing.T) {
	seeds := [][]byte{[]byte("a " + privateKey(t) + "b"), []byte(fixture(t, "vault_value.yml")), []byte("x " + webToken() + " y"), []byte(fixture(t, "sym.asc")), []byte(fixture(t, "openssl.txt"))}
	testmutate.Each(t, 2000, seeds, func(data []byte) {
		at := 0
		for _, r := range Secrets(string(data)) {
			if r.Start < at || r.End <= r.Start || r.End > len(data) {
				t.Fatalf("%+v of %q", r, data)
			}
			at = r.End
		}
	})
}
