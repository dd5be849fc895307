package mapi

import (
	"bytes"
	"encoding/binary"
	"errors"
	"maps"
	"time"
	"unicode/utf16"
)

// TNEFMagic is what a file of TNEF begins with ("winmail.dat", [MS-OXTNEF]).
const TNEFMagic = "\x78\x9f\x3e\x22"

// Attributes of TNEF that readers of messages look at.
const (
	attSubject       = 0x8004
	attDateSent      = 0x8005
	attClass         = 0x8008
	attBody          = 0x800c
	attAttachData    = 0x800f
	attAttachTitle   = 0x8010
	attAttachBegins  = 0x9002
	attMessage       = 0x9003 // properties
	attRecipients    = 0x9004 // properties of each
	attAttachment    = 0x9005 // properties
	attCodePage      = 0x9007
	attachShortTitle = 0x3704 // a property
)

// Bytes of a file of TNEF.
const (
	tnefHead      = 6     // the magic and a number
	attributeHead = 9     // level, number, type, length
	attributeSum  = 2     // behind an attribute
	interfaceID   = 16    // before what an object is
	maxProperties = 10000 // of one list
)

var errNoTNEF = errors.New("it does not begin as TNEF")

// ReadTNEF reads what Outlook attaches to a message that other programs are to show. Of a damaged one it gives what
// stands before the damage.
func ReadTNEF(data []byte) (*Message, error) {
	r := &tnefReader{left: maxObjects}
	return r.message(data, 0)
}

// tnefReader reads the messages of one file.
type tnefReader struct {
	names    map[Name]uint16
	left     int // see maxObjects
	codePage int // of the message that is read
}

// message reads one, with the messages within it.
func (r *tnefReader) message(data []byte, depth int) (*Message, error) {
	if !bytes.HasPrefix(data, []byte(TNEFMagic)) || len(data) < tnefHead {
		return nil, errNoTNEF
	}
	outer := *r
	defer func() { r.names, r.codePage = outer.names, outer.codePage }()
	r.names = map[Name]uint16{}
	m := &Message{Properties: NewProperties(r.names, r.codePage)}
	for data = data[tnefHead:]; len(data) >= attributeHead; {
		id, length := binary.LittleEndian.Uint16(data[1:]), binary.LittleEndian.Uint32(data[5:])
		body := data[attributeHead:]
		body = body[:min(uint64(length), uint64(len(body)))]
		r.attribute(m, id, body, depth)
		if data = data[attributeHead+len(body):]; len(data) < attributeSum {
			break
		}
		data = data[attributeSum:]
	}
	return m, nil
}

// attribute takes one of a message or of its last attachment.
func (r *tnefReader) attribute(m *Message, id uint16, body []byte, depth int) {
	switch id {
	case attCodePage:
		if len(body) >= 4 {
			r.codePage = int(binary.LittleEndian.Uint32(body))
			m.codePage = r.codePage
		}
	case attSubject:
		m.Set(Subject, Value{Type: String8, Data: body})
	case attClass:
		m.Set(Class, Value{Type: String8, Data: body})
	case attBody:
		m.Set(Body, Value{Type: String8, Data: body})
	case attDateSent:
		m.Set(SubmitTime, sentTime(body))
	case attMessage:
		r.properties(&m.Properties, body)
		m.learnCodePage()
	case attRecipients:
		r.recipients(m, body)
	case attAttachBegins, attAttachData, attAttachTitle, attAttachment:
		if id == attAttachBegins || len(m.Attachments) == 0 {
			if r.left--; r.left < 0 {
				return
			}
			m.Attachments = append(m.Attachments, Attachment{Properties: NewProperties(r.names, m.codePage)})
		}
		r.attachment(&m.Attachments[len(m.Attachments)-1], id, body, depth)
	}
}

// attachment takes an attribute of one.
func (r *tnefReader) attachment(a *Attachment, id uint16, body []byte, depth int) {
	switch id {
	case attAttachData:
		a.Set(Data, Value{Type: Binary, Data: body})
	case attAttachTitle:
		a.Set(attachShortTitle, Value{Type: String8, Data: body})
	case attAttachment:
		of := NewProperties(r.names, a.codePage)
		r.properties(&of, body)
		if v, _ := of.Value(Data); v.Type == Object && len(v.Data) >= interfaceID {
			inner := v.Data[interfaceID:]
			if depth < maxNested {
				a.Message, _ = r.message(inner, depth+1) // nil if the object is no message
			}
			of.values[Data] = Value{Type: Binary, Data: inner}
		}
		maps.Copy(a.values, of.values) // they say more than the attributes
	}
}

