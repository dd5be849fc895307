package logs

import (
	"bytes"
	"strings"
)

// verdict is how a line begins.
type verdict int

const (
	otherwise verdict = iota
	perhaps           // with a time or a level alone
	surely            // with a date and a time; or it is an object with a time and a level
)

// Where a time begins at most, in bytes of a line.
const (
	maxStamp  = len("00:00:00")
	maxTime   = 40
	maxBefore = 120 // in the brackets of an access log, behind addresses and names
)

// begins tells how a line begins. head is its beginning.
func begins(head string, line []byte) verdict {
	head = strings.TrimPrefix(withoutEscapes(head), "\ufeff")
	switch {
	case head == "":
		return otherwise
	case head[0] == '{':
		return object(line)
	case hasUptime(head):
		return surely
	}
	at := timeOfDay(head)
	switch {
	case at >= 0 && at <= maxTime && hasDate(head[:at]), at > 0 && head[at-1] == ':' && strings.Contains(head[:at], "["):
		return surely
	case at >= 0 && at <= maxTime, hasLevel(head):
		return perhaps
	}
	return otherwise
}

// timeOfDay returns where the first time of the day with seconds stands, 16:04:05; -1 where none does.
func timeOfDay(s string) int {
	for at := 0; ; at++ {
		colon := strings.IndexByte(s[at:], ':')
		if colon < 0 {
			return -1
		}
		at += colon
		if from := at - 2; from >= 0 && from+maxStamp <= len(s) && isTime(s[from:from+maxStamp]) && (from == 0 || !isDigit(s[from-1])) {
			return from
		}
	}
}

// isTime reports whether eight bytes are a time of the day.
func isTime(s string) bool {
	for _, i := range [...]int{0, 1, 3, 4, 6, 7} {
		if !isDigit(s[i]) {
			return false
		}
	}
	return s[2] == ':' && s[5] == ':' && s[:2] < "24" && s[3] < '6' && s[6] <= '6'
}

func isDigit(b byte) bool { return b >= '0' && b <= '9' }

// hasDate reports whether what stands before a time has the digits of a day.
func hasDate(s string) bool {
	digits := 0
	for i := range len(s) {
		if isDigit(s[i]) {
			digits++
		}
	}
	return digits >= 2 || digits == 1 && strings.ContainsAny(s, "abcdefghijklmnopqrstuvwxyz") // Nov  7
}

// hasUptime reports whether a line begins with seconds and their fraction: those of the kernel in brackets, or those
// since 1970.
func hasUptime(s string) bool {
	digits := strings.TrimLeft(strings.TrimPrefix(s, "["), " ")
	whole := len(digits) - len(strings.TrimLeft(digits, "0123456789"))
	rest := digits[whole:]
	if whole == 0 || len(rest) < 4 || rest[0] != '.' || !isDigit(rest[1]) || !isDigit(rest[2]) || !isDigit(rest[3]) {
		return false
	}
	return s[0] == '[' && strings.IndexByte(rest, ']') > 0 || whole == len("1764200000")
}

// levels are how programs say how bad something is, in capitals or in brackets.
var levels = map[string]bool{
	"TRACE": true, "DEBUG": true, "INFO": true, "NOTICE": true, "WARN": true, "WARNING": true, "ERR": true, "ERR!": true, "ERROR": true,
	"SEVERE": true, "CRITICAL": true, "FATAL": true, "ALERT": true, "EMERG": true, "PANIC": true,
}

// hasLevel reports whether one of the first two words is a level.
func hasLevel(s string) bool {
	for range 2 {
		word, rest, _ := strings.Cut(strings.TrimLeft(s, " \t"), " ")
		bracketed := strings.HasPrefix(word, "[") || strings.HasPrefix(word, "<")
		word, _, _ = strings.Cut(strings.Trim(word, "[]<>()|*-:,"), ":")
		if levels[word] || bracketed && levels[strings.ToUpper(word)] {
			return true
		}
		s = rest
	}
	return false
}

// times and ranks are keys of the objects that programs log. Messages of chats with a machine have a time and no
// level.
var (
	times = keys("time", "ts", "timestamp", "@timestamp", "datetime", "date", "asctime", "__REALTIME_TIMESTAMP", "t")
	ranks = keys("level", "lvl", "severity", "levelname", "loglevel", "log.level", "PRIORITY", "log", "s")
)

func keys(names ...string) (out [][]byte) {
	for _, name := range names {
		out = append(out, []byte(`"`+name+`":`))
	}
	return out
}

// object tells of a line that begins as an object of JSON.
func object(line []byte) verdict {
	line = bytes.ReplaceAll(line[:min(len(line), 4<<10)], []byte(`" :`), []byte(`":`))
	has := func(keys [][]byte) bool {
		for _, k := range keys {
			if bytes.Contains(line, k) {
				return true
			}
		}
		return false
	}
	if has(times) && has(ranks) {
		return surely
	}
	return otherwise
}
