package jotting

import (
	"bytes"
	"strconv"
	"strings"
	"time"

	"dowse/internal/pattern"
)

// isZsh reports whether a file is a history of zsh's with times. One without has nothing that tells it.
func isZsh(name string, head []byte) bool {
	return strings.Contains(name, "hist") && zshCommand.Match(head)
}

// zshCommand begins a command: when it began, and how many seconds it took.
var zshCommand = pattern.New(`^: (\d{9,11}):\d+;`)

// unescaped undoes zsh's escapes.
func unescaped(data []byte) []byte {
	const escape, bit = 0x83, 0x20
	if bytes.IndexByte(data, escape) < 0 {
		return data
	}
	plain := make([]byte, 0, len(data))
	for i := 0; i < len(data); i++ {
		c := data[i]
		if c == escape && i+1 < len(data) {
			i++
			c = data[i] ^ bit
		}
		plain = append(plain, c)
	}
	return plain
}

// zshCommands reads a command from each line, and from those that a backslash at the end of the one before continues it by.
func zshCommands(text string) (all []jotting) {
	number, goesOn := 0, false
	for line := range strings.Lines(text) {
		number++
		line = strings.TrimRight(line, "\r\n")
		m := zshCommand.FindStringSubmatchIndex(line)
		if m == nil && !goesOn || goesOn && len(all) == 0 {
			goesOn = false
			continue
		}
		rest := line
		if !goesOn {
			rest = line[m[1]:]
			all = append(all, jotting{line: number, at: since1970(line[m[2]:m[3]])})
		}
		slashes := len(rest) - len(strings.TrimRight(rest, `\`))
		if goesOn = slashes%2 == 1; goesOn {
			rest = rest[:len(rest)-1]
		}
		all[len(all)-1].text += rest + "\n"
	}
	return all
}

// isBash reports whether a file is a history of bash's with times.
func isBash(name string, head []byte) bool {
	return strings.Contains(name, "history") && bashTime.Match(head)
}

// bashTime is the line above a command.
var bashTime = pattern.New(`^#(\d{9,11})\r?\n`)

// bashCommands reads what stands between two times: one command, in however many lines.
func bashCommands(text string) (all []jotting) {
	number := 0
	for line := range strings.Lines(text) {
		number++
		if m := bashTime.FindStringSubmatch(line); m != nil {
			all = append(all, jotting{line: number + 1, at: since1970(m[1])})
		} else if len(all) > 0 {
			all[len(all)-1].text += line
		}
	}
	return all
}

// isFish reports whether a file is a history of fish's.
func isFish(name string, head []byte) bool {
	return strings.Contains(name, "history") && bytes.HasPrefix(head, []byte("- cmd: ")) && bytes.Contains(head, []byte("\n  when: "))
}

var fishEscapes = strings.NewReplacer(`\\`, `\`, `\n`, "\n")

// fishCommands reads what fish writes, which resembles YAML and is none.
func fishCommands(text string) (all []jotting) {
	number := 0
	for line := range strings.Lines(text) {
		number++
		line = strings.TrimRight(line, "\r\n")
		if command, is := strings.CutPrefix(line, "- cmd: "); is {
			all = append(all, jotting{line: number, text: fishEscapes.Replace(command)})
		} else if when, is := strings.CutPrefix(line, "  when: "); is && len(all) > 0 {
			all[len(all)-1].at = since1970(when)
		}
	}
	return all
}

// since1970 reads seconds since then; zero where a text is none.
func since1970(text string) time.Time {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n <= 0 || n >= 1<<34 {
		return time.Time{}
	}
	return time.Unix(n, 0).UTC()
}
