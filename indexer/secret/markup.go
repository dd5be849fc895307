package secret

import (
	"encoding/base64"
	"strings"

	"dowse/indexer/skip"
	"dowse/internal/pattern"
)

// Parts of files in XML, YAML and PHP.
var (
	keepassValue = pattern.New(`(?s)<Key>Password</Key>\s*<Value[^>]*>[^<]+</Value>`)
	kubeConfig   = pattern.New(`(?m)^kind:[ \t]*["']?Config["']?[ \t]*$`)
	kubeValue    = pattern.New(`(?m)^[ \t-]*(?:client-key-data|token|password|id-token|refresh-token|client-secret):[ \t]*(\S.*)$`)
	manifestKind = pattern.New(`(?m)^[ \t]*"?kind"?[ \t]*:[ \t]*["']?(Secret|SealedSecret)["']?,?[ \t]*$`)
	manifestData = pattern.New(`(?m)^([ \t]*)"?(data|stringData)"?[ \t]*:`)
	manifestPair = pattern.New(`(?m)^[ \t]+"?([\w.-]+)"?[ \t]*:[ \t]*(\S.*?),?$`)
	yamlSops     = pattern.New(`(?m)^sops:[ \t]*$|^sops_mac=ENC\[|^\[sops\]$`)
	ghHosts      = pattern.New(`(?m)^[ \t]+oauth_token:[ \t]*(\S{20,})$`)
	phpDefine    = pattern.New(`(?i)define\(\s*['"](?:DB_PASSWORD|\w*_SECRET|\w*_API_KEY|(?:SECURE_AUTH|LOGGED_IN|AUTH|NONCE)_KEY)['"]\s*,\s*(?:'([^'\n]*)'|"([^"\n]*)")\s*\)`)
)

// markup tells files in XML, YAML and PHP.
func (f *file) markup() Found {
	text := f.text
	switch {
	case strings.Contains(text, "<KeePassFile") && keepassValue.MatchString(text):
		return Found{skip.Passwords, "KeePass"}
	case strings.Contains(text, "ENC[AES256_GCM,") && yamlSops.MatchString(text) && !isMarkdown[f.ext]:
		return Found{skip.Encrypted, "SOPS"}
	case isMarkdown[f.ext]:
		return Found{}
	case strings.Contains("\n"+text, "\nusers:") && kubeConfig.MatchString(text) && anyHolds(kubeValue, text, password):
		return Found{skip.Tokens, "kubectl"}
	case strings.Contains(text, "oauth_token:") && len(text) < maxTokenFile && anyHolds(ghHosts, text, token):
		return Found{skip.Tokens, "GitHub"}
	case strings.Contains(text, "<?php") && strings.Contains(text, "DB_PASSWORD") && f.defines():
		return Found{skip.Passwords, "of a database"}
	}
	return secretManifest(text)
}

// anyHolds reports whether a value that an expression finds is a secret.
func anyHolds(re *pattern.Pattern, text string, s strength) bool {
	for _, m := range re.FindAllStringSubmatch(text, maxFilled) {
		if s.holds(m[1]) {
			return true
		}
	}
	return false
}

// defines reports whether a file in PHP gives a password of a database.
func (f *file) defines() bool {
	for _, m := range phpDefine.FindAllStringSubmatch(f.text, maxFilled) {
		if password.holds(m[1] + m[2]) {
			return true
		}
	}
	return false
}

// secretManifest recognises a secret of Kubernetes, in YAML or JSON, with a value that is no placeholder.
func secretManifest(text string) Found {
	if !strings.Contains(text, "apiVersion") {
		return Found{}
	}
	for doc := range strings.SplitSeq(text, "\n---") {
		kind := manifestKind.FindStringSubmatch(doc)
		switch {
		case kind == nil:
		case kind[1] == "SealedSecret" && strings.Contains(doc, "encryptedData"):
			return Found{skip.Encrypted, "a sealed secret"}
		case kind[1] == "Secret" && isFilledSecret(doc):
			return Found{skip.Tokens, "a secret of Kubernetes"}
		}
	}
	return Found{}
}

// isFilledSecret reports whether the data of a manifest hold a value.
func isFilledSecret(doc string) bool {
	for _, at := range manifestData.FindAllStringSubmatchIndex(doc, maxFilled) {
		plain := doc[at[4]:at[5]] == "stringData"
		depth := at[3] - at[2]
		_, block, _ := strings.Cut(doc[at[1]:], "\n")
		for line := range strings.SplitSeq(block, "\n") {
			if bare := strings.TrimLeft(line, " \t"); bare != "" && len(line)-len(bare) <= depth {
				break
			}
			m := manifestPair.FindStringSubmatch(line)
			if m == nil {
				continue
			}
			value := unquoted(m[2])
			if !plain {
				data, err := base64.StdEncoding.DecodeString(value)
				if err != nil {
					continue
				}
				value = strings.TrimSpace(string(data))
			}
			if nameOf(m[1]) != nothing && password.holds(value) || inAddress.MatchString(value) {
				return true
			}
		}
	}
	return false
}
