package secret_test

import (
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/base64"
	"encoding/pem"
	"fmt"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf16"

	"dowse/indexer/secret"
	"dowse/indexer/skip"
)

// some returns n letters and digits in which no program that looks for tokens finds one while they stand in this file.
func some(n int) string {
	const letters = "a7Kd0Zq3Xw9Rm2Bv5Tn8Jc1Lf6Yh4Pg"
	return strings.Repeat(letters, n/len(letters)+1)[:n]
}

// key returns a private key in armour.
func key(t testing.TB) string {
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

// certificate returns one in armour.
func certificate(t testing.TB) string {
	t.Helper()
	public, private, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	of := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "orla"}}
	der, err := x509.CreateCertificate(rand.Reader, of, of, public, private)
	if err != nil {
		t.Fatal(err)
	}
	return string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}))
}

// wide writes a text as PowerShell does.
func wide(text string) string {
	out := []byte("\xff\xfe")
	for _, u := range utf16.Encode([]rune(text)) {
		out = append(out, byte(u), byte(u>>8))
	}
	return string(out)
}

type sample struct {
	name, data string
	reason     skip.Reason
}

func check(t *testing.T, samples []sample) {
	t.Helper()
	for _, s := range samples {
		if found := secret.Of(s.name, []byte(s.data)); found.Reason != s.reason {
			t.Errorf("%s is %q (%s), want %q: %.80q", s.name, found.Reason, found.Detail, s.reason, s.data)
		}
	}
}

// TestCiphertextOfPrograms: what real programs wrote, by whatever name.
func TestCiphertextOfPrograms(t *testing.T) {
	folder := filepath.Join("..", "..", "testdata", "secrets")
	files, err := os.ReadDir(folder)
	if err != nil || len(files) < 12 {
		t.Fatal(len(files), err)
	}
	for _, f := range files {
		if f.Name() == "README.md" || f.Name() == "vault_value.yml" {
			continue
		}
		data, err := os.ReadFile(filepath.Join(folder, f.Name()))
		if err != nil {
			t.Fatal(err)
		}
		check(t, []sample{{f.Name(), string(data), skip.Encrypted}, {"notes.txt", string(data), skip.Encrypted}})
	}
	check(t, []sample{
		{"secrets.yaml", "db:\n  password: ENC[AES256_GCM,data:" + some(12) + "==,iv:" + some(43) + "=,tag:" + some(22) + "==,type:str]\nsops:\n  age:\n    - recipient: age1x\n  lastmodified: '2026-05-01T10:00:00Z'\n", skip.Encrypted},
		{"secrets.env", "DB=ENC[AES256_GCM,data:" + some(12) + ",iv:x,tag:x,type:str]\nsops_mac=ENC[AES256_GCM,data:" + some(12) + "]\n", skip.Encrypted},
		{"bitwarden.json", `{"encrypted": true, "passwordProtected": true, "salt": "x", "encKeyValidation_DO_NOT_EDIT": "2.x", "data": "2.` + some(80) + `"}`, skip.Encrypted},
		{"UTC--2026.json", `{"crypto":{"cipher":"aes-128-ctr","ciphertext":"` + some(64) + `","kdf":"scrypt","kdfparams":{}},"version":3}`, skip.Encrypted},
		{"credentials.yml.enc", some(60) + "--" + some(16) + "--" + some(22) + "==", skip.Encrypted},
	})
}

func TestPrivateKeys(t *testing.T) {
	k := key(t)
	words := strings.TrimSpace(strings.Repeat("river lamp goat quiet ", 3))
	escaped := strings.ReplaceAll(k, "\n", `\n`)
	check(t, []sample{
		{"id_ed25519", k, skip.PrivateKey}, {"a.txt", "\n" + k, skip.PrivateKey}, {"bundle.pem", certificate(t) + k, skip.PrivateKey},
		{"a.pem", "Bag Attributes\n    localKeyID: 01 02 \nKey Attributes: <No Attributes>\n" + k, skip.PrivateKey}, {"dos.pem", strings.ReplaceAll(k, "\n", "\r\n"), skip.PrivateKey},
		{"key.ppk", "PuTTY-User-Key-File-3: ssh-ed25519\nEncryption: none\n", skip.PrivateKey},
		{"wg0.conf", "[Interface]\nPrivateKey = " + some(43) + "=\nAddress = 10.0.0.2/24\n\n[Peer]\nPublicKey = x\n", skip.PrivateKey},
		{"keys.txt", "# created: 2026-05-01\n# public key: age1x\nAGE-SECRET-KEY-" + "1" + strings.Repeat("Q7XK2M9A", 8)[:58] + "\n", skip.PrivateKey},
		{"sa.json", `{"type": "service_account", "private_key": "` + escaped + `"}`, skip.PrivateKey},
		{"jwk.json", `{"kty":"EC","crv":"P-256","x":"x","d":"` + some(43) + `"}`, skip.PrivateKey},
		{"fernet.key", some(43) + "=", skip.PrivateKey}, {"master.key", strings.Repeat("0a1b2c3d", 4) + "\n", skip.PrivateKey},
		{"wallet.txt", words + "\n", skip.PrivateKey}, {"minisign.key", "untrusted comment: minisign encrypted secret key\n" + some(200) + "\n", skip.PrivateKey},
		{"1.key", "Created: 20261127T164522\nKey: (private-key (rsa (n #00#)\n", skip.PrivateKey},
	})
}

