// Package mail reads messages as they are kept in files: one a file (.eml, Apple's .emlx, Outlook's .msg, the files of a maildir
// or of an MH folder, which have no extension), or many in a mailbox (.mbox, and files without extension such as Thunderbird's).
//
//	file -> cutter -> message -> head, parts -> forms of the text merged -> quotations and signatures -> document.Builder
//
// A message becomes its subject as a heading, a row with From, To, Cc and Date, its text, and its attachments, each read by
// the Format of its kind. Places are the message of a mailbox, a message forwarded within one, and the attachment. Meta has the
// subject, writers, recipients, the date as its writer's clock says, and tags (Keywords, labels of Gmail). That of a mailbox has the
// latest date; Entries has the Meta of each message, for filters.
//
// # What is a message
//
// A file named .eml with one of the usual fields in its head; a file without extension, or of a name as servers give them,
// with two of them and nothing but fields until an empty line. A note that begins with "From: Ann" stays a note. A mailbox
// begins with a separator, "From ann@example.org Mon Jan  5 10:00:00 2026", whatever it is called; patches of git stay code.
//
// A .msg is a compound file (package cfb) of properties (package mapi), and is made into the message of RFC 5322 that it would
// be elsewhere. Contacts, appointments and tasks have a line for each property beside their text. Messages in S/MIME, TNEF
// (winmail.dat) and MHTML are read as what they wrap (sealed.go, tnef.go, page.go).
//
// # What is left out
//
//   - Of several forms of one text the sentences that one has said already (alternative.go).
//   - The second of two equal events: an invitation brings one to be shown and one to be saved.
//   - Styles, scripts and the pictures of pages; marks of text/enriched.
//   - In a mailbox, a quotation or signature of which each line stands in an earlier message of the same file. Other quotations
//     stay, each a paragraph of its own with its marks, because their message may be nowhere else.
//   - Base64 that nobody decodes, as of an attachment that is spread over several messages.
//   - Signatures and keys of PGP and S/MIME, which nothing here verifies; pictures, sound and video, whose names stay.
//   - Text beyond document.Limits: of a mailbox with more than 16 MiB of text its oldest messages, since mail is added at the end.
//     Limits of unpacking and of members are those of a message; of the text of an attachment in a mailbox 256 kB are kept.
//   - Encrypted text: the head is read, and Document.Lacking says so.
//
// # Invariants
//
//   - A mailbox is read message by message, so that one of 8 GiB takes what its largest message and the kept texts take. A
//     message of more than 64 MiB is passed over. Its hash is that of its beginning, its size and its time.
//   - A fault costs what it spoils and no more: a line that is no field ends the head; foreign letters in base64, bad
//     escapes, a boundary that does not come, an unknown character set are read around. net/mail, mime/multipart and
//     emersion/go-message v0.18 give up a head at its first bad line, and a body at its first bad letter.
//
// # Measured
//
// Words of three letters or more that Python's email package finds, too (TestWordsAreThoseOfPython): all of 1,000 messages in
// 18 languages and 47 character sets that testdata/odd.py writes. Of 350 files that test other readers of mail (stalwart, mail for
// Ruby, enmime, CPython; DOWSE_MAIL_SAMPLES names a folder), 318 have 99% or more, and all together .94: .99 without five in which
// Python leaves base64 as it is, or bytes are random or of another character set than is said. Of 90 messages of Outlook (tests of
// extract-msg, msgreader, Apache POI), words that extract-msg 0.57 finds, too: .98 of 2,773, all in 83 of the 87 that it opens.
package mail
