package mail

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"dowse/indexer/document"
)

const box = `From ann@example.org Mon Jan  5 10:00:00 2026
From: Ann <ann@example.org>
To: bob@example.org
Date: Mon, 5 Jan 2026 10:00:00 +0000
Subject: Roof

The roof of the house leaks
near the chimney.

>From here you see it.
From the street, too: look.

From bob@example.org Mon Jan  5 11:00:00 2026
From: bob@example.org
To: Ann <ann@example.org>
Date: Mon, 5 Jan 2026 11:00:00 +0000
Subject: Re: Roof

Ann wrote:
> The roof of the house
>   leaks
Not my words.

>  The roof of the house leaks
> near the  chimney.
>
I come on Friday.

> Carl said something that is in no message.

From nobody Mon Jan  5 12:00:00 2026
Subject: Last

> I come on Friday.
`

func TestAMailboxHasItsMessagesAndWhatTheyQuoteOnce(t *testing.T) {
	for _, data := range []string{box, crlf(box)} {
		d := mustRead(t, "Inbox", data)
		want := `# Roof

From: Ann <ann@example.org>; To: bob@example.org; Date: Mon 5 Jan 2026 10:00

The roof of the house leaks
near the chimney.

From here you see it.
From the street, too: look.

# Re: Roof

From: bob@example.org; To: Ann <ann@example.org>; Date: Mon 5 Jan 2026 11:00

Ann wrote:

> The roof of the house
> leaks

Not my words.

I come on Friday.

> Carl said something that is in no message.

# Last`
		if d.Text != want {
			t.Errorf("read\n%s\nwant\n%s", d.Text, want)
		}
		for text, place := range map[string]string{"chimney": "message 1 (Roof)", "Friday": "message 2 (Re: Roof)", "# Last": "message 3 (Last)"} {
			if got := document.Label(d.Place(strings.Index(d.Text, text))); got != place {
				t.Errorf("%q is of %q, want %q", text, got, place)
			}
		}
		if d.Meta.Title != "" || len(d.Meta.Authors) != 0 || !d.Meta.Date.Equal(time.Date(2026, 1, 5, 11, 0, 0, 0, time.UTC)) {
			t.Errorf("says of itself %+v", d.Meta)
		}
		messagesAre(t, d)
	}
}

// messagesAre looks at what the messages of box say of themselves.
func messagesAre(t *testing.T, d *document.Document) {
	t.Helper()
	var titles []string
	for _, m := range d.Entries {
		titles = append(titles, m.Meta.Title)
		if !strings.HasPrefix(strings.TrimSpace(d.Text[m.Offset:]), "# "+m.Meta.Title+"\n") && m.Meta.Title != "Last" {
			t.Errorf("%s begins with %.30q", m.Meta.Title, d.Text[m.Offset:])
		}
	}
	if got := strings.Join(titles, ", "); got != "Roof, Re: Roof, Last" || d.Entries[1].Meta.Authors[0] != "bob@example.org" || d.Entries[1].Meta.Date.Hour() != 11 {
		t.Errorf("messages %+v", d.Entries)
	}
}

func TestAMailboxHasASignatureOnce(t *testing.T) {
	message := "From x\nSubject: s\n\nIt leaks %d.\n-- \nAnn\nRoofs of slate\n\n"
	d := mustRead(t, "a.mbox", fmt.Sprintf(message, 1)+fmt.Sprintf(message, 2)+strings.Replace(fmt.Sprintf(message, 3), "slate", "copper", 1))
	if got := strings.Count(d.Text, "Roofs of slate"); got != 1 || !strings.Contains(d.Text, "Ann\nRoofs of copper") || !strings.Contains(d.Text, "leaks 2") {
		t.Errorf("read\n%s", d.Text)
	}
}

