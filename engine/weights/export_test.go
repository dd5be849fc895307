package weights

// LeastRead is the fewest layers that any way of cutting a prompt into rounds
// reads while it is brought through a decoder.
func LeastRead(m Model, limits Limits, tokens int) int {
	r, err := NewRoom(m, limits)
	if err != nil || r.resident {
		return 0
	}
	least := -1
	for rows := BlockRows; ; rows += BlockRows {
		rows := min(rows, tokens)
		if kept, ok := r.keep(r.Conversation(tokens), rows); ok {
			if n := (tokens + rows - 1) / rows * (r.layers - kept); least < 0 || n < least {
				least = n
			}
		}
		if rows == tokens {
			return least
		}
	}
}
