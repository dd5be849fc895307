package markup

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"strconv"
	"strings"
	"time"

	"dowse/indexer/document"
	"dowse/indexer/extract/dates"
	"dowse/internal/pattern"
)

// said is a message of a chat.
type said struct {
	author, text, time string // time of the day, "10:05"
	day                time.Time
	at                 time.Time // zero where it says none
	line               int       // of the file; 0 where it has none
}

// isChat reports whether a file is what Telegram, Slack, Discord, WhatsApp or Signal export.
func isChat(name string, head []byte) bool {
	head = bytes.TrimPrefix(head, []byte("\ufeff"))
	switch document.Extension(name) {
	case "json":
		telegram := bytes.HasPrefix(bytes.TrimSpace(head), []byte("{")) && bytes.Contains(head, []byte(`"messages"`)) &&
			bytes.Contains(head, []byte(`"type"`)) && (bytes.Contains(head, []byte(`"date"`)) || bytes.Contains(head, []byte(`"chats"`)))
		slack := bytes.HasPrefix(bytes.TrimSpace(head), []byte("[")) && bytes.Contains(head, []byte(`"ts"`)) && slackType.Match(head)
		return telegram || slack || isDiscord(head)
	case "txt":
		return areMessages(head, "")
	case "md":
		return areMessages(head, "[")
	}
	return false
}

// areMessages reports whether a text begins with a line of a chat, that begins with a mark, and somebody wrote most of
// the lines that do: a diary has nobody's name.
func areMessages(head []byte, mark string) bool {
	dated, named := 0, 0
	for written := range bytes.Lines(head) {
		line := cleanLine(string(written))
		m := whatsApp.FindStringSubmatch(line)
		switch {
		case m == nil && dated == 0:
			return false
		case m == nil:
			continue
		case !strings.HasPrefix(line, mark):
			return false
		case m[6] != "":
			named++
		}
		dated++
	}
	return 2*named >= dated
}

var slackType = pattern.New(`"type"\s*:\s*"message"`)

// readChat reads the messages, by days.
func readChat(ctx context.Context, in *document.Input) (*document.Document, error) {
	var all []said
	title := ""
	switch {
	case document.Extension(in.Name) == "txt" || document.Extension(in.Name) == "md":
		text, err := in.Text(ctx, in.Data)
		if err != nil {
			return nil, err
		}
		all = whatsAppMessages(text)
	case bytes.HasPrefix(bytes.TrimSpace(bytes.TrimPrefix(in.Data, []byte("\ufeff"))), []byte("[")):
		all = slackMessages(in.Data)
	case isDiscord(in.Data[:min(len(in.Data), discordHead)]):
		title, all = discordMessages(in.Data)
	default:
		title, all = telegramMessages(in.Data)
	}
	if len(all) == 0 {
		return nil, document.ErrOther
	}
	return writeChat(ctx, in, title, all)
}

// writeChat writes messages, a heading for each day. Their places are counted in the file.
func writeChat(ctx context.Context, in *document.Input, title string, all []said) (*document.Document, error) {
	w := newWriter(in)
	meta := document.Meta{Title: title}
	w.Heading(1, title)
	day := ""
	for i, m := range all {
		if i%1000 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		w.Place(document.Part{Unit: document.Message, Number: i + 1, Name: m.author})
		own := document.Meta{Date: m.at}
		if m.author != "" {
			own.Authors = []string{m.author}
		}
		w.Entry(own)
		if m.line > 0 {
			w.from(m.line)
		}
		if d := m.day.Format(time.DateOnly); d != day && !m.day.IsZero() {
			w.Heading(2, d)
			day = d
		}
		w.Item(0, strings.TrimSpace(strings.TrimSpace(m.author+" "+m.time)+": "+m.text))
		if m.day.After(meta.Date) {
			meta.Date = m.day
		}
	}
	d := w.Document("chat", meta)
	if len(w.marks) > 0 {
		d.MarkLines(w.marks)
	}
	return d, nil
}

