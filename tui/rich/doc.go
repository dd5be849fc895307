// Package rich turns lines of Markdown and code into what they mean: text
// without its markup, and which stretches of it are strong, code or a comment.
//
// One line of a file stays one line, so that numbers of lines hold. Input is
// safe to draw (no control characters), and so is what comes out. Ranges of
// matched words move along.
//
// It is for reading, and so never fails: what it does not know stays as it is
// written. Lines may begin and end anywhere in a file. Work is bounded by the
// length of the text, also of text that was written to be slow.
//
// Code is coloured by comments, strings, numbers and keywords of a table of
// languages. The lexers of chroma 2.27 tell more, and take 12 to 36 ms of every
// start of a program, whatever it was started for.
package rich
