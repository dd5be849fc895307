// Package ocr reads the text in pictures, by a program that the person has installed:
// tesseract.
//
// # Basics
//
// Use says what reads a picture, since who reads files starts no programs. Until then, and
// where nobody asked for it, Text says errOff.
//
//	ocr.Use(ocr.Options{Read: tesseract, Time: 2 * time.Minute})
//	text, err := ocr.Text(ctx, png) // paragraphs, a blank line between them
//
// Text is for a picture that may show anything: one in which hardly a word is found has no
// text. Page is for a page of a document, of which a number alone may be all.
//
// # What comes out
//
// Lines of a block are joined to a paragraph, and with them words that are divided at their
// ends. What has neither a letter nor a digit, which is what specks and lines become, is left out.
//
// # Bounds
//
// AtOnce pictures are read at a time, each for Time at most, which begins when it is its
// turn. The same bytes may give another text by another version of tesseract, so that
// whoever takes text from here says that it is slow, and it is kept.
package ocr
