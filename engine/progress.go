package engine

import (
	"fmt"
	"time"

	"github.com/dustin/go-humanize"
)

// Timing of an estimate of the time that is left.
const (
	leastRun   = 2 * time.Second // that a run has gone on before anything is said
	leastShare = .01             // that is done by then
)

// Done is the share of the work of a phase that is done; 0 where it is not known.
func (p *Progress) Done() float64 {
	switch {
	case p.Phase == Embedding:
		return float64(p.Chunks) / float64(max(p.ChunksTotal, 1))
	case p.BytesTotal > 0:
		return float64(p.BytesDone) / float64(p.BytesTotal)
	case p.FilesTotal > 0:
		return float64(p.FilesDone) / float64(p.FilesTotal)
	}
	return 0
}

// Left estimates the time that is left at some moment; 0 while it is too early to say. Small files cost more than
// their bytes tell, so that the slower of both counts.
func (p *Progress) Left(now time.Time) time.Duration {
	elapsed, done := now.Sub(p.Started), p.Done()
	if p.FilesTotal > 0 && p.Phase != Embedding {
		done = min(done, float64(p.FilesDone)/float64(p.FilesTotal))
	}
	if p.Started.IsZero() || elapsed < leastRun || done < leastShare || done >= 1 {
		return 0
	}
	return time.Duration(float64(elapsed) * (1 - done) / done)
}

// String is how far indexing has come, for people.
func (p *Progress) String() string {
	if p.Phase == Embedding {
		text := fmt.Sprintf("words: all; meaning: %d%%", int(100*p.Done()))
		if left := p.Left(time.Now()); left > 0 {
			text += ", " + leftText(left.Seconds()) + " left"
		}
		return text
	}
	text := fmt.Sprintf("%s of %s files, the newest first", humanize.Comma(int64(p.FilesDone)), humanize.Comma(int64(p.FilesTotal)))
	if left := p.Left(time.Now()); left > 0 {
		text += ", " + leftText(left.Seconds()) + " left"
	}
	return text
}
