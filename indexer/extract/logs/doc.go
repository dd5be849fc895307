// Package logs knows the files to which programs write a line for each thing that happens.
//
// # Basics
//
// Is recognises one by its name and the lines that it begins with, Cuts divides it, Clean makes text of a part, and
// Window says how much of a long one is read.
//
// # What is a log
//
// A file of 64 KiB or more of which most lines begin with a date and a time of the day with seconds, or are JSON objects
// with a time and a level. Lines that are indented go on with the one before and do not count. Of a file that is named as logs are
// (app.log, app.log.1, syslog, error_log, nohup.out) three of ten lines are enough, and a time or a level alone will do. A time
// without a date makes none of other files: transcripts of films have it. Where its beginning is numbers or encoded data,
// and where another format reads it (chats, tables, mailboxes), it is none.
//
// The first 64 KiB decide alone, so that a log stays one when lines are appended.
//
// # How it is cut
//
// Into blocks of some 4 KiB, at the first line of each 4,096 bytes of the file. Where a cut lies depends on the 8 KiB around
// it alone: appended lines change no block but the last, and a log that is read from a later place on
// has the same blocks from there. A block is cleaned by itself, for the same reason: escapes of terminals and other
// control characters become spaces, flaws of UTF-8 question marks, byte for byte, so that a place in the text is one in the file.
//
// Of a file above 16 MiB the newest 14 to 16 MiB are read. They begin at a multiple of 2 MiB, so that they seldom do elsewhere.
package logs
