package mail

import (
	"context"
	"fmt"

	"dowse/indexer/document"

	"github.com/dustin/go-humanize"
)

// Of a mailbox:
const (
	roomBytes       = 1 << 20   // for the text of the next message; where there is less, the oldest go
	attachmentBytes = 256 << 10 // of the text of an attachment: a book is not to take the place of a thousand messages
)

// A message of a few words takes ten times of them beside its text, which a group of messages shares.
const (
	groupBytes    = 16 << 10
	groupMessages = 64
)

// group is the text of some messages in a row.
type group struct {
	*document.Document
	messages int
}

// newest keeps the texts of the last messages of a mailbox, as many as are read of a file.
type newest struct {
	in      *document.Input
	room    int // bytes for the next message
	known   *quotes
	texts   []group // of the messages, the oldest first
	dropped int     // messages that were kept and made room
	tooLong int     // messages that are too large
	short   int     // attachments that are cut

	open      []*document.Document // messages behind those
	openBytes int
}

func newNewest(in *document.Input) *newest {
	return &newest{in: in, room: min(roomBytes, in.Room()/4), known: &quotes{lines: map[uint64]struct{}{}}}
}

// add writes a message. The error is of the context.
func (n *newest) add(ctx context.Context, p *part, number int) error {
	for n.in.Room() < n.room && len(n.texts) > 0 {
		n.in.Release(len(n.texts[0].Text))
		n.dropped += n.texts[0].messages
		n.texts[0] = group{} // not held any more
		n.texts = n.texts[1:]
	}
	n.in.Renew(len(p.body))
	m := metaOf(p.header)
	r := &reader{ctx: ctx, in: n.in, b: n.in.Builder(), quotes: n.known, most: attachmentBytes}
	r.within = []document.Part{{Unit: document.Message, Number: number, Name: m.Title}}
	r.b.Entry(m)
	if err := r.message(p); err != nil {
		return err
	}
	n.short += r.shortened
	n.open = append(n.open, r.b.Document("mbox", document.Meta{}))
	if n.openBytes += len(n.open[len(n.open)-1].Text); n.openBytes >= min(groupBytes, n.room/64) || len(n.open) >= groupMessages {
		n.closeGroup()
	}
	return nil
}

// closeGroup makes one text of those of the last messages.
func (n *newest) closeGroup() {
	if len(n.open) == 0 {
		return
	}
	g := group{n.open[0], len(n.open)}
	if len(n.open) > 1 {
		b := n.in.Builder()
		for _, t := range n.open {
			b.Join(t)
		}
		g.Document = b.Document("mbox", document.Meta{})
	}
	n.texts = append(n.texts, g)
	clear(n.open)
	n.open, n.openBytes = n.open[:0], 0
}

// document puts the texts together, of a mailbox of so many messages.
func (n *newest) document(count int) *document.Document {
	n.closeGroup()
	b := n.in.Builder()
	if n.dropped > 0 {
		b.Lack(fmt.Sprintf("the oldest %s of %s messages", humanize.Comma(int64(n.dropped)), humanize.Comma(int64(count))))
	}
	if n.tooLong > 0 {
		b.Lack(fmt.Sprintf("%s messages of more than %s", humanize.Comma(int64(n.tooLong)), humanize.IBytes(maxMessage)))
	}
	if n.short > 0 {
		b.Lack(fmt.Sprintf("the rest of %s long attachments", humanize.Comma(int64(n.short))))
	}
	var box document.Meta // who wrote to whom each message says of itself
	for _, t := range n.texts {
		b.Join(t.Document)
		for _, e := range t.Entries {
			if e.Meta.Date.After(box.Date) {
				box.Date = e.Meta.Date
			}
		}
	}
	return b.Document("mbox", box)
}
