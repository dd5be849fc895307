package secret

import (
	"encoding/base64"
	"strings"

	"dowse/indexer/skip"
	"dowse/internal/pattern"
)

// jsonKind is a kind of JSON file: names that all are in it, and how one that is filled looks.
type jsonKind struct {
	names  []string
	value  *pattern.Pattern // its first group is a value that holds something; nil: the names are enough
	real   strength         // of that value
	reason skip.Reason
	detail string
}

var jsonKinds = []jsonKind{
	{[]string{`"sops"`, `"lastmodified"`, `"ENC[AES256_GCM,`}, nil, 0, skip.Encrypted, "SOPS"},
	{[]string{`"encrypted"`, `"encKeyValidation_DO_NOT_EDIT"`, `"data"`}, nil, 0, skip.Encrypted, "Bitwarden"},
	{[]string{`"ciphertext"`, `"kdf"`, `"kdfparams"`}, nil, 0, skip.Encrypted, "a wallet"},
	{[]string{`"SealedSecret"`, `"encryptedData"`}, nil, 0, skip.Encrypted, "a sealed secret"},
	{[]string{`"service_account"`, `"private_key"`}, pattern.New(`"private_key"\s*:\s*"-----BEGIN [A-Z ]*PRIVATE KEY-----\\n([A-Za-z0-9+/\\]{60,})`), token, skip.PrivateKey, "Google Cloud"},
	{[]string{`"kty"`}, pattern.New(`"(?:d|k)"\s*:\s*"([A-Za-z0-9_-]{20,})"`), token, skip.PrivateKey, "a JSON web key"},
	{[]string{`"wallet_type"`}, pattern.New(`"(?:xprv|seed)"\s*:\s*"([^"]{20,})"`), password, skip.PrivateKey, "a wallet"},
	{[]string{`"encryptedUsername"`, `"encryptedPassword"`}, nil, 0, skip.Passwords, "Firefox"},
	{[]string{`"items"`, `"login"`}, pattern.New(`"password"\s*:\s*"((?:[^"\\]|\\.)+)"`), password, skip.Passwords, "Bitwarden"},
	{[]string{`"accounts"`, `"vaults"`, `"loginFields"`}, pattern.New(`"value"\s*:\s*"((?:[^"\\]|\\.)+)"`), password, skip.Passwords, "1Password"},
	{[]string{`"items"`, `"fields"`, `"sensitive"`}, pattern.New(`"type"\s*:\s*"password"[^{}]*?"value"\s*:\s*"((?:[^"\\]|\\.)+)"`), password, skip.Passwords, "Enpass"},
	{[]string{`"terraform_version"`, `"serial"`}, pattern.New(`"[\w.-]*(?:password|secret|private_key|private_key_pem|access_key|token)"\s*:\s*"((?:[^"\\]|\\.){6,})"`), password, skip.Tokens, "state of Terraform"},
	{[]string{`"kind"`, `"Config"`, `"users"`}, pattern.New(`"(?:client-key-data|token|password|id-token|refresh-token)"\s*:\s*"((?:[^"\\]|\\.){6,})"`), password, skip.Tokens, "kubectl"},
	{[]string{`"client_secret"`}, pattern.New(`"client_secret"\s*:\s*"([^"]{12,})"`), token, skip.Tokens, "OAuth"},
}

// object tells files in JSON.
func (f *file) object() Found {
	if first := strings.TrimLeft(f.text, " \t\n"); first == "" || first[0] != '{' && first[0] != '[' {
		return Found{}
	}
	text := string(f.data[:min(len(f.data), jsonBytes)])
	for _, k := range jsonKinds {
		if containsAll(text, k.names) && k.isFilled(text) {
			return Found{k.reason, k.detail}
		}
	}
	switch {
	case isDocker(text):
		return Found{skip.Tokens, "docker"}
	case len(text) < maxTokenFile && isGrant(text):
		return Found{skip.Tokens, "OAuth"}
	}
	if found := secretManifest(text); found.Reason != "" {
		return found
	}
	return Found{}
}

func containsAll(text string, names []string) bool {
	for _, name := range names {
		if !strings.Contains(text, name) {
			return false
		}
	}
	return true
}

// maxFilled is how many values are looked at for one that holds something.
const maxFilled = 1000

// isFilled reports whether a value is there that is no placeholder.
func (k *jsonKind) isFilled(text string) bool {
	if k.value == nil {
		return true
	}
	for _, m := range k.value.FindAllStringSubmatch(text, maxFilled) {
		if k.real.holds(m[1]) {
			return true
		}
	}
	return false
}

// dockerAuth is how docker keeps a name and a password: in base64, with a colon between them.
var dockerAuth = pattern.New(`"auth"\s*:\s*"([A-Za-z0-9+/]{6,}={0,2})"`)

func isDocker(text string) bool {
	if !strings.Contains(text, `"auths"`) {
		return false
	}
	for _, m := range dockerAuth.FindAllStringSubmatch(text, maxFilled) {
		plain, err := base64.StdEncoding.DecodeString(m[1])
		if _, pass, found := strings.Cut(string(plain), ":"); err == nil && found && !isPlaceholder(pass) {
			return true
		}
	}
	return false
}

// maxTokenFile is the size of a file that holds what a login gave, at most.
const maxTokenFile = 16 << 10

// grant is a token as OAuth gives it out (RFC 6749, 5.1).
var grant = pattern.New(`"(?:access_token|refresh_token|accessToken|refreshToken|_authToken|oauth_token)"\s*:\s*"([^"\s]{20,})"`)

func isGrant(text string) bool {
	for _, m := range grant.FindAllStringSubmatch(text, maxFilled) {
		if token.holds(m[1]) {
			return true
		}
	}
	return false
}