// TestKeysThatSpellWords: letters of a key spell a placeholder by chance, as one RSA key in twenty does.
func TestKeysThatSpellWords(t *testing.T) {
	words := []string{"xXx", "XXX", "ToDo", "FAKE"}
	var samples []sample
	for _, word := range words {
		body := "MIIEvQIBADANBgkqhkiG9w0BAQEFAASC" + some(20) + word + some(9) + `\n` + some(64) + `\n`
		samples = append(samples,
			sample{"sa.json", `{"type": "service_account", "private_key": "-----BEGIN PRIVATE KEY-----\n` + body + `-----END PRIVATE KEY-----\n"}`, skip.PrivateKey},
			sample{"jwk.json", `{"kty":"EC","d":"` + some(20) + word + some(20) + `"}`, skip.PrivateKey},
			sample{"a.env", "API_TOKEN=" + some(24) + word + some(16) + "\n", skip.Tokens})
	}
	check(t, samples)
	check(t, []sample{
		{"sa.json", `{"type": "service_account", "private_key": "-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASC` + strings.Repeat("x", 64) + `\n-----END PRIVATE KEY-----\n"}`, ""},
		{"a.env", "API_TOKEN=xxx-your-token-1\n", ""},
	})
}

func TestPasswordTables(t *testing.T) {
	samples := []sample{
		{"ff.csv", "\"url\",\"username\",\"password\",\"httpRealm\",\"formActionOrigin\",\"guid\"\n\"https://a.example\",\"orla\",\"hunter2\",,\"\",\"{1}\"\n", skip.Passwords},
		{"kp.csv", "\"Account\",\"Login Name\",\"Password\",\"Web Site\",\"Comments\"\n\"nas\",\"orla\",\"hunter2\",\"\",\"\"\n", skip.Passwords},
		{"de.csv", "Dienst;Benutzername;Passwort\nNAS;orla;hunter2\n", skip.Passwords}, {"x.tsv", "site\tuser\tpassword\nnas\torla\thunter2\n", skip.Passwords},
		{"excel.csv", wide("sep=,\r\nurl,username,password\r\nhttps://a.example,orla,hunter2\r\n"), skip.Passwords},
		{"bw.json", `{"encrypted": false, "folders": [], "items": [{"type": 1, "name": "nas", "login": {"uris": [], "username": "orla", "password": "hunter2"}}]}`, skip.Passwords},
		{"export.data", `{"accounts":[{"vaults":[{"items":[{"details":{"loginFields":[{"value":"hunter2","designation":"password"}]}}]}]}]}`, skip.Passwords},
		{"logins.json", `{"logins":[{"hostname":"https://a.example","encryptedUsername":"x","encryptedPassword":"y"}]}`, skip.Passwords},
		{"kp.xml", "<?xml version=\"1.0\"?><KeePassFile><Root><String><Key>Password</Key><Value ProtectInMemory=\"True\">hunter2</Value></String></Root></KeePassFile>", skip.Passwords},
		{".netrc", "machine nas.example login orla password hunter2\nmachine b.example\n  login orla\n  password hunter3\n", skip.Passwords},
		{"x", "# mine\ndefault login orla password hunter2\n", skip.Passwords}, {".pgpass", "# host\nlocalhost:*:books:orla:hunter2\n", skip.Passwords},
		{"old", "db.example:5432:books:orla:hunter2\n", skip.Passwords}, {".git-credentials", "https://orla:hunter2@git.example\n", skip.Passwords},
		{".htpasswd", "orla:$apr1$" + some(8) + "$" + some(22) + "\nbea:$2y$05$" + some(53) + "\n", skip.Passwords},
		{"shadow", "root:*:19000:0:99999:7:::\norla:$y$j9T$" + some(20) + "$" + some(43) + ":19000:0:99999:7:::\n", skip.Passwords},
		{"prod.env", "# shop\nexport DB_HOST=db.example\nDB_PASSWORD='hunter2 and more'\nDEBUG=false\n", skip.Passwords},
		{"app.properties", "spring.datasource.url=jdbc:x\nspring.datasource.password=hunter2\n", skip.Passwords}, {"a.env", "DATABASE_URL=postgres://orla:hunter2@db.example:5432/shop\n", skip.Passwords},
		{"wp-config.php", "<?php\ndefine( 'DB_NAME', 'blog' );\ndefine( 'DB_PASSWORD', 'hunter2' );\n$table_prefix = 'wp_';\n", skip.Passwords},
	}
	for program, header := range map[string]string{
		"chrome": "name,url,username,password,note", "bitwarden": "folder,favorite,type,name,notes,fields,reprompt,login_uri,login_username,login_password,login_totp",
		"1password": "Title,Url,Username,Password,OTPAuth,Favorite,Archived,Tags,Notes", "lastpass": "url,username,password,totp,extra,name,grouping,fav",
		"keepassxc": "Group,Title,Username,Password,URL,Notes,TOTP,Icon,Last Modified,Created", "dashlane": "username,username2,username3,title,password,note,url,category,otpSecret",
		"safari": "Title,URL,Username,Password,Notes,OTPAuth", "roboform": "Name,Url,MatchUrl,Login,Pwd,Note", "nordpass": "name,url,additional_urls,username,password,note,cardholdername",
	} {
		cells := strings.Split(header, ",")
		for i, cell := range cells {
			if cell = strings.ToLower(cell); cell == "password" || cell == "pwd" || cell == "login_password" {
				cells[i] = "hunter2"
			}
		}
		samples = append(samples, sample{program + ".csv", header + "\n" + strings.Join(cells, ",") + "\n", skip.Passwords})
	}
	check(t, samples)
}

