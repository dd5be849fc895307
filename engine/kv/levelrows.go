package kv

// lanes is what the columns of a lowered vector are padded to a multiple of.
const lanes = 16

// loweredBytes returns what the keys and values of tokens take in a layer at 4 or 2
// bits. For each head there are a pair of floats, and for each of its padded columns a
// byte of scale and one of minimum; for each token and head two numbers of 16 bits for
// its value, and the columns of key and value, packed.
func loweredBytes(tokens, heads, headDim int, l Level) int {
	columns := (headDim + lanes - 1) / lanes * lanes
	return heads * (8 + 2*columns + tokens*(4+2*columns*int(l)/8))
}
