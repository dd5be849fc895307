package local

import (
	"os"
	"testing"

	"dowse/engine"
	"dowse/internal/testanswer"
	"dowse/models"
)

// A writer that is read from the disk gives memory back while it writes, and says the
// same; with its memory back it keeps layers again.
func TestAWriterFollowsItsBudgetWhileItWrites(t *testing.T) {
	app := install(t, testanswer.DeepWriterFiles(t))
	info, err := os.Stat(models.PackPath(app.cache, writer))
	if err != nil {
		t.Fatal(err)
	}
	app.memory = info.Size()*17/20 + workingMemory + pastMemory
	a, ledger := newModelAnswerer(t, app)
	ask := func(observe func(engine.Answer)) string {
		t.Helper()
		job := grepJob()
		job.Question, job.Observe = "who wrote grep, and when was that?", observe
		said, err := a.Answer(t.Context(), job)
		if err != nil || said.Problem != "" || said.How != writer {
			t.Fatalf("%+v, %v", said, err)
		}
		return said.Text
	}
	want := ask(nil)
	kept := func() int { return taken(t, a.writer).Decoder.Stats().Kept }
	before := kept()
	small, changes := app.memory-info.Size()/10, 0
	opened := taken(t, a.writer)
	setBudget := func(bytes int64) {
		if err := a.writer.Memory.SetBudget(bytes); err != nil {
			t.Error(err)
		}
		changes++
	}
	said := ask(func(engine.Answer) {
		if changes == 1 {
			setBudget(app.memory)
		} else {
			setBudget(small)
		}
	})
	after := kept()
	if said != want || changes < 2 || before == 0 || after >= before {
		t.Errorf("%q, want %q; after %d changes %d layers are kept of %d", said, want, changes, after, before)
	}
	if now := ledger.Total(); now > small {
		t.Errorf("%d bytes are held of %d", now, small)
	}
	setBudget(app.memory)
	if taken(t, a.writer) != opened {
		t.Error("it was closed, though it could shrink")
	}
	if again := ask(nil); again != want || kept() != before {
		t.Errorf("%q, want %q; %d layers are kept of %d", again, want, kept(), before)
	}
}

// A writer in memory ends its answer, leaves, and is then read from the disk.
func TestAWriterInMemoryLeavesForASmallerBudget(t *testing.T) {
	app := install(t, testanswer.DeepWriterFiles(t))
	info, err := os.Stat(models.PackPath(app.cache, writer))
	if err != nil {
		t.Fatal(err)
	}
	app.memory = 1 << 30
	a, ledger := newModelAnswerer(t, app)
	small := info.Size()*7/10 + workingMemory + pastMemory
	job := grepJob()
	job.Observe = func(engine.Answer) {
		if err := a.writer.Memory.SetBudget(small); err != nil {
			t.Error(err)
		}
	}
	whole, err := a.Answer(t.Context(), job)
	if err != nil || whole.How != writer {
		t.Fatalf("%+v, %v", whole, err)
	}
	if held := ledger.Total(); held > small {
		t.Errorf("%d bytes are held of %d", held, small)
	}
	streamed, err := a.Answer(t.Context(), grepJob())
	if err != nil || streamed.Text != whole.Text {
		t.Errorf("%+v, %v; in memory %q", streamed, err, whole.Text)
	}
	if stats := taken(t, a.writer).Decoder.Stats(); stats.Resident || stats.Window.BytesRead == 0 {
		t.Errorf("%+v", stats)
	}
}