// pieces is a text that Telegram writes as a string or as strings and objects with one.
type pieces string

func (p *pieces) UnmarshalJSON(data []byte) error {
	var one string
	if json.Unmarshal(data, &one) == nil {
		*p = pieces(one)
		return nil
	}
	var many []json.RawMessage
	_ = json.Unmarshal(data, &many) // anything else is no text
	var all strings.Builder
	for _, raw := range many {
		var object struct{ Text string }
		if json.Unmarshal(raw, &one) == nil {
			all.WriteString(one)
		} else if json.Unmarshal(raw, &object) == nil {
			all.WriteString(object.Text)
		}
	}
	*p = pieces(all.String())
	return nil
}

// telegramChat is a chat of Telegram's.
type telegramChat struct {
	Name     string
	Messages []struct {
		Type, Date, From string
		Seconds          string `json:"date_unixtime"`
		Text             pieces
	}
}

func telegramMessages(data []byte) (title string, all []said) {
	var export struct {
		telegramChat
		Chats struct{ List []telegramChat }
	}
	if json.Unmarshal(bytes.TrimPrefix(data, []byte("\ufeff")), &export) != nil {
		return "", nil
	}
	for _, chat := range append([]telegramChat{export.telegramChat}, export.Chats.List...) {
		for _, m := range chat.Messages {
			if m.Text == "" || m.Type != "message" {
				continue
			}
			shown := dates.Parse(m.Date) // zero if it says none
			at := shown
			if seconds, err := strconv.ParseInt(m.Seconds, 10, 64); err == nil && seconds > 0 {
				at = time.Unix(seconds, 0).UTC()
			}
			author := m.From
			if len(export.Chats.List) > 0 && chat.Name != "" {
				author += " (" + chat.Name + ")"
			}
			all = append(all, said{author: author, text: string(m.Text), time: clock(shown), day: shown, at: at})
		}
	}
	return export.Name, all
}

// discordHead is where the server and the channel of an export of Discord stand, before its messages.
const discordHead = 4 << 10

// isDiscord reports whether an object begins with the server and the channel that its messages are of.
func isDiscord(head []byte) bool {
	return bytes.HasPrefix(bytes.TrimSpace(head), []byte("{")) && bytes.Contains(head, []byte(`"guild"`)) &&
		bytes.Contains(head, []byte(`"channel"`)) && bytes.Contains(head, []byte(`"messages"`))
}

// discordMessages reads a channel, as DiscordChatExporter writes it.
func discordMessages(data []byte) (title string, all []said) {
	var export struct {
		Channel  struct{ Name string }
		Messages []struct {
			Timestamp, Content string
			Author             struct{ Name, Nickname string }
		}
	}
	if json.Unmarshal(bytes.TrimPrefix(data, []byte("\ufeff")), &export) != nil {
		return "", nil
	}
	for _, m := range export.Messages {
		if strings.TrimSpace(m.Content) == "" {
			continue
		}
		at := dates.Parse(m.Timestamp)
		all = append(all, said{author: cmp.Or(m.Author.Nickname, m.Author.Name), text: m.Content, time: clock(at), day: at, at: at})
	}
	return export.Channel.Name, all
}

// clock returns the time of the day, "" of no time.
func clock(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.Format("15:04")
}

// slackEscapes are how Slack writes the signs that its own marks are made of.
var slackEscapes = strings.NewReplacer("&lt;", "<", "&gt;", ">", "&amp;", "&")

// slackMark matches a person, a channel or an address, "<https://example.org|here>".
var slackMark = pattern.New(`<[@#!]?([^<>|]*)(?:\|([^<>]*))?>`)

