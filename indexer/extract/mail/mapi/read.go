package mapi

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf16"

	"dowse/indexer/extract/cfb"
)

// The streams and storages of a message of Outlook ([MS-OXMSG]).
const (
	propertiesName = "__properties_version1.0"
	valuePrefix    = "__substg1.0_"
	namesName      = "__nameid_version1.0"
	recipientName  = "__recip_version1.0_#"
	attachmentName = "__attach_version1.0_#"
)

// Bytes before the properties in their stream.
const (
	headOfMessage = 32
	headOfNested  = 24
	headOfOther   = 8
)

// Limits of a file.
const (
	maxNested  = 8      // messages within messages
	maxObjects = 10_000 // recipients, attachments and messages
	maxMany    = 1000   // values of one property
)

// errNoMessage is the error of a compound file that holds no message.
var errNoMessage = errors.New("it holds no message")

// Read reads a message of Outlook (.msg). The error is of package cfb, or says that the file holds no message.
func Read(data []byte) (*Message, error) {
	file, err := cfb.Open(data)
	if err != nil {
		return nil, err
	}
	root := file.Root()
	if !root.Has(propertiesName) {
		return nil, errNoMessage
	}
	r := &msgReader{names: namesOf(root.Storage(namesName)), left: maxObjects}
	return r.message(root, headOfMessage, 0), nil
}

// msgReader reads the messages of one file.
type msgReader struct {
	names    map[Name]uint16
	left     int // see maxObjects
	codePage int // of the message that is read
}

// message reads one, with the messages within it.
func (r *msgReader) message(from *cfb.Storage, head, depth int) *Message {
	outer := r.codePage
	defer func() { r.codePage = outer }()
	m := &Message{Properties: r.properties(from, head)}
	m.learnCodePage()
	r.codePage = m.codePage
	names := from.Names()
	slices.Sort(names) // by their numbers
	for _, name := range names {
		within := from.Storage(name)
		if within == nil || r.left <= 0 {
			continue
		}
		switch lower := strings.ToLower(name); {
		case strings.HasPrefix(lower, recipientName):
			r.left--
			m.Recipients = append(m.Recipients, r.properties(within, headOfOther))
		case strings.HasPrefix(lower, attachmentName):
			r.left--
			a := Attachment{Properties: r.properties(within, headOfOther)}
			if inner := within.Storage(fmt.Sprintf("%s%04X%04X", valuePrefix, Data, Object)); inner != nil && inner.Has(propertiesName) && depth < maxNested {
				a.Message = r.message(inner, headOfNested, depth+1)
			}
			m.Attachments = append(m.Attachments, a)
		}
	}
	return m
}

// properties reads those of a storage: the short ones from one stream, the others from one each.
func (r *msgReader) properties(from *cfb.Storage, head int) Properties {
	p := NewProperties(r.names, r.codePage)
	fixed := from.Stream(propertiesName)
	for fixed = fixed[min(head, len(fixed)):]; len(fixed) >= 16; fixed = fixed[16:] {
		kind, id := binary.LittleEndian.Uint16(fixed), binary.LittleEndian.Uint16(fixed[2:])
		if kind == Integer || kind == Boolean || kind == Time {
			p.Set(id, Value{Type: kind, Data: fixed[8:16]})
		}
	}
	for _, name := range from.Names() {
		var id, kind uint16
		if n, err := fmt.Sscanf(strings.ToUpper(name), strings.ToUpper(valuePrefix)+"%4X%4X", &id, &kind); n != 2 || err != nil || len(name) != len(valuePrefix)+8 {
			continue
		}
		switch kind {
		case String8, Unicode, Binary:
			p.Set(id, Value{Type: kind, Data: from.Stream(name)})
		case Multiple | String8, Multiple | Unicode:
			v := Value{Type: kind}
			for i := 0; i < maxMany && from.Has(fmt.Sprintf("%s-%08X", name, i)); i++ {
				v.Many = append(v.Many, from.Stream(fmt.Sprintf("%s-%08X", name, i)))
			}
			p.Set(id, v)
		}
	}
	return p
}

// Sets of names ([MS-OXPROPS] 1.3.2), by the first bytes of their GUIDs.
var (
	PublicStrings = [4]byte{0x29, 0x03, 0x02, 0x00}
	Appointment   = [4]byte{0x02, 0x20, 0x06, 0x00}
	Task          = [4]byte{0x03, 0x20, 0x06, 0x00}
	Contact       = [4]byte{0x04, 0x20, 0x06, 0x00}
)

const (
	firstNamed = 0x8000
	firstGUID  = 3 // sets before it have no GUID in the file
	maxNames   = 1 << 14
)

// namesOf reads which numbers stand for which names in the file.
func namesOf(from *cfb.Storage) map[Name]uint16 {
	if from == nil {
		return nil
	}
	guids := from.Stream(valuePrefix + "00020102")
	texts := from.Stream(valuePrefix + "00040102")
	entries := from.Stream(valuePrefix + "00030102")
	names := map[Name]uint16{}
	for ; len(entries) >= 8 && len(names) < maxNames; entries = entries[8:] {
		id := binary.LittleEndian.Uint32(entries)
		kind, index := binary.LittleEndian.Uint16(entries[4:]), binary.LittleEndian.Uint16(entries[6:])
		name := Name{ID: id}
		switch set := int(kind >> 1); {
		case set == firstGUID-1:
			name.Set = PublicStrings
		case set >= firstGUID && (set-firstGUID+1)*16 <= len(guids):
			name.Set = [4]byte(guids[(set-firstGUID)*16:])
		}
		if kind&1 != 0 {
			name.ID, name.Text = 0, textAt(texts, id)
		}
		if index < 0xffff-firstNamed {
			names[name] = firstNamed + index
		}
	}
	return names
}

// textAt returns a name from the stream of their texts, each behind its length.
func textAt(texts []byte, at uint32) string {
	if int64(at)+4 > int64(len(texts)) {
		return ""
	}
	size := binary.LittleEndian.Uint32(texts[at:])
	texts = texts[at+4:]
	texts = texts[:min(uint64(size), uint64(len(texts)), 512)]
	units := make([]uint16, len(texts)/2)
	for i := range units {
		units[i] = binary.LittleEndian.Uint16(texts[2*i:])
	}
	return string(utf16.Decode(units))
}