// recipients reads those of a message, each a list of properties.
func (r *tnefReader) recipients(m *Message, data []byte) {
	c := cursor{data}
	for n := c.number(); n > 0 && len(c.rest) > 0; n-- {
		if r.left--; r.left < 0 {
			return
		}
		p := NewProperties(r.names, m.codePage)
		c.rest = r.properties(&p, c.rest)
		m.Recipients = append(m.Recipients, p)
	}
}

// properties reads a list of them, and returns what follows it.
func (r *tnefReader) properties(p *Properties, data []byte) []byte {
	c := cursor{data}
	for n := min(c.number(), maxProperties); n > 0 && len(c.rest) >= 4; n-- {
		head := c.next(4)
		kind, id := binary.LittleEndian.Uint16(head), binary.LittleEndian.Uint16(head[2:])
		if id >= firstNamed {
			r.learnName(&c, id)
		}
		v := Value{Type: kind}
		size, known := sizes[kind&^Multiple]
		switch {
		case known && kind&Multiple == 0:
			v.Data = c.next(size)
		case known:
			c.next(size * int(min(c.number(), maxProperties)))
			continue
		default:
			for values := min(c.number(), maxMany); values > 0 && len(c.rest) > 0; values-- {
				length := c.number()
				value := c.next(int(min(uint64(length), uint64(len(c.rest)))))
				c.next(-int(length) & 3) // of four bytes each
				v.Many = append(v.Many, value)
			}
			if len(v.Many) > 0 && kind&Multiple == 0 {
				v.Data, v.Many = v.Many[0], nil
			}
		}
		p.Set(id, v)
	}
	return c.rest
}

// sizes are the bytes of values of fixed size, as they are kept, by type.
var sizes = map[uint16]int{0x0002: 4, Integer: 4, 0x0004: 4, 0x0005: 8, 0x0006: 8, 0x0007: 8, 0x000a: 4, Boolean: 4, 0x0014: 8, Time: 8, 0x0048: 16}

// learnName reads what a property with a number of the file's own is called.
func (r *tnefReader) learnName(c *cursor, id uint16) {
	set := c.next(16)
	if len(set) < 16 {
		return
	}
	name := Name{Set: [4]byte(set)}
	if isText := c.number(); isText == 0 {
		name.ID = c.number()
	} else {
		length := c.number()
		text := c.next(int(min(uint64(length), uint64(len(c.rest)))))
		c.next(-int(length) & 3)
		units := make([]uint16, min(len(text), 512)/2)
		for i := range units {
			units[i] = binary.LittleEndian.Uint16(text[2*i:])
		}
		for len(units) > 0 && units[len(units)-1] == 0 {
			units = units[:len(units)-1]
		}
		name.Text = string(utf16.Decode(units))
	}
	if len(r.names) < maxNames {
		r.names[name] = id
	}
}

// sentTime makes a time of TNEF one of MAPI: year, month, day, hour, minute and second, of two bytes each.
func sentTime(body []byte) Value {
	var n [6]int
	for i := range n {
		if len(body) >= 2*i+2 {
			n[i] = int(binary.LittleEndian.Uint16(body[2*i:]))
		}
	}
	ticks := (time.Date(n[0], time.Month(n[1]), n[2], n[3], n[4], n[5], 0, time.UTC).Unix() + secondsTo1970) * ticksPerSecond
	return Value{Type: Time, Data: binary.LittleEndian.AppendUint64(nil, uint64(ticks))}
}

// cursor reads forward in bytes; at their end it returns fewer.
type cursor struct{ rest []byte }

func (c *cursor) next(n int) []byte {
	n = min(max(n, 0), len(c.rest))
	taken := c.rest[:n]
	c.rest = c.rest[n:]
	return taken
}

// number reads one of four bytes, 0 where the bytes end.
func (c *cursor) number() uint32 {
	b := c.next(4)
	if len(b) < 4 {
		return 0
	}
	return binary.LittleEndian.Uint32(b)
}
