package tui

import (
	"testing"
	"time"

	"dowse/engine"
)

// TestChangeOfTheModelIsShown: the line of progress says how far the index is on its way to
// another model, but while files are indexed, and goes when it is there.
func TestChangeOfTheModelIsShown(t *testing.T) {
	withScreen(t, 100, 24, Options{}, func(t *testing.T, s *screen) {
		tell := func(e engine.Event) { s.fake.events <- e; s.drain() }
		half := &engine.ModelChange{From: "old", To: "new", Done: 3412, All: 20000, Seconds: 720, Working: true}
		const text = "changing the model: 3,412 of 20,000 passages, 12 min left; searches use old until then"
		s.fake.status.Change = half
		tell(engine.Event{Change: half})
		s.shows(text)
		tell(engine.Event{Progress: indexing(time.Now())})
		s.shows("1,204/3,120 files")
		s.hides("changing the model")
		tell(engine.Event{Progress: &engine.Progress{Phase: engine.Idle}})
		s.shows(text)
		s.fake.status.Change = nil
		tell(engine.Event{Change: &engine.ModelChange{To: "new", Over: true}})
		s.hides("changing the model", "searches use")

		s.fake.status.Change = half // as it is when the screen opens
		s.send(statusDone{&s.fake.status, nil})
		s.shows(text)
		s.fake.status.Change = nil
		s.send(statusDone{&s.fake.status, nil})
		s.hides("changing the model")
	})
}
