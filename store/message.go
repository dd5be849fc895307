package store

import (
	"encoding/binary"
	"errors"
	"strings"
)

// Message is what a message of a mailbox says of itself: who wrote it to whom, and when. Filters
// ask that instead of what the file says.
type Message struct {
	First, Last int // chunks that hold it, from 0. A chunk may hold several, or parts of them.
	Title       string
	Authors     []string
	To          []string
	Tags        []string
	Date        int64 // unix seconds; 0 where it has none
}

// lists are what a message has several of.
func (m *Message) lists() [3]*[]string { return [3]*[]string{&m.Authors, &m.To, &m.Tags} }

// encodeMessages writes each text once, in small letters: filters compare those, and people
// who write in one mailbox write often.
func encodeMessages(messages []Message) []byte {
	var texts []byte
	numbers := map[string]uint64{}
	number := func(text string) uint64 {
		text = strings.ToLower(text)
		n, known := numbers[text]
		if !known {
			n = uint64(len(numbers))
			numbers[text] = n
			texts = appendString(texts, text)
		}
		return n
	}
	var rest []byte
	last, date := 0, int64(0)
	for i := range messages {
		m := &messages[i]
		rest = binary.AppendUvarint(rest, uint64(m.First-last))
		rest = binary.AppendUvarint(rest, uint64(m.Last-m.First))
		rest = binary.AppendVarint(rest, m.Date-date)
		last, date = m.Last, m.Date
		rest = binary.AppendUvarint(rest, number(m.Title))
		for _, list := range m.lists() {
			rest = binary.AppendUvarint(rest, uint64(len(*list)))
			for _, text := range *list {
				rest = binary.AppendUvarint(rest, number(text))
			}
		}
	}
	value := binary.AppendUvarint(nil, uint64(len(numbers)))
	return append(append(value, texts...), rest...)
}

func decodeMessages(value []byte) (messages []Message, err error) {
	d := decoder{rest: value}
	var texts []string
	for range d.count(1) {
		texts = append(texts, d.string())
	}
	text := func() string {
		n := d.uvarint()
		if n >= uint64(len(texts)) {
			d.fail("a text that is not there")
			return ""
		}
		return texts[n]
	}
	last, date := 0, int64(0)
	for len(d.rest) > 0 {
		m := Message{First: last + int(d.uint32())}
		m.Last = m.First + int(d.uint32())
		m.Date = date + d.varint()
		last, date = m.Last, m.Date
		m.Title = text()
		for _, list := range m.lists() {
			for range d.count(1) {
				*list = append(*list, text())
			}
		}
		messages = append(messages, m)
	}
	return messages, d.end()
}

// PutMessages keeps the messages of a file that is there and has none yet, ascending by their
// chunks. Their texts come back in small letters.
func (tx *Tx) PutMessages(file uint32, messages []Message) error {
	if _, err := tx.entryAt(file); err != nil {
		return err
	}
	if len(messages) == 0 {
		return nil
	}
	return tx.putIn(tableMessages, file, encodeMessages(messages))
}

// EachMessages calls fn for the files that have messages, by ascending id.
func (tx *Tx) EachMessages(fn func(file uint32, messages []Message) error) error {
	return tx.eachIn(tableMessages, 0, func(file uint32, value []byte) error {
		messages, err := decodeMessages(value)
		if err != nil {
			return locatedIn(tableMessages, file, err)
		}
		return fn(file, messages)
	})
}

// dropMessages removes the messages of a file, if it has any.
func (tx *Tx) dropMessages(file uint32) error {
	if _, err := tx.in(tableMessages, file); err != nil {
		if errors.Is(err, ErrNotFound) {
			return nil
		}
		return err
	}
	return tx.deleteIn(tableMessages, file)
}

// messages checks that they are of chunks of files that are there.
func (c *check) messages(tx *Tx) error {
	err := tx.EachMessages(func(file uint32, messages []Message) error {
		e, err := tx.entryAt(file)
		if err != nil {
			c.wrong([]byte("messages"), "of file %d: %v", file, err)
			return c.ctx.Err()
		}
		for i, m := range messages {
			if m.Last >= int(e.Chunks) {
				c.wrong([]byte("messages"), "message %d of file %d ends in chunk %d of %d", i, file, m.Last, e.Chunks)
			}
		}
		return c.ctx.Err()
	})
	if errors.Is(err, ErrCorrupt) {
		c.wrong([]byte("messages"), "%v", err)
		return nil
	}
	return err
}

// messages removes those of files that are not there, and has files indexed again whose own make
// no sense.
func (r *repair) messages() error {
	var bad []uint32
	err := r.eachIn(tableMessages, 0, func(file uint32, value []byte) error {
		messages, wrong := decodeMessages(value)
		e, err := r.entryAt(file)
		if err != nil && !errors.Is(err, ErrNotFound) {
			return err
		}
		if err == nil && wrong == nil {
			if n := len(messages); n == 0 || messages[n-1].Last < int(e.Chunks) {
				return r.ctx.Err()
			}
		}
		bad = append(bad, file)
		return r.ctx.Err()
	})
	if err != nil {
		return err
	}
	for _, file := range bad {
		if err := r.deleteIn(tableMessages, file); err != nil {
			return err
		}
	}
	r.textless = append(r.textless, bad...)
	return nil
}
