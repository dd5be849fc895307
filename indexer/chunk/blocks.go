package chunk

import "dowse/indexer/document"

// blocks returns the chunks of a log, which says itself where it is cut. Nothing of them is counted: they are not embedded.
func blocks(doc *document.Document) []Chunk {
	chunks := make([]Chunk, 0, len(doc.Cuts)+1)
	start := 0
	for _, end := range append(doc.Cuts[:len(doc.Cuts):len(doc.Cuts)], len(doc.Text)) {
		chunks = append(chunks, Chunk{Start: start, End: end, Line: doc.Line(start), LineEnd: doc.Line(end - 1)})
		start = end
	}
	return chunks
}
