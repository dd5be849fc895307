package main

import (
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"strings"
)

// wheelPlatforms are pip's names of the systems that a static program runs on: with glibc or musl, of the age that pip
// itself needs to know the names.
var wheelPlatforms = map[string][]string{
	"linux/amd64": {"manylinux_2_17_x86_64", "musllinux_1_1_x86_64"}, "linux/arm64": {"manylinux_2_17_aarch64", "musllinux_1_1_aarch64"},
}

// wheel writes one that holds the program as a script, which pip and uv put among the programs.
func (r *release) wheel(b build) error {
	platforms, ok := wheelPlatforms[b.os+"/"+b.arch]
	if !ok {
		return fmt.Errorf("pip has no known name for it")
	}
	base := "dowse-" + r.version.pep440
	info := base + ".dist-info/"
	tags := "Tag: py3-none-" + strings.Join(platforms, "\nTag: py3-none-") + "\n"
	files := []file{
		{name: base + ".data/scripts/dowse", path: b.path, mode: 0o755},
		{name: info + "METADATA", data: []byte("Metadata-Version: 2.4\nName: dowse\nVersion: " + r.version.pep440 + "\nSummary: " + about +
			"\nLicense-Expression: Apache-2.0\nLicense-File: LICENSE\nLicense-File: NOTICE\n"), mode: 0o644},
		{name: info + "WHEEL", data: []byte("Wheel-Version: 1.0\nGenerator: dowse\nRoot-Is-Purelib: false\n" + tags), mode: 0o644},
		{name: info + "licenses/LICENSE", path: "LICENSE", mode: 0o644},
		{name: info + "licenses/NOTICE", path: "NOTICE", mode: 0o644},
	}
	for _, f := range r.share {
		if strings.HasPrefix(f.name, "share/man/") {
			f.name = base + ".data/data/" + f.name
			files = append(files, f)
		}
	}
	var record strings.Builder
	for _, f := range files {
		data, err := f.read()
		if err != nil {
			return err
		}
		sum := sha256.Sum256(data)
		fmt.Fprintf(&record, "%s,sha256=%s,%d\n", f.name, base64.RawURLEncoding.EncodeToString(sum[:]), len(data))
	}
	record.WriteString(info + "RECORD,,\n")
	data, err := r.zipped(append(files, file{name: info + "RECORD", data: []byte(record.String()), mode: 0o644}))
	if err != nil {
		return err
	}
	return r.write(base+"-py3-none-"+strings.Join(platforms, ".")+".whl", data)
}
