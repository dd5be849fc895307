// Package markup reads texts that are written for a program which shows them: notebooks of Jupyter, Org, LaTeX,
// AsciiDoc, subtitles, bookmarks of a browser, and chats that were exported.
//
// # What becomes of them
//
//   - ipynb: cells as places, Markdown as it is, code as code, what it printed as far as 2 KiB a cell; pictures are
//     left out, also those within texts.
//   - Org: headings with what is to be done, lists, tables by rows with the names above their rule, blocks of code;
//     what the settings say (title, author, date, tags) for the filters. Each heading is an entry of its title and tags, those of the
//     headings above it too, and of its own date or theirs. Drawers, comments and other settings are left out.
//   - LaTeX: sections, paragraphs, lists, tables by rows, formulas and listings as they are written; commands are taken
//     away and what they are applied to stays, except for labels, references and files. No file is followed
//     (\input), no macro expanded. Accents become letters.
//   - AsciiDoc: headings, lists, tables by rows with the names of their columns, blocks of code; title, authors, date and
//     keywords for the filters. Comments and other attributes are left out, no file is followed (include::).
//   - srt, vtt: what is spoken, in paragraphs of about 400 bytes, each with its time as place.
//   - Bookmarks: folders as headings, titles with their addresses, an entry each, of its tags and of when it was added.
//   - Chats of Telegram (result.json), Slack (a day of a channel), Discord (DiscordChatExporter), WhatsApp (_chat.txt) and Signal
//     (signal-export): messages with who wrote them and when, an entry each, a heading for each day.
//
// # Invariants
//
// The lines of a document are those of its file, except for ipynb and chats in JSON. A file that is not what it is
// named is document.ErrOther, and is read as the text or the code that it is. Time is linear in the size of the file.
package markup
