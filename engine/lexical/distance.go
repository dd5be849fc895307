package lexical

// distance is the number of letters that are missing, added, wrong, or swapped with their
// neighbour between two words: the optimal string alignment distance (Boytsov, Indexing
// Methods for Approximate Dictionary Searching, 2011). Above limit it returns limit+1.
type distance struct{ rows [3][]int }

func (d *distance) between(a, b []rune, limit int) int {
	if len(a)-len(b) > limit || len(b)-len(a) > limit {
		return limit + 1
	}
	for i := range d.rows {
		for len(d.rows[i]) <= len(b) {
			d.rows[i] = append(d.rows[i], 0)
		}
	}
	before, last, row := d.rows[0], d.rows[1], d.rows[2]
	for j := range len(b) + 1 {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		least := i
		for j := 1; j <= len(b); j++ {
			change := 1
			if a[i-1] == b[j-1] {
				change = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+change)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
			least = min(least, row[j])
		}
		if least > limit {
			return limit + 1
		}
		before, last, row = last, row, before
	}
	return min(last[len(b)], limit+1)
}
