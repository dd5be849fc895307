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

// newest keeps the texts of the last messages of a mailbox, as many as are read of a file.
type newest struct {
	in      *document.Input
	room    int // bytes for the next message
	known   *quotes
	texts   []*document.Document // of the messages, the oldest first
	dropped int                  // that were kept and made room
	tooLong int                  // messages that are too large
	short   int                  // attachments that are cut
}

func newNewest(in *document.Input) *newest {
	return &newest{in: in, room: min(roomBytes, in.Room()/4), known: &quotes{lines: map[uint64]struct{}{}}}
}

// add writes a message. The error is of the context.
func (n *newest) add(ctx context.Context, p *part, number int) error {
	for n.in.Room() < n.room && len(n.texts) > 0 {
		n.in.Release(len(n.texts[0].Text))
		n.texts[0] = nil // not held any more
		n.texts = n.texts[1:]
		n.dropped++
	}
	n.in.Renew()
	m := metaOf(p.header)
	r := &reader{ctx: ctx, in: n.in, b: n.in.Builder(), quotes: n.known, most: attachmentBytes}
	r.within = []document.Part{{Unit: document.Message, Number: number, Name: m.Title}}
	r.b.Entry(m)
	if err := r.message(p); err != nil {
		return err
	}
	n.short += r.shortened
	n.texts = append(n.texts, r.b.Document("mbox", document.Meta{}))
	return nil
}

// document puts the texts together, of a mailbox of so many messages.
func (n *newest) document(count int) *document.Document {
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
		b.Join(t)
		for _, e := range t.Entries {
			if e.Meta.Date.After(box.Date) {
				box.Date = e.Meta.Date
			}
		}
	}
	return b.Document("mbox", box)
}