func TestTheNewestMessagesAreKept(t *testing.T) {
	var data strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&data, "From x\nSubject: number %d\n\nThe roof of house %d leaks.\n\n", i+1, i+1)
	}
	limits := document.DefaultLimits
	limits.Text = 5000
	d, err := readWithin("a.mbox", data.String(), limits)
	if err != nil {
		t.Fatal(err)
	}
	kept := strings.Count(d.Text, "# number")
	if len(d.Text) > 5000 || len(d.Text) < 2500 || strings.Contains(d.Text, "house 10 ") || !strings.HasSuffix(d.Text, "house 1000 leaks.") {
		t.Errorf("%d bytes, %d messages, %.100q", len(d.Text), kept, d.Text)
	}
	if want := fmt.Sprintf("the oldest %d of 1,000 messages", 1000-kept); d.Lacking != want {
		t.Errorf("it lacks %q, want %q", d.Lacking, want)
	}
	for number := 1000 - kept + 1; number <= 1000; number++ {
		at := strings.Index(d.Text, fmt.Sprintf("house %d leaks", number))
		if got, want := document.Label(d.Place(at)), fmt.Sprintf("message %d (number %d)", number, number); got != want {
			t.Errorf("message %d is called %q", number, got)
		}
	}
}

func TestALongAttachmentLeavesRoomForMessages(t *testing.T) {
	book := strings.Repeat("It hailed in May and in June.\n\n", 20_000)
	data := "From x\nSubject: a book\nContent-Type: multipart/mixed; boundary=B\n\n--B\nContent-Type: text/plain; name=book.txt\n\n" + book + "--B--\n\nFrom x\nSubject: after\n\nhello\n"
	d := mustRead(t, "a.mbox", data)
	if len(d.Text) > attachmentBytes+1000 || len(d.Text) < attachmentBytes/2 || !strings.HasSuffix(d.Text, "hello") || d.Lacking != "the rest of 1 long attachments" {
		t.Errorf("%d bytes, lacks %q", len(d.Text), d.Lacking)
	}
	if alone := mustRead(t, "a.eml", data[len("From x\n"):strings.Index(data, "From x\nSubject: after")]); len(alone.Text) < len(book)/2 || alone.Lacking != "" {
		t.Errorf("alone: %d bytes, lacks %q", len(alone.Text), alone.Lacking)
	}
}

// cutMessage divides a mailbox behind its first message; it is the slow twin of cutter, which never has all of it at hand.
func cutMessage(data []byte) (message, rest []byte) {
	for at := 1; ; {
		i := bytes.Index(data[at:], []byte("\nFrom "))
		if i < 0 {
			return data, nil
		}
		at += i + 1
		if begins(data, at) {
			return data[:at], data[at:]
		}
	}
}

// The messages are those that are cut from all of the mailbox at once, whatever is read at a time.
func TestTheCutterCutsAsItsTwin(t *testing.T) {
	pieces := []string{"From x\n", "From a@b Mon Jan  5 10:00:00 2026\n", "From -\n", "Subject: y\n", "\n", "\n\n", "\r\n", "From here on\n", ">From z\n", "text ", "long " + strings.Repeat("line ", 120) + "\n", "From"}
	for seed := range uint64(3000) {
		rng := rand.New(rand.NewPCG(31, seed))
		var data []byte
		for range rng.IntN(40) {
			data = append(data, pieces[rng.IntN(len(pieces))]...)
		}
		var want []string
		for rest := data; len(rest) > 0; {
			var message []byte
			message, rest = cutMessage(rest)
			want = append(want, string(message))
		}
		c := newCutter(bytes.NewReader(data), int64(len(data)))
		c.block = 1 + rng.IntN(700)
		if seed%3 == 0 {
			c.most = 200
		}
		for i := 0; ; i++ {
			got, err := c.next()
			if errors.Is(err, io.EOF) {
				if i != len(want) {
					t.Fatalf("seed %d: %d messages, want %d", seed, i, len(want))
				}
				break
			}
			if i >= len(want) || (err != nil) != (len(want[i]) > c.most) || err == nil && string(got) != want[i] {
				t.Fatalf("seed %d: message %d is %q, %v, want %q", seed, i, got, err, want)
			}
		}
	}
}

func TestAllMessagesOfAMailboxAreCounted(t *testing.T) {
	d := mustRead(t, "a.mbox", strings.Repeat("From x\nSubject: same\n\nhello\n\n", 500))
	if n := strings.Count(d.Text, "# same"); n != 500 {
		t.Errorf("%d messages", n)
	}
	if got := document.Label(d.Place(len(d.Text))); got != "message 500 (same)" {
		t.Errorf("the last is %q", got)
	}
}