// slackMessages reads a day of a channel.
func slackMessages(data []byte) []said {
	var messages []struct {
		Type, User, Username, Text, TS string
		Profile                        struct {
			RealName string `json:"real_name"`
		} `json:"user_profile"`
	}
	if json.Unmarshal(bytes.TrimPrefix(data, []byte("\ufeff")), &messages) != nil {
		return nil
	}
	var all []said
	for _, m := range messages {
		if m.Type != "message" || strings.TrimSpace(m.Text) == "" {
			continue
		}
		author := m.Profile.RealName
		for _, name := range []string{m.Username, m.User} {
			if author == "" {
				author = name
			}
		}
		var at time.Time
		if seconds, err := strconv.ParseFloat(m.TS, 64); err == nil && seconds > 0 && seconds < 1<<34 {
			at = time.Unix(int64(seconds), 0).UTC()
		}
		text := slackMark.ReplaceAllStringFunc(m.Text, func(mark string) string {
			parts := slackMark.FindStringSubmatch(mark)
			if parts[2] != "" {
				return parts[2]
			}
			return parts[1]
		})
		all = append(all, said{author: author, text: slackEscapes.Replace(text), time: clock(at), day: at, at: at})
	}
	return all
}

// whatsApp matches the first line of a message: "[05/01/24, 10:00:00] Ann: text", "1/5/24, 10:00 - Ann: text".
var whatsApp = pattern.New(`^\[?(\d{1,4})[./-](\d{1,2})[./-](\d{1,4}),? (\d{1,2}:\d{2})(?::\d{2})?(?: ?([AaPp])\.? ?[Mm]\.?)?(?:\]| -) (?:([^:]{1,80}): )?(.*)$`)

// cleanLine takes away the marks of direction and the narrow spaces that WhatsApp writes.
func cleanLine(line string) string {
	return cleaner.Replace(strings.TrimRight(line, "\r\n"))
}

var cleaner = strings.NewReplacer("\u200e", "", "\u200f", "", "\u202f", " ", "\u00a0", " ", "\ufeff", "")

// whatsAppMessages reads an export. Whether the day or the month stands first is told by the numbers of all
// messages; where they do not tell, the day does.
func whatsAppMessages(text string) []said {
	var all []said
	var days [][]string
	monthFirst := false
	number := 0
	var rest strings.Builder // of the text of the last one
	end := func() {
		if n := len(all); n > 0 {
			all[n-1].text += rest.String()
		}
		rest.Reset()
	}
	for line := range strings.Lines(text) {
		number++
		line = cleanLine(line)
		m := whatsApp.FindStringSubmatch(line)
		if m == nil {
			if len(all) > 0 {
				rest.WriteString("\n" + line)
			}
			continue
		}
		if second, err := strconv.Atoi(m[2]); err == nil && second > 12 {
			monthFirst = true
		}
		clock := m[4]
		if m[5] != "" {
			clock += " " + strings.ToLower(m[5]) + "m"
		}
		end()
		all = append(all, said{author: m[6], text: m[7], time: clock, line: number})
		days = append(days, m[1:4])
	}
	end()
	for i, d := range days {
		all[i].day = dayOf(d, monthFirst)
		all[i].at = all[i].day
		for _, layout := range []string{"15:04", "3:04 pm"} {
			if t, err := time.Parse(layout, all[i].time); err == nil && !all[i].day.IsZero() {
				all[i].at = all[i].day.Add(time.Duration(t.Hour())*time.Hour + time.Duration(t.Minute())*time.Minute)
			}
		}
	}
	return all
}

// dayOf returns the day of three numbers; zero where they are none.
func dayOf(parts []string, monthFirst bool) time.Time {
	var n [3]int
	for i, p := range parts {
		n[i], _ = strconv.Atoi(p) // digits
	}
	year, month, day := n[2], n[1], n[0]
	switch {
	case n[0] > 31:
		year, month, day = n[0], n[1], n[2]
	case monthFirst:
		month, day = n[0], n[1]
	}
	if year < 100 {
		year += 2000
	}
	if month < 1 || month > 12 || day < 1 || day > 31 {
		return time.Time{}
	}
	return time.Date(year, time.Month(month), day, 0, 0, 0, 0, dates.Clock)
}
