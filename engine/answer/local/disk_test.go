package local

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"dowse/engine"
	"dowse/engine/answer"
	"dowse/internal/testanswer"
	"dowse/models"
	"dowse/models/pack"
)

// A model whose file is cut while it answers leaves the quotation, with what happened and
// what to do, in either form; nothing that it wrote after the cut is in the answer. One
// that is in memory as a whole ends its answer, and the next one says so.
func TestFileThatIsCutDuringAnAnswer(t *testing.T) {
	for _, form := range []string{"pack", "rows", "in memory"} {
		t.Run(form, func(t *testing.T) {
			app := install(t, testanswer.DeepWriterFiles(t))
			path, says := models.PackPath(app.cache, writer), "its file was changed"
			if form == "rows" {
				_, err := models.Swap(t.Context(), []string{app.cache}, writer, models.SwapOptions{Bits: 8, GroupLayers: 1, Replace: true}, nil)
				if err != nil {
					t.Fatal(err)
				}
				m, err := app.find(writer)
				if err != nil {
					t.Fatal(err)
				}
				path, says = m.Rows, "run dowse models swap again"
			}
			info, err := os.Stat(path)
			if err != nil {
				t.Fatal(err)
			}
			app.memory = info.Size()*7/10 + workingMemory + pastMemory
			if form == "in memory" {
				app.memory, says = 1<<30, "the pack is cut short"
			}
			a, _ := newModelAnswerer(t, app)
			quoting := *a
			quoting.extract = answer.NewExtractor(testanswer.GrepSentence)
			job, cut := grepJob(), false
			job.Observe = func(grown engine.Answer) {
				if grown.Generation != nil && !cut {
					cut = true
					if err := os.Truncate(path, 8192); err != nil {
						t.Error(err)
					}
				}
			}
			said, err := quoting.Answer(t.Context(), job)
			if form == "in memory" { // which the file is read into: the next question sees the cut
				if err != nil || strings.Contains(said.Problem, "cut") || said.Generation == nil {
					t.Fatalf("in memory: %+v, %v", said, err)
				}
				said, err = quoting.Answer(t.Context(), grepJob())
			}
			if err != nil || !cut || said.How != engine.Extracted || said.Text != "Ken Thompson wrote grep overnight. [1]" {
				t.Fatalf("cut %t: %+v, %v", cut, said, err)
			}
			for _, want := range []string{"cut short", says, "dowse models use extract"} {
				if !strings.Contains(said.Problem, want) {
					t.Errorf("said %q, want %q in it", said.Problem, want)
				}
			}
		})
	}
}

// What went wrong while a model answered is said with what to do.
func TestFailuresSayWhatToDo(t *testing.T) {
	w := &Writer{name: writer}
	for says, err := range map[string]error{
		"the disk could not be read":   fmt.Errorf("layer 3: %w", syscall.EIO),
		"its file was changed":         fmt.Errorf("layer 3: %w", pack.ErrCorrupt),
		"the context has no room left": fmt.Errorf("the context has no room left"),
	} {
		if got := w.failed(err).Error(); !strings.Contains(got, says) || !strings.Contains(got, writer) {
			t.Errorf("%v: %q", err, got)
		}
	}
}

// The message about a setting memory that is too small names one that is enough, and no
// more than is needed.
func TestLeastMemoryIsSaid(t *testing.T) {
	if testing.Short() {
		t.Skip("compares numbers, and shares no memory that other tests do not")
	}
	for _, form := range []string{"pack", "rows"} {
		t.Run(form, func(t *testing.T) {
			app := install(t, testanswer.DeepWriterFiles(t))
			if form == "rows" {
				if _, err := models.Swap(t.Context(), []string{app.cache}, writer, models.SwapOptions{Bits: 8, GroupLayers: 1, Replace: true}, nil); err != nil {
					t.Fatal(err)
				}
			}
			answer := func(memory int64) *engine.Answer {
				app.memory = memory << 20
				a, _ := newModelAnswerer(t, app)
				quoting := *a
				quoting.extract = answer.NewExtractor(testanswer.GrepSentence)
				said, err := quoting.Answer(t.Context(), grepJob())
				if err != nil {
					t.Fatal(err)
				}
				return said
			}
			said := answer(1)
			_, number, found := strings.Cut(said.Problem, "at least ")
			var least int64
			if n, _ := fmt.Sscanf(number, "%d MiB, and may take 1 MiB", &least); !found || n != 1 || !strings.Contains(said.Problem, "by the setting memory") {
				t.Fatalf("said %q", said.Problem)
			}
			for memory, answers := range map[int64]bool{least: true, least - 1: false} {
				if said := answer(memory); (said.Generation != nil) != answers {
					t.Errorf("%d MiB of at least %d: %+v", memory, least, said)
				}
			}
		})
	}
}

// A disk without direct reads, as a file system in memory may be one, answers all the same.
func TestWithoutDirectReads(t *testing.T) {
	if testing.Short() {
		t.Skip("compares texts, and shares no memory that other tests do not")
	}
	const inMemory = "/dev/shm"
	if _, err := os.Stat(inMemory); err != nil {
		t.Skip("there is no file system in memory here")
	}
	folder, err := os.MkdirTemp(inMemory, "dowse-test-")
	if err != nil {
		t.Skipf("nothing can be written to %s: %v", inMemory, err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(folder) })
	app := install(t, testanswer.DeepWriterFiles(t))
	if _, err := models.Swap(t.Context(), []string{app.cache}, writer, models.SwapOptions{Bits: 8, GroupLayers: 1, Replace: true}, nil); err != nil {
		t.Fatal(err)
	}
	if err := os.CopyFS(filepath.Join(folder, "cache"), os.DirFS(app.cache)); err != nil {
		t.Fatal(err)
	}
	answer := func(cache string) string {
		t.Helper()
		app.cache, app.memory = cache, workingMemory+pastMemory+9<<20
		a, _ := newModelAnswerer(t, app)
		said, err := a.Answer(t.Context(), grepJob())
		if err != nil || said.How != writer || taken(t, a.writer).Decoder.Stats().Swap.BytesRead == 0 {
			t.Fatalf("in %s: %+v, %v", cache, said, err)
		}
		return said.Text
	}
	if disk, memory := answer(app.cache), answer(filepath.Join(folder, "cache")); disk != memory {
		t.Errorf("%q, and without direct reads %q", disk, memory)
	}
}
