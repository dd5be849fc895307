package mapi

import (
	"encoding/binary"
	"strings"
	"time"
	"unicode/utf16"
	"unicode/utf8"

	"dowse/indexer/extract/codepage"
)

// Types of properties ([MS-OXCDATA] 2.11.1).
const (
	Integer  = 0x0003
	Boolean  = 0x000b
	Object   = 0x000d
	String8  = 0x001e // in the message's code page
	Unicode  = 0x001f
	Time     = 0x0040
	Binary   = 0x0102
	Multiple = 0x1000 // beside another one
)

// Numbers of properties ([MS-OXPROPS]) that readers of messages look at.
const (
	Class            = 0x001a // "IPM.Note", "IPM.Contact"
	Subject          = 0x0037
	SubmitTime       = 0x0039
	Headers          = 0x007d // as the message was brought
	RecipientType    = 0x0c15 // 1 To, 2 Cc, 3 Bcc
	DeliveryTime     = 0x0e06
	Body             = 0x1000
	RTF              = 0x1009 // compressed
	HTML             = 0x1013
	CreationTime     = 0x3007
	ModificationTime = 0x3008
	DisplayName      = 0x3001
	AddressType      = 0x3002 // "SMTP", "EX"
	Address          = 0x3003
	SMTPAddress      = 0x39fe
	Data             = 0x3701
	AttachMethod     = 0x3705 // 1 by its bytes, 5 a message
	internetPage     = 0x3fde
	locale           = 0x3ff1
	messagePage      = 0x3ffd
)

// Value is that of a property. Of Multiple, Many has the values.
type Value struct {
	Type uint16
	Data []byte
	Many [][]byte
}

// Name is that of a property without a fixed number: a number or a text within a set.
type Name struct {
	Set  [4]byte // the first bytes of its GUID, as they are in files
	ID   uint32
	Text string
}

// Properties are those of a message, a recipient or an attachment.
type Properties struct {
	values   map[uint16]Value
	names    map[Name]uint16
	codePage int
}

// Attachment is one of a message: a file, or a message in turn.
type Attachment struct {
	Properties
	Message *Message // nil of a file
}

// Message is a message, or what else Outlook keeps as one: a contact, an appointment, a task, a note.
type Message struct {
	Properties
	Recipients  []Properties
	Attachments []Attachment
}

// NewProperties returns properties with the file's own names; page is the code page of 8-bit texts, 0 if unknown.
func NewProperties(names map[Name]uint16, codePage int) Properties {
	return Properties{values: map[uint16]Value{}, names: names, codePage: codePage}
}

// Set adds a property. The first of a number stands, but for a text of eight bits and the same in Unicode.
func (p *Properties) Set(id uint16, v Value) {
	if old, twice := p.values[id]; !twice || old.Type == String8 && v.Type == Unicode {
		p.values[id] = v
	}
}

// learnCodePage takes the code page that a message says of itself, or else that of its language. That of the internet
// is another one: what its bodies had on their way.
func (p *Properties) learnCodePage() {
	said, language := int(p.Number(messagePage)), codepage.OfLanguage(int(p.Number(locale)))
	for _, n := range []int{said, language, int(p.Number(internetPage))} {
		if n != utf8Page && codepage.Encoding(n) != nil {
			p.codePage = n
			return
		}
	}
}

// utf8Page is the code page of UTF-8, which texts are tried as at first.
const utf8Page = 65001

// InternetCodePage returns the number of the code page that HTML in bytes is in, 0 where nothing says so.
func (p *Properties) InternetCodePage() int { return int(p.Number(internetPage)) }

// Of returns the number that stands for a name in this file, 0 where none does.
func (p *Properties) Of(name Name) uint16 { return p.names[name] }

// Value returns a property. ok is false where there is none.
func (p *Properties) Value(id uint16) (v Value, ok bool) {
	v, ok = p.values[id]
	return v, ok
}

// Text returns a property of text, "" where there is none.
func (p *Properties) Text(id uint16) string {
	v := p.values[id]
	return p.text(v.Type, v.Data)
}

// Texts returns a property of several texts.
func (p *Properties) Texts(id uint16) []string {
	v := p.values[id]
	var all []string
	for _, data := range v.Many {
		all = append(all, p.text(v.Type&^Multiple, data))
	}
	return all
}

func (p *Properties) text(kind uint16, data []byte) string {
	var text string
	switch kind {
	case Unicode:
		units := make([]uint16, len(data)/2)
		for i := range units {
			units[i] = binary.LittleEndian.Uint16(data[2*i:])
		}
		text = string(utf16.Decode(units))
	case String8:
		if text = string(data); !utf8.ValidString(text) {
			text = codepage.Decode(p.codePage, data)
		}
	}
	return strings.Trim(text, "\x00")
}

// Bytes returns a property of bytes, nil where there is none.
func (p *Properties) Bytes(id uint16) []byte {
	if v := p.values[id]; v.Type == Binary {
		return v.Data
	}
	return nil
}

// Number returns a property that is a number, 0 where there is none.
func (p *Properties) Number(id uint16) uint32 {
	if v := p.values[id]; (v.Type == Integer || v.Type == Boolean) && len(v.Data) >= 4 {
		return binary.LittleEndian.Uint32(v.Data)
	}
	return 0
}

// Ticks of 100 ns that time is counted in, from 1601 on.
const (
	ticksPerSecond = 10_000_000
	secondsTo1970  = 11_644_473_600
)

// Time returns a property that is a time, in UTC. It is zero where there is none between 1970 and the year 4500, from which on
// times stand for none.
func (p *Properties) Time(id uint16) time.Time {
	v := p.values[id]
	if v.Type != Time || len(v.Data) < 8 {
		return time.Time{}
	}
	seconds := int64(binary.LittleEndian.Uint64(v.Data)/ticksPerSecond) - secondsTo1970
	if t := time.Unix(seconds, 0).UTC(); seconds > 0 && t.Year() < 4500 {
		return t
	}
	return time.Time{}
}
