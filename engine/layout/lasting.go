package layout

// Lasting are the notes of an index that are true wherever its files lie: what it is built with, and what was measured of
// its vectors. A pack has these alone.
func Lasting() []string { return []string{metaBuilder, metaWalk, metaScale, metaErrors} }
