package store

// Sizes says what the bytes of the file are for: whole pages by bucket under
// "vectors", "postings", "dictionary" and "chunks"; "graph", "pq" and "text"
// are 0 in this format; "other" is the rest, files and free pages included;
// "total" is the size of the file. The parts add up to the total.
//
// It looks at every page of the index once.
func (tx *Tx) Sizes() (map[string]int64, error) {
	sizes := map[string]int64{"graph": 0, "pq": 0, "text": 0, "total": tx.bolt.Size()}
	sizes["vectors"] = tx.pageBytes(bucketVectors)
	sizes["chunks"] = tx.pageBytes(bucketChunks)
	postings := tx.Postings()
	segments, err := postings.Segments()
	if err != nil {
		return nil, err
	}
	for _, id := range segments {
		dictionary, _, err := postings.header(id)
		if err != nil {
			return nil, err
		}
		sizes["dictionary"] += dictionary
	}
	// Inline buckets take no pages of their own: never count below zero.
	all := tx.pageBytes(bucketPostings) + tx.pageBytes(bucketSegments)
	sizes["dictionary"] = min(sizes["dictionary"], all)
	sizes["postings"] = all - sizes["dictionary"]
	sizes["other"] = sizes["total"] - sizes["vectors"] - sizes["chunks"] - all
	return sizes, nil
}

func (tx *Tx) pageBytes(bucket []byte) int64 {
	s := tx.bolt.Bucket(bucket).Stats()
	return int64(s.BranchAlloc) + int64(s.LeafAlloc)
}
