package swap

// span is a read of neighbouring records: those of channels from to to-1, of which
// some are wanted.
type span struct {
	from, to int
	wanted   []int32 // ascending; first is from, last is to-1
}

// planSpans returns the reads that bring the records of channels, which ascend:
// wanted records are read together across gaps that cost less than a read more. Where
// so many are wanted that all between the first and the last come sooner by reading
// on, that is done. No read is of more than most bytes, unless one record is.
func planSpans(channels []int32, record int, p DiskProfile, most int) []span {
	spans := mergeSpans(channels, p.Gap()/record, max(1, most/record))
	if len(spans) < 2 {
		return spans
	}
	single := 0.0
	for _, s := range spans {
		single += p.Seconds((s.to - s.from) * record)
	}
	all := int(channels[len(channels)-1]-channels[0]) + 1
	if float64(all*record)/p.or().Sequential < single {
		return mergeSpans(channels, all, max(1, most/record))
	}
	return spans
}

// mergeSpans joins records across gaps of at most gap records, up to most records.
func mergeSpans(channels []int32, gap, most int) []span {
	var spans []span
	first := 0
	for i, c := range channels {
		if i+1 < len(channels) {
			next := int(channels[i+1])
			if next-int(c)-1 <= gap && next-int(channels[first]) < most {
				continue
			}
		}
		spans = append(spans, span{from: int(channels[first]), to: int(c) + 1, wanted: channels[first : i+1]})
		first = i + 1
	}
	return spans
}

// spansSeconds returns how long reads take.
func spansSeconds(spans []span, record int, p DiskProfile) float64 {
	total := 0.0
	for _, s := range spans {
		total += p.Seconds((s.to - s.from) * record)
	}
	return total
}
