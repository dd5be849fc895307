package main

import (
	"strings"

	"dowse/internal/pattern"
)

// version is one version in the spellings of the package systems.
type version struct {
	semver string // npm, nfpm
	pep440 string // Python
}

// described is what git describe says of a commit: a tag, and how far behind it the commit is.
var described = pattern.New(`^v(\d+\.\d+\.\d+)(?:-rc\.?(\d+))?(?:-(\d+)-g([0-9a-f]+))?$`)

// versionOf reads what git describe --tags --always says. A commit behind a tag is later than the tag; one without any is 0.0.0.
func versionOf(describe string) version {
	m := described.FindStringSubmatch(describe)
	if m == nil {
		commit := strings.Map(func(c rune) rune {
			if c >= '0' && c <= '9' || c >= 'a' && c <= 'z' {
				return c
			}
			return -1
		}, describe)
		return version{"0.0.0-0.g" + commit, "0.0.0.dev0+g" + commit}
	}
	v := version{m[1], m[1]}
	if m[2] != "" {
		v.semver += "-rc." + m[2]
		v.pep440 += "rc" + m[2]
	}
	if m[3] != "" {
		v.pep440 += ".post" + m[3] + "+g" + m[4]
		if m[2] != "" {
			v.semver += "." + m[3] + ".g" + m[4]
		} else {
			v.semver += "+" + m[3] + ".g" + m[4]
		}
	}
	return v
}
