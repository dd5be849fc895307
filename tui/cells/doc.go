// Package cells reads what a program writes to a terminal into the cells that a
// person would see, for measurements, tests of whole frames, and pictures.
//
//	s := cells.New(80, 24)
//	_, _ = s.Write(output)
//	s.Text(), s.Inks(&legend), s.SVG(theme)
//
// It knows what screens of terminals are drawn with: text, colours, moves of the
// cursor, erasing, inserting and scrolling. Sequences that change nothing in
// sight (modes, titles, the clipboard) are passed over. It answers no questions.
package cells
