package main

import (
	"encoding/json"
	"fmt"
)

// npmArchs are Node's names of processors.
var npmArchs = map[string]string{"amd64": "x64", "arm64": "arm64"}

// manifest is a package.json, as far as it is used here. No scripts: nothing runs when it is installed.
type manifest struct {
	Name        string            `json:"name"`
	Version     string            `json:"version"`
	Description string            `json:"description"`
	License     string            `json:"license"`
	OS          []string          `json:"os,omitempty"`
	CPU         []string          `json:"cpu,omitempty"`
	Bin         map[string]string `json:"bin,omitempty"`
	Optional    map[string]string `json:"optionalDependencies,omitempty"`
}

func npmName(b build) string { return fmt.Sprintf("dowse-%s-%s", b.os, npmArchs[b.arch]) }

// npmPlatform writes the package that holds the program, which npm installs on that platform alone.
func (r *release) npmPlatform(b build) error {
	m := manifest{
		Name: npmName(b), Version: r.version.semver, Description: about + " (the program for " + b.os + " on " + b.arch + ")",
		License: "Apache-2.0", OS: []string{b.os}, CPU: []string{npmArchs[b.arch]},
	}
	return r.npm(m, file{name: "bin/dowse", path: b.path, mode: 0o755})
}

// npmChooser writes the package that a person names.
func (r *release) npmChooser(builds []build) error {
	m := manifest{
		Name: "dowse", Version: r.version.semver, Description: about, License: "Apache-2.0",
		Bin: map[string]string{"dowse": "bin/dowse.js"}, Optional: map[string]string{},
	}
	for _, b := range builds {
		m.Optional[npmName(b)] = r.version.semver
	}
	return r.npm(m, file{name: "bin/dowse.js", data: []byte(chooser), mode: 0o755})
}

func (r *release) npm(m manifest, program file) error {
	data, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return err
	}
	data, err = r.tarball("package", []file{
		{name: "package.json", data: append(data, '\n'), mode: 0o644}, program,
		{name: "LICENSE", path: "LICENSE", mode: 0o644}, {name: "NOTICE", path: "NOTICE", mode: 0o644}, {name: "README.md", path: "README.md", mode: 0o644},
	})
	if err != nil {
		return err
	}
	return r.write(fmt.Sprintf("%s-%s.tgz", m.Name, m.Version), data)
}

// chooser runs the program of the package for this platform, with its signals and its exit status, under Node 12 as well, which knows no names
// with node: before them.
const chooser = `#!/usr/bin/env node
'use strict'
const { spawn } = require('child_process')
const name = 'dowse-' + process.platform + '-' + process.arch
let program
try {
  program = require.resolve(name + '/bin/dowse')
} catch {
  console.error('dowse: the package ' + name + ' is not installed; there may be none for this platform, or npm ran with --omit=optional')
  process.exit(2)
}
const child = spawn(program, process.argv.slice(2), { stdio: 'inherit' })
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
child.on('error', (err) => { console.error('dowse: ' + err.message); process.exit(2) })
child.on('exit', (code, signal) => {
  if (!signal) process.exit(code)
  process.removeAllListeners(signal)
  process.kill(process.pid, signal)
})
`
