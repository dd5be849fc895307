package tui

// selected returns the place that the person chose.
func (c *conversationPane) selected() (turnPlace, bool) {
	if c.chosen < 0 || c.chosen >= len(c.places) {
		return turnPlace{}, false
	}
	at := c.places[c.chosen]
	return c.turns[at.turn].places[at.at], true
}

// choose chooses a place, or the nearest that exists, and brings it into sight.
func (c *conversationPane) choose(i int) {
	c.chosen = min(max(i, 0), len(c.places)-1)
	c.moved = true
	c.reveal()
}

// unchoose chooses none.
func (c *conversationPane) unchoose() { c.chosen = -1 }

// step chooses the next place, or the one before. The first step goes to the first place
// in sight, of the last turn if that has one there; back it goes to the last in sight.
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

// turnInHand returns the turn of the chosen place, or else the last one.
func (c *conversationPane) turnInHand() int {
	if c.chosen >= 0 {
		return c.places[c.chosen].turn
	}
	return len(c.turns) - 1
}

// nextPlace chooses the next place of the turn in hand, after its last the first.
func (c *conversationPane) nextPlace() {
	turn, first := c.turnInHand(), -1
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

// chooseNumber chooses the place that the answer of the turn in hand calls n.
func (c *conversationPane) chooseNumber(n int) {
	turn := c.turnInHand()
	for i, p := range c.places {
		if p.turn == turn && c.turns[turn].places[p.at].n == n {
			c.choose(i)
			return
		}
	}
}

// scroll moves the part in sight.
func (c *conversationPane) scroll(n int) {
	c.top += n
	c.clamp()
	c.moved = c.top < len(c.rows)-c.area.h
}

func (c *conversationPane) clamp() {
	c.top = max(min(c.top, len(c.rows)-c.area.h), 0)
}

// reveal brings the chosen place into sight.
func (c *conversationPane) reveal() {
	if c.chosen < 0 {
		return
	}
	row := c.places[c.chosen].row
	c.top = max(min(c.top, row-1), row-c.area.h+1)
	c.clamp()
}

// at returns the place on screen row y, or that a reply cites there.
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

// more returns how many rows there are above and below the part in sight.
func (c *conversationPane) more() (above, below int) {
	return c.top, max(len(c.rows)-c.top-c.area.h, 0)
}
