package mail

import (
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
		if d.Meta.Title != "" || len(d.Meta.Authors) != 2 || len(d.Meta.To) != 2 || !d.Meta.Date.Equal(time.Date(2026, 1, 5, 11, 0, 0, 0, time.UTC)) {
			t.Errorf("says of itself %+v", d.Meta)
		}
	}
}

func TestAMailboxEndsWhereTheTextHasNoRoom(t *testing.T) {
	limits := document.DefaultLimits
	limits.Text = 5000
	d, err := readWithin("a.mbox", strings.Repeat(box, 1000), limits)
	if err != nil || len(d.Text) != 5000 || len(d.Places) > 200 {
		t.Errorf("%d bytes, %d places, %v", len(d.Text), len(d.Places), err)
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
