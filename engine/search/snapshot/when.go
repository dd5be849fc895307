package snapshot

import (
	"math"
	"time"

	"dowse/store"
)

// secondsOfDay is how long a day is.
const secondsOfDay = 24 * 60 * 60

// TimeOf returns when a file is dated, or was changed, in unix nanoseconds. A day without a time is the same day
// everywhere, as in what people type.
func TimeOf(f *store.File) int64 {
	if f.Date == 0 {
		return f.ModTime
	}
	return momentOf(f.Date, f.Date%secondsOfDay == 0)
}

// momentOf converts unix seconds to unix nanoseconds, or the nearest number there is. A clock's time is in this person's
// zone.
func momentOf(seconds int64, clock bool) int64 {
	const most = math.MaxInt64 / int64(time.Second)
	if clock {
		t := time.Unix(seconds, 0).UTC()
		seconds = time.Date(t.Year(), t.Month(), t.Day(), t.Hour(), t.Minute(), t.Second(), 0, time.Local).Unix()
	}
	return min(max(seconds, -most), most) * int64(time.Second)
}

// ShownTime returns the time of unix seconds as results show it: what a clock showed stays.
func ShownTime(seconds int64, clock bool) time.Time {
	if seconds == 0 {
		return time.Time{}
	}
	t := time.Unix(seconds, 0)
	if !clock {
		return t
	}
	if t = t.UTC(); t.Equal(t.Truncate(secondsOfDay * time.Second)) {
		return t // a day without a time of day
	}
	return time.Date(t.Year(), t.Month(), t.Day(), t.Hour(), t.Minute(), t.Second(), 0, time.Local)
}
