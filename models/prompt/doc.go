// Package prompt is the table of the ways in which a decoder is asked how relevant a
// passage is. A new way is a new row: its name, what it was trained on, and its text.
package prompt
