package jotting

import (
	"context"
	"time"

	"dowse/indexer/document"
	"dowse/indexer/skip"
)

// jotting is what was written at one time.
type jotting struct {
	line  int // of the file, from 1
	at    time.Time
	title string
	tags  []string
	text  string
}

// kind is a program, or a form that several agree on.
type kind struct {
	name   string // as type: calls it
	is     func(name string, head []byte) bool
	plain  func(data []byte) []byte // what undoes the program's own escapes of bytes; nil: it has none
	parse  func(text string) []jotting
	write  func(b *document.Builder, text string) // one
	hourly bool                                   // those of one hour are one entry
	again  string                                 // not "": the files hold again what others do, and this
}

var kinds = []kind{
	{name: "history", is: isZsh, plain: unescaped, parse: zshCommands, write: asRow, hourly: true},
	{name: "history", is: isBash, parse: bashCommands, write: asRow, hourly: true},
	{name: "history", is: isFish, parse: fishCommands, write: asRow, hourly: true},
	{name: "task", is: isTodo, parse: todos, write: asItem},
	{name: "task", is: isTaskwarrior, parse: taskwarrior, write: asItem},
	{name: "task", is: isTaskwarriorsOwn, again: "what Taskwarrior goes back to, or sends to a server: the tasks stand in pending.data and completed.data"},
	{name: "ledger", is: isLedger, parse: transactions, write: asParagraph},
	{name: "jrnl", is: isJrnl, parse: jrnlEntries, write: asParagraph},
}

// Formats are those of the kinds.
var Formats = func() (list []document.Format) {
	for i := range kinds {
		list = append(list, document.Format{Name: kinds[i].name, Is: kinds[i].is, Read: kinds[i].read})
	}
	return list
}()

func asRow(b *document.Builder, text string) { b.Row(nil, []string{text}) }

func asItem(b *document.Builder, text string) { b.Item(0, text) }

func asParagraph(b *document.Builder, text string) { b.Paragraph(text) }

// read reads a file of a kind.
func (k *kind) read(ctx context.Context, in *document.Input) (*document.Document, error) {
	if k.again != "" {
		return nil, &skip.Error{Reason: skip.NotText, Path: in.Name, Detail: k.again}
	}
	data := in.Data
	if k.plain != nil {
		data = k.plain(data)
	}
	text, err := in.Text(ctx, data)
	if err != nil {
		return nil, err
	}
	all := k.parse(text)
	if len(all) == 0 {
		return nil, document.ErrOther
	}
	b, marks := in.Builder(), []document.LineMark{}
	var last jotting
	for _, j := range all {
		if !b.Step(1) || b.Full() || ctx.Err() != nil {
			break
		}
		if k.hourly && j.text == last.text {
			continue
		}
		if !k.hourly || !sameHour(j.at, last.at) {
			b.Entry(document.Meta{Title: j.title, Tags: j.tags, Date: j.at})
		}
		marks = append(marks, document.LineMark{Offset: int32(b.Len()), Line: int32(j.line)})
		k.write(b, j.text)
		last = j
	}
	d := b.Document(k.name, document.Meta{})
	d.MarkLines(marks)
	return d, ctx.Err()
}

func sameHour(a, b time.Time) bool { return a.Truncate(time.Hour).Equal(b.Truncate(time.Hour)) }
