package tui

import "time"

// conversationStates are the frames of conversations.
var conversationStates = []goldenState{
	{"conversations", func(s *screen) { s.fake.remember(time.Now()); s.typed("dns"); s.press("ctrl+g", "down") }},
	{"deleting", func(s *screen) { s.fake.remember(time.Now()); s.press("ctrl+g", "f8") }},
	{"conversation", func(s *screen) { s.fake.remember(time.Now()); s.press("ctrl+g", "enter") }},
	{"place", func(s *screen) { s.fake.remember(time.Now()); s.press("ctrl+g", "enter", "down") }},
	{"writing", func(s *screen) {
		s.fake.remember(time.Now())
		s.fake.answerer = writing()
		s.fake.answerer.drafts, s.fake.answerer.takes = 4, 200*time.Millisecond
		s.press("ctrl+g", "enter")
		s.typed("who wrote it down?")
		s.press("enter")
		s.pass(460 * time.Millisecond)
		s.typed("and")
	}},
	{"began", func(s *screen) { s.press("ctrl+g"); s.typed("porto"); s.press("enter") }},
	{"none", func(s *screen) { s.press("ctrl+g") }},
	{"naming", func(s *screen) {
		s.fake.answerer = flushing()
		s.typed("dns cache")
		s.press("ctrl+r", "ctrl+s")
	}},
	{"kept", func(s *screen) {
		s.fake.remember(time.Now())
		s.fake.answerer = writing()
		s.fake.answerer.says.Generation = s.fake.kept.all[0].Turns[1].Answer.Generation
		s.press("ctrl+g", "enter")
		s.typed("dns")
		s.press("enter", "ctrl+o")
	}},
}
