// Package fold makes texts alike that people take for the same, however they are written.
// Whatever is compared with what a person typed is folded on both sides, by this package and in
// no other way: words of the index, phrases, filters, completions, what is marked on the screen.
//
// String makes small letters; takes off accents; gives compatible and composed forms one form,
// so that it does not matter whether a file name comes from macOS, a zip file or a keyboard;
// replaces letters that are none with an accent to Unicode by what people without the key
// type (Wałęsa, Straße, Đorđe); leaves out what nobody sees (soft hyphens, spaces without
// width); and has one hyphen and one apostrophe.
//
// A folded text is for comparisons. It is not shown: joiners matter to how Persian, Hindi and
// emoji look. Text keeps where each of its bytes came from, so that what was found can be
// marked in the text as it is written.
package fold
