// Package mail reads messages as they are kept in files: one a file (.eml, Apple's
// .emlx, Outlook's .msg, the files of a maildir or of an MH folder, which have no extension), or many in a
// mailbox (.mbox, and files without extension such as Thunderbird's).
//
// # Basics
//
// Formats is what package extract lists. A message becomes its subject as a heading, a row with
// From, To, Cc and Date, its text, and its attachments, each read by the Format of its
// kind. Places are the message of a mailbox, a message that is forwarded within one, and the
// attachment. Meta has the subject, who wrote it and who got it, the date as its
// writer's clock says, and tags (Keywords, labels of Gmail). That of a mailbox has the latest
// date of its messages; Entries has what each of them says, which filters ask.
//
// # What is a message
//
// A file named .eml with one of the usual fields in its head; a file without extension, or of a name as
// servers give them, with two of them and nothing but fields until an empty line. A note
// that begins with "From: Ann" stays a note. A mailbox begins with a separator, "From ann@example.org Mon Jan  5
// 10:00:00 2026", whatever it is called; patches of git, that begin so, too, stay code.
//
// # Outlook
//
// A .msg is a compound file (package cfb) of properties (package mapi). It is made into the message of RFC 5322 that it would be
// elsewhere and read as that, so that text, places and parts are those of an .eml of the same message. Contacts, appointments and
// tasks have what they say beside their text, a line each.
//
// # What is left out
//
//   - Of several forms of one text what one has said already (merged): plain text is taken, and the sentences of the others that
//     have words it lacks. Where another form has more words, and most of them are new, that is taken first: the plain text only said
//     that the program shows no HTML. Where a link leads counts for no word.
//   - The second of two equal events: an invitation brings one to be shown and one to be saved.
//   - Styles, scripts and the pictures of pages; marks of text/enriched.
//   - In a mailbox, a quotation of which each line stands in an earlier message of the
//     same file. Other quotations stay, each a paragraph of its own with its marks, because the message that they are of
//     may be nowhere else. So with signatures ("-- ", of 15 lines at most).
//   - Base64 that nobody decodes, as of an attachment that is spread over several messages.
//   - Signatures and keys of PGP and S/MIME, which nothing here verifies; pictures, sound and video, whose names stay.
//   - What exceeds document.Limits: of a mailbox with more than 16 MiB of text its oldest messages, since mail
//     is added at the end. Document.Lacking says how many. Limits of unpacking and of members are those of a message; of
//     the text of an attachment in a mailbox 256 kB are kept.
//
// Of a message that is encrypted the head is read, and Document.Lacking says so.
//
// # Messages in other wrappings
//
// What is signed by S/MIME with its text inside (smime.p7m) is read as that text, and a document that is signed so (contract.pdf.p7m) as the
// document: cms.go is a walk of BER, with and without lengths, of as much of RFC 5652 as leads to the content. The library smallstep/pkcs7
// v0.2.3 reads certificates and signatures as well, recurses as deep as its input says (40 MB of elements within elements overflow
// the stack, which ends the process), and knows no compressed data. What Outlook attaches for other Outlooks
// (winmail.dat, TNEF) is read as the message that it holds, without the words that stand beside it. A page that a
// browser has saved with its pictures (MHTML) has the shape of a message and is read as a page.
//
// # Size
//
// A mailbox is read message by message (cutter), so that one of 8 GiB takes what its largest message and the
// texts that are kept take. A message of more than 64 MiB is passed over. Its hash is that of its beginning, its size and
// its time: it is read again when it grows, and what was in it keeps its vectors.
//
// # Faults
//
// Messages are full of them, and what can be read is. The first line that is no field ends the head;
// base64 with foreign letters, quoted-printable with escapes that are none, a boundary that does
// not come, a character set that nobody knows (guessed as that of a file is) cost what they
// spoil and no more. That is why the parts are divided here: net/mail, mime/multipart and the libraries upon
// them (emersion/go-message v0.18) give up a head at its first bad line, and a body at its first bad letter.
//
// # Measured
//
// Words of three letters or more that Python's email package finds, too (TestWordsAreThoseOfPython): all of 1,000 messages in
// 18 languages and 47 character sets that testdata/odd.py writes. Of 350 files that test other readers of mail (stalwart, mail for Ruby, enmime, CPython), a folder for
// DOWSE_MAIL_SAMPLES, 318 had 99% of them or more before any was looked at, and all together .94: .99 without five in
// which Python leaves base64 as it is, or bytes are random or of another character set than is said.
//
// Of 259 messages of SpamAssassin's corpus with several forms of a text, all words of all forms were found in 164 when one form was taken,
// and are in 251 (of the rest most lack rules of CSS); of 65 in the suites of other readers in 36, and in 60. The text of
// all 6,046 and of all 303 together became 0.1% shorter and 0.6% longer.
//
// Of 90 messages of Outlook that test other readers (extract-msg, msgreader for JavaScript, Apache POI), words of subjects, bodies, recipients and names of
// attachments that extract-msg 0.57 finds, too: .98 of 2,773, all in 83 of the 87 that it opens; the rest are old letters that it does not decode, addresses of links,
// and the name of a signature. The RTF that 109 of their properties unpack to is that of compressed-rtf 1.0.7, to the byte, and what RTFDE 0.1.2 takes out of it has the same words in 84 of 85.
package mail
