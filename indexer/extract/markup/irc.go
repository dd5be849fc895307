package markup

import (
	"bytes"
	"context"
	"strings"
	"time"

	"dowse/indexer/document"
	"dowse/indexer/extract/dates"
	"dowse/internal/pattern"
)

// maxIRC is the size above which a log of a channel is not read. Most of it is who came and went.
const maxIRC = 256 << 20

// isIRC reports whether a file is what irssi or WeeChat log of a channel.
func isIRC(name string, head []byte) bool {
	switch document.Extension(name) {
	case "log":
		return bytes.HasPrefix(head, []byte(irssiOpened))
	case "weechatlog":
		return weechatLine.Match(head)
	}
	return false
}

const (
	irssiOpened = "--- Log opened "
	irssiDay    = "--- Day changed "
)

var (
	weechatLine = pattern.New(`^(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)\t([^\t\n]*)\t([^\n]*)`)
	irssiLine   = pattern.New(`^(\d\d:\d\d)(?::\d\d)? (?:<([^>]+)>| \* (\S+)) (.*)$`)
)

// ranks are the signs before the names of those who run a channel.
const ranks = "~&@%+ "

// readIRC reads what people said and did, by days, and not who came and went.
func readIRC(ctx context.Context, in *document.Input) (*document.Document, error) {
	text, err := in.Text(ctx, in.Data)
	if err != nil {
		return nil, err
	}
	all := weechatMessages(text)
	if strings.HasPrefix(text, irssiOpened) {
		all = irssiMessages(text)
	}
	if len(all) == 0 {
		return nil, document.ErrOther
	}
	title := strings.TrimSuffix(in.Name[strings.LastIndexByte(in.Name, '/')+1:], "."+document.Extension(in.Name))
	if at := strings.IndexAny(title, "#&"); at > 0 { // the server stands before it
		title = title[at:]
	}
	return writeChat(ctx, in, title, all)
}

// weechatMessages reads lines of a time, a name and what was said.
func weechatMessages(text string) (all []said) {
	number := 0
	for line := range strings.Lines(text) {
		number++
		m := weechatLine.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		author, words := strings.TrimLeft(m[2], ranks), strings.TrimSpace(m[3])
		switch author {
		case "-->", "<--", "--", "=!=", "":
			continue
		case "*": // somebody does something
			author, words, _ = strings.Cut(words, " ")
		}
		at := dates.Parse(m[1])
		all = append(all, said{author: author, text: words, time: clock(at), day: at, at: at, line: number})
	}
	return all
}

// irssiMessages reads lines of an hour, a name and what was said, below lines that name the day.
func irssiMessages(text string) (all []said) {
	number := 0
	var day time.Time
	for line := range strings.Lines(text) {
		number++
		line = strings.TrimRight(line, "\r\n")
		for _, mark := range []string{irssiOpened, irssiDay} {
			if date, is := strings.CutPrefix(line, mark); is {
				day = irssiDate(date)
			}
		}
		m := irssiLine.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		at := day
		if !day.IsZero() {
			at = dates.Parse(day.Format(time.DateOnly) + " " + m[1])
		}
		all = append(all, said{author: strings.TrimLeft(m[2]+m[3], ranks), text: m[4], time: m[1], day: day, at: at, line: number})
	}
	return all
}

// irssiDate reads "Sat Nov 28 12:12:10 2026", or that without the hour.
func irssiDate(text string) time.Time {
	for _, layout := range []string{time.ANSIC, "Mon Jan 2 2006"} {
		if t, err := time.ParseInLocation(layout, strings.Join(strings.Fields(text), " "), dates.Clock); err == nil {
			return time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, dates.Clock)
		}
	}
	return time.Time{}
}
