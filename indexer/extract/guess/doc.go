// Package guess tells the encoding of a text that says nothing of it and is no UTF-8, by the
// letters that stand side by side in each of some languages:
//
//	e, name := guess.Encoding(data)
//
// The bytes are read in each encoding, and cost as text of each language that is written in it
// what their pairs of letters cost there. Least cost wins. The same bytes have the same
// encoding, always, and looking at them costs at most a tenth of a second or so, whatever they are.
package guess