func TestAccessTokens(t *testing.T) {
	basic := base64.StdEncoding.EncodeToString([]byte("orla:hunter2"))
	web := base64.RawURLEncoding.EncodeToString([]byte(`{"alg":"HS256","typ":"JWT"}`)) + "." + base64.RawURLEncoding.EncodeToString([]byte(`{"sub":"orla 17"}`)) + "." + some(43)
	check(t, []sample{
		{"config", "apiVersion: v1\nkind: Config\nclusters: []\nusers:\n- name: orla\n  user:\n    token: " + some(40) + "\n", skip.Tokens},
		{"admin.conf", "apiVersion: v1\nkind: Config\nusers:\n- name: a\n  user:\n    client-certificate-data: " + some(900) + "\n    client-key-data: " + some(900) + "\n", skip.Tokens},
		{"config.json", `{"auths": {"registry.example": {"auth": "` + basic + `"}}}`, skip.Tokens}, {"jwt.txt", web + "\n", skip.Tokens},
		{".npmrc", "registry=https://npm.example/\n//npm.example/:_authToken=" + some(36) + "\n", skip.Tokens},
		{".pypirc", "[distutils]\nindex-servers = pypi\n\n[pypi]\nusername = __token__\npassword = pypi-" + "AgE" + some(90) + "\n", skip.Passwords},
		{"credentials", "[default]\naws_access_key_id = AK" + "IA" + some(16) + "\naws_secret_access_key = " + some(40) + "\n", skip.Tokens},
		{"adc.json", `{"type": "authorized_user", "client_id": "x", "client_secret": "` + some(24) + `", "refresh_token": "1//` + some(60) + `"}`, skip.Tokens},
		{"terraform.tfstate", `{"version": 4, "terraform_version": "1.9.0", "serial": 3, "resources": [{"instances": [{"attributes": {"password": "hunter2-quince"}}]}]}`, skip.Tokens},
		{"hosts.yml", "github.com:\n    user: orla\n    oauth_token: gho" + "_" + some(36) + "\n", skip.Tokens},
		{"secret.yaml", "apiVersion: v1\nkind: Secret\nmetadata:\n  name: db\ndata:\n  password: " + base64.StdEncoding.EncodeToString([]byte("hunter2")) + "\n", skip.Tokens},
		{"both.yaml", "apiVersion: v1\nkind: Service\n---\napiVersion: v1\nkind: Secret\nstringData:\n  password: hunter2\n", skip.Tokens},
	})
}

