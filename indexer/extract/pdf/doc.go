// Package pdf reads the text of PDF files.
package pdf
