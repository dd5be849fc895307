package service

import (
	"fmt"
	"html"
	"slices"
	"strings"
)

// Unit is what a service manager runs.
type Unit struct {
	Program   string // absolute
	Arguments []string
	Env       map[string]string
}

// Priorities. The watcher is to be felt by nobody: all that waits for the processor or the disk goes first.
const (
	niceness = 10
	weight   = 20 // of 100, which others have
)

// Systemd returns the unit file. Source: systemd.service(5), systemd.exec(5), systemd.resource-control(5).
func (u *Unit) Systemd() string {
	var b strings.Builder
	b.WriteString("[Unit]\nDescription=dowse keeps the index of your files fresh\nDocumentation=man:dowse-service(1)\n\n[Service]\nType=exec\n")
	words := []string{systemdWord(u.Program)}
	for _, a := range u.Arguments {
		words = append(words, systemdWord(a))
	}
	fmt.Fprintf(&b, "ExecStart=%s\n", strings.Join(words, " "))
	for _, name := range sortedNames(u.Env) {
		fmt.Fprintf(&b, "Environment=%s\n", systemdWord(name+"="+u.Env[name]))
	}
	fmt.Fprintf(&b, "Restart=on-failure\nRestartSec=10\nNice=%d\nIOSchedulingClass=idle\nCPUWeight=%d\nIOWeight=%d\n", niceness, weight, weight)
	b.WriteString("\n[Install]\nWantedBy=default.target\n")
	return b.String()
}

// systemdWord is a word in quotes in which nothing has a meaning of its own.
func systemdWord(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "%", "%%", "$", "$$", "\n", `\n`).Replace(s) + `"`
}

// Launchd returns the agent of a label. Source: launchd.plist(5).
func (u *Unit) Launchd(label string) string {
	var b strings.Builder
	text := func(s string) string { return "<string>" + html.EscapeString(s) + "</string>" }
	b.WriteString(`<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
`)
	fmt.Fprintf(&b, "\t<key>Label</key>%s\n\t<key>ProgramArguments</key>\n\t<array>\n", text(label))
	for _, a := range append([]string{u.Program}, u.Arguments...) {
		fmt.Fprintf(&b, "\t\t%s\n", text(a))
	}
	b.WriteString("\t</array>\n")
	if len(u.Env) > 0 {
		b.WriteString("\t<key>EnvironmentVariables</key>\n\t<dict>\n")
		for _, name := range sortedNames(u.Env) {
			fmt.Fprintf(&b, "\t\t<key>%s</key>%s\n", html.EscapeString(name), text(u.Env[name]))
		}
		b.WriteString("\t</dict>\n")
	}
	fmt.Fprintf(&b, `	<key>RunAtLoad</key><true/>
	<key>KeepAlive</key><dict><key>SuccessfulExit</key><false/></dict>
	<key>ThrottleInterval</key><integer>10</integer>
	<key>ProcessType</key><string>Background</string>
	<key>LowPriorityIO</key><true/>
	<key>Nice</key><integer>%d</integer>
</dict>
</plist>
`, niceness)
	return b.String()
}

func sortedNames(env map[string]string) []string {
	names := make([]string, 0, len(env))
	for name := range env {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}
