package code

// Rules say what is added to the score of a passage of code, as shares of the best score by words, or of the sum of
// weights where both lists are fused, which is 1.
type Rules struct {
	// Defined is added to the definition of the symbol that a query is, Inside to one of a symbol within a sentence.
	Defined, Inside float64
	// Stem is added where the name of the file holds all words of the query, less where some; Folder for that of its folder.
	Stem, Folder float64
	// Minor is taken from tests, examples, generated, vendored and minified files.
	Minor float64
	// File is added to the best passage of the file whose passages say most together, less to those of others. Passages of
	// code change places among themselves by it, and no others.
	File float64
}

// Fitted are the rules in use, chosen on programs and questions that they are not judged by (docs/measurements.md).
var Fitted = Rules{Defined: 1, Inside: 0.05, Stem: 0.3, Folder: 0.1, Minor: 0.3, File: 0.1}