// TestNotesStay: what a person wrote, what stands for a secret, and what is public.
func TestNotesStay(t *testing.T) {
	k := key(t)
	check(t, []sample{
		{"wifi.md", "wifi password: hunter2\n", ""}, {"wifi.txt", "The wifi password is hunter2, the guest one is hunter3.\n", ""},
		{"howto.md", "# Passwords\n\nUse a manager. Export url,username,password only when you must.\n", ""},
		{"key.md", "# The NAS\n\nBob, here is the key for the NAS:\n\n" + k + "\nOrla\n", ""}, {"key.txt", "Bob, here is the key for the NAS:\n\n" + k, ""},
		{"tutorial.md", "Put into `.env`:\n\n```\nDB_PASSWORD=hunter2\nAPI_TOKEN=" + some(40) + "\n```\n", ""},
		{".env.example", "DB_PASSWORD=changeme\nAPI_TOKEN=<your-token>\nSECRET_KEY=xxxxxxxxxxxxxxxxxxxx\nKEY=${KEY}\nDB_PASS=\nJWT_SECRET=your-256-bit-secret\nDJANGO_SECRET_KEY='DJANGO_SECRET_KEY'\nROOT_PASSWORD=my-secret-pw\nDB_URL=postgres://user:password@db:5432/app\n", ""},
		{"sample.csv", "url,username,password\nhttps://a.example,orla,changeme\n", ""}, {"people.csv", "name,email,city\nOrla,orla@example.org,Cork\n", ""}, {"words.csv", "word,password,count\npass,hunter2,3\n", ""},
		{"md5.txt", strings.Repeat("0a1b2c3d", 4) + "\n", ""}, {"SHA256SUMS", strings.Repeat("0a1b2c3d", 8) + "  dowse.tar.gz\n", ""},
		{"cert.pem", certificate(t), ""}, {"id_ed25519.pub", "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI" + some(43) + " orla\n", ""}, {"passwd", "root:x:0:0:root:/root:/bin/bash\n", ""},
		{"clear.asc", "-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA512\n\nForty jars.\n-----BEGIN PGP SIGNATURE-----\n\n" + some(64) + "\n-----END PGP SIGNATURE-----\n", ""},
		{"grep.txt", "main.go:12:5:undefined:foo\nmain.go:13:5:undefined:bar\n", ""}, {"machine.txt", "machine learning is a field\n", ""},
		{"cluster.yaml", "apiVersion: v1\nkind: Config\nusers:\n- name: orla\n  user:\n    exec:\n      command: aws\n", ""}, {"secret.yaml", "apiVersion: v1\nkind: Secret\nstringData:\n  password: {{ .Values.password }}\n", ""},
		{".npmrc", "//registry.npmjs.org/:_authToken=${NPM_TOKEN}\nsave-exact=true\n", ""}, {"wp-config-sample.php", "<?php\ndefine( 'DB_PASSWORD', 'password_here' );\ndefine( 'AUTH_KEY', 'put your unique phrase here' );\n", ""},
		{"tokens.ini", "[model]\neos_token = </s>\npad_token=<pad>\nmax_tokens = 4096\ntokenizer = bpe\n", ""}, {"main.py", "password = getpass()\ntoken = tokens[i]\nprint(token)\n", ""},
		{"app.ini", "[ui]\nshow_password = true\nkey = value\nprimary_key = id\npassword_file = /run/secrets/db\n", ""}, {"list.txt", "river lamp goat quiet river lamp goat quiet river lamp goat quiet\n", ""},
		{"placeholder.pem", "-----BEGIN PRIVATE KEY-----\nxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\n-----END PRIVATE KEY-----\n", ""},
		{"config.json", `{"auths": {"registry.example": {}}, "credsStore": "pass"}`, ""}, {"openapi.json", `{"components": {"schemas": {"Login": {"properties": {"password": {"type": "string", "example": "hunter2"}}}}}}`, ""},
		{"empty", "", ""}, {"photo.jpg", "\xff\xd8\xff\xe0\x00\x10JFIF", ""},
	})
}

// TestAnyBytesAreLookedAt: damaged samples are found or not, and nothing else happens.
func TestAnyBytesAreLookedAt(t *testing.T) {
	for _, data := range []string{"-----BEGIN PRIVATE KEY-----", "----BEGIN ", strings.Repeat("-----BEGIN PRIVATE KEY-----\n", 3000), "\x85\x01\x0c\x03", "\xc1\xff\x03\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00",
		"\xff\xfea", "sep=,", "{", `{"kty"`, "kind: Secret\napiVersion\ndata:", "machine", "=", "a=", "[", "$ANSIBLE_VAULT;", "machine x password", strings.Repeat("eyJ", 30000), strings.Repeat("ENC[PKCS7,", 9000)} {
		for n := range min(len(data), 20, 1+100_000/len(data)) {
			for _, name := range []string{"", "a.env", ".pgpass", "x.key", "/"} {
				_ = secret.Of(name, []byte(data[n:]))
				_ = secret.Of(name, []byte(fmt.Sprint(data[:n], "\x00", data[n:])))
			}
		}
	}
}
