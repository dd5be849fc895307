package tui

// selected returns the chosen place.
func (c *conversationPane) selected() (turnPlace, bool) {
	if c.chosen < 0 || c.chosen >= len(c.places) {
		return turnPlace{}, false
	}
	at := c.places[c.chosen]
	return c.turns[at.turn].places[at.at], true
}

// choose chooses a place, or the nearest one, and reveals it.
func (c *conversationPane) choose(i int) {
	c.chosen = min(max(i, 0), len(c.places)-1)
	c.moved = true
	c.reveal()
}

func (c *conversationPane) unchoose() { c.chosen = -1 }

// step chooses the next place or the one before. The first step forward goes to
// the first place in sight, preferably of the last turn; backward to the last
// one in sight.
func (c *conversationPane) step(n int) {
	if c.chosen >= 0 {
		c.choose(c.chosen + n)
		return
	}
	first, last := -1, len(c.places)-1
	for i, p := range c.places {
		switch {
		case p.row < c.top || p.row >= c.top+c.area.h:
		case first < 0, p.turn == len(c.turns)-1 && c.places[first].turn != p.turn:
			first, last = i, i
		default:
			last = i
		}
	}
	if n < 0 || first < 0 {
		first = last
	}
	c.choose(first)
}

// currentTurn returns the chosen place's turn, or else the last.
func (c *conversationPane) currentTurn() int {
	if c.chosen >= 0 {
		return c.places[c.chosen].turn
	}
	return len(c.turns) - 1
}

// nextPlace chooses the turn's next place, the first after the last.
func (c *conversationPane) nextPlace() {
	turn, first := c.currentTurn(), -1
	for i, p := range c.places {
		if p.turn != turn {
			continue
		}
		if first < 0 {
			first = i
		}
		if i > c.chosen {
			c.choose(i)
			return
		}
	}
	if first >= 0 {
		c.choose(first)
	}
}

// chooseNumber chooses the place with number n in the turn's answer.
func (c *conversationPane) chooseNumber(n int) {
	turn := c.currentTurn()
	for i, p := range c.places {
		if p.turn == turn && c.turns[turn].places[p.at].n == n {
			c.choose(i)
			return
		}
	}
}

func (c *conversationPane) scroll(n int) {
	c.top += n
	c.clamp()
	c.moved = c.top < len(c.rows)-c.area.h
}

func (c *conversationPane) clamp() {
	c.top = max(min(c.top, len(c.rows)-c.area.h), 0)
}

func (c *conversationPane) reveal() {
	if c.chosen < 0 {
		return
	}
	row := c.places[c.chosen].row
	c.top = max(min(c.top, row-1), row-c.area.h+1)
	c.clamp()
}

// at returns the place on screen row y, or the one cited there.
func (c *conversationPane) at(y int) (place int, ok bool) {
	i := c.top + y - c.area.y
	if y < c.area.y || i >= len(c.rows) {
		return 0, false
	}
	row := c.rows[i]
	if row.part != placePart && row.part != replyPart {
		return 0, false
	}
	var cited []int
	if row.part == replyPart {
		reply := &c.turns[row.turn].reply
		cited = reply.cited(reply.rows[row.at])
	}
	for at, p := range c.places {
		if p.row == i || p.turn == row.turn && len(cited) > 0 && c.turns[p.turn].places[p.at].n == cited[0] {
			return at, true
		}
	}
	return 0, false
}

// more returns how many rows are above and below the part in sight.
func (c *conversationPane) more() (above, below int) {
	return c.top, max(len(c.rows)-c.top-c.area.h, 0)
}
