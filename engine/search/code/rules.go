package code

// Rules say what is added to the score of a passage of code, as shares of the best score by words, or of the sum of
// weights where both lists are fused, which is 1.
type Rules struct {
	// Defined is added to the definition of the symbol that a query is, Inside to one of a symbol within a sentence.
	Defined, Inside float64
	// Named is added where the name of the file, or of its folder, holds all words of the query, less where some.
	Named float64
	// Minor is taken from tests, examples, generated, vendored and minified files.
	Minor float64
}

// Fitted are the rules in use, chosen on Python's standard library and judged elsewhere (docs/measurements.md).
var Fitted = Rules{Defined: 1, Inside: 0.5, Named: 0.2, Minor: 0.3}
