package indexer_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"dowse/engine"
	"dowse/indexer"
	"dowse/indexer/document"
	"dowse/indexer/extract/media"
	"dowse/indexer/skip"
	"dowse/internal/testwait"
)

// photo is a picture with a comment, "" of none.
func photo(comment string) string {
	if comment == "" {
		return "\xff\xd8\xff\xda"
	}
	return "\xff\xd8\xff\xfe\x00" + string(rune(len(comment)+2)) + comment + "\xff\xda"
}

// captioner is a program that says the same of every picture, or fails.
type captioner struct {
	asked atomic.Int32
	says  atomic.Pointer[string]
	fails atomic.Pointer[error]
	on    func(ctx context.Context, path string) // called first, unless nil
}

func (c *captioner) read(ctx context.Context, path string) (string, error) {
	c.asked.Add(1)
	if c.on != nil {
		c.on(ctx, path)
	}
	if err := c.fails.Load(); err != nil && *err != nil {
		return "", *err
	}
	if err := ctx.Err(); err != nil {
		return "", err
	}
	return *c.says.Load(), nil
}

// use has pictures read by a captioner, as one of some settings.
func (b *bench) use(c *captioner, settings string) {
	b.t.Helper()
	media.Use(media.Options{Picture: c.read})
	b.t.Cleanup(func() { media.Use(media.Options{}) })
	opts := b.options()
	opts.Programs = settings
	b.index = indexer.New(opts)
}

func newCaptioner(says string) *captioner {
	c := &captioner{}
	c.says.Store(&says)
	return c
}

// problems returns what was told since the last call.
func (b *bench) problems() (list []string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, e := range b.events {
		if e.Problem != "" {
			list = append(list, e.Problem)
		}
	}
	b.events = nil
	return list
}

func TestPicturesAreFoundByWhatWasSaid(t *testing.T) {
	b := newBench(t)
	b.write("a.jpg", photo("Ann on the roof"))
	b.write("b.jpg", photo(""))
	b.write("c.md", "unicorn\n")
	done := b.run(b.root)
	if done.Files != 2 || done.Skipped[string(skip.Picture)] != 1 {
		t.Errorf("%+v", done)
	}
	if text := b.body("a.jpg"); text != "# a\n\nAnn on the roof" {
		t.Errorf("%q", text)
	}
	b.must(os.Chmod(b.path("b.jpg"), 0)) // who opened it again would find it unreadable, unless root
	if done := b.run(b.root); done.Files != 2 || done.Updated != 0 || done.Skipped[string(skip.Picture)] != 1 || done.Skipped[string(skip.Unreadable)] != 0 {
		t.Errorf("%+v", done)
	}
	b.must(os.Chmod(b.path("b.jpg"), 0o600))
	b.must(os.Rename(b.path("a.jpg"), b.path("d.jpg")))
	b.embed.take()
	if done := b.run(b.root); done.Files != 2 || b.body("d.jpg") != "# d\n\nAnn on the roof" {
		t.Errorf("%+v, %q", done, b.body("d.jpg"))
	}
}

// A program is asked once for each file, until the file or the settings change, and never by a search.
func TestProgramsAreAskedOnce(t *testing.T) {
	b, c := newBench(t), newCaptioner("A barn in the rain")
	b.write("a.jpg", photo("Ann on the roof"))
	b.write("b.jpg", photo(""))
	b.run(b.root)
	expect := func(what string, asked int32, files int) {
		t.Helper()
		if done := b.run(b.root); done.Files != files || c.asked.Load() != asked {
			t.Errorf("%s: %d files, asked %d times; want %d, %d", what, done.Files, c.asked.Load(), files, asked)
		}
	}
	b.use(c, "captioner")
	expect("new", 2, 2)
	expect("as it was", 2, 2)
	if text := b.body("a.jpg"); text != "# a\n\nAnn on the roof\n\n## Description\n\nA barn in the rain" {
		t.Errorf("%q", text)
	}
	later := time.Now().Add(time.Hour)
	b.must(os.Chtimes(b.path("b.jpg"), later, later))
	if text, err := b.reading().Text(b.path("b.jpg")); err == nil || c.asked.Load() != 2 {
		t.Errorf("a search had %v, %v, asked %d times", text, err, c.asked.Load())
	}
	expect("touched", 3, 2)
	b.use(c, "another")
	expect("of other settings", 5, 2)
	expect("of the same", 5, 2)
	nothing := ""
	c.says.Store(&nothing)
	b.use(c, "third")
	expect("without words", 7, 1)
	expect("remembered", 7, 1)
	if text := b.body("a.jpg"); text != "# a\n\nAnn on the roof" {
		t.Errorf("%q", text)
	}
}

func TestProgramsThatFail(t *testing.T) {
	for reason, test := range map[skip.Reason]struct {
		err   error
		again int32 // files that are read by the next run
	}{
		skip.Damaged:  {errors.New("caption: exit status 1: no model"), 0},
		skip.TooLong:  {context.DeadlineExceeded, 0},
		skip.NoReader: {document.ErrNoReader, 2},
	} {
		b, c := newBench(t), newCaptioner("A barn in the rain")
		b.write("a.jpg", photo("Ann on the roof"))
		b.write("b.jpg", photo(""))
		b.use(c, "captioner")
		c.fails.Store(&test.err)
		done := b.run(b.root)
		if done.Files != 1 || done.Skipped[string(reason)] != 1 {
			t.Errorf("%s: %+v", reason, done)
		}
		told := strings.Join(b.problems(), "\n")
		if !strings.Contains(told, test.err.Error()) || !strings.Contains(told, b.path("a.jpg")+": ") {
			t.Errorf("%s: told %q", reason, told)
		}
		if text := b.body("a.jpg"); text != "# a\n\nAnn on the roof" {
			t.Errorf("%s: %q", reason, text)
		}
		b.run(b.root)
		if asked := c.asked.Load(); asked != 2+test.again {
			t.Errorf("%s: asked %d times", reason, asked)
		}
		if test.again > 0 { // it is there now
			var none error
			c.fails.Store(&none)
			if done := b.run(b.root); done.Files != 2 || b.body("b.jpg") != "# b\n\n## Description\n\nA barn in the rain" {
				t.Errorf("%s: %+v", reason, done)
			}
			asked := c.asked.Load()
			if b.run(b.root); c.asked.Load() != asked {
				t.Errorf("%s: asked again", reason)
			}
		}
	}
}

// Who ends a run ends the program, and what it did not say costs no file its place.
func TestAProgramEndsWithTheRun(t *testing.T) {
	b, c := newBench(t), newCaptioner("A barn in the rain")
	b.write("a.jpg", photo("Ann on the roof"))
	b.run(b.root)
	ctx, cancel := context.WithCancel(t.Context())
	c.on = func(ctx context.Context, _ string) {
		cancel()
		<-ctx.Done()
	}
	b.use(c, "captioner")
	if _, err := b.index.Run(ctx, []string{b.root}); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	if text := b.body("a.jpg"); text != "# a\n\nAnn on the roof" {
		t.Errorf("%q", text)
	}
	c.on = nil
	if done := b.run(b.root); done.Updated != 1 || !strings.Contains(b.body("a.jpg"), "barn") {
		t.Errorf("%+v, %q", done, b.body("a.jpg"))
	}
}

// What nobody waits long for is there first, and what a program had nothing to say of is not forgotten when a run ends
// early.
func TestNotesComeBeforePictures(t *testing.T) {
	b, c := newBench(t), newCaptioner("")
	b.write("note.md", "unicorn\n")
	b.write("a.jpg", photo(""))
	b.write("b.jpg", photo(""))
	old := time.Now().Add(-time.Hour)
	b.must(os.Chtimes(b.path("note.md"), old, old))
	b.must(os.Chtimes(b.path("b.jpg"), old, old))
	var done atomic.Int64 // files
	b.onEvent = func(e engine.Event) {
		if e.Progress != nil {
			done.Store(int64(e.Progress.FilesDone))
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	c.on = func(ctx context.Context, path string) {
		if path == b.path("b.jpg") {
			// One program runs at a time: the other picture was asked about before, or comes after.
			testwait.Until(t, "the note is done, and the other picture if it was asked about", func() bool {
				return b.files()["note.md"] > 0 && (c.asked.Load() == 1 || done.Load() == 2)
			})
			cancel()
			<-ctx.Done()
		}
	}
	b.use(c, "captioner")
	if _, err := b.index.Run(ctx, []string{b.root}); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	c.on = nil
	if done := b.run(b.root); done.Skipped[string(skip.Picture)] != 2 || c.asked.Load() != 3 {
		t.Errorf("%+v, asked %d times", done, c.asked.Load())
	}
}

// What a program said of a file stays with it in another folder.
func TestAMovedFileIsNotReadByAProgramAgain(t *testing.T) {
	b, c := newBench(t), newCaptioner("A barn in the rain")
	b.write("old/a.jpg", photo("Ann on the roof"))
	b.write("old/b.jpg", photo(""))
	b.use(c, "captioner")
	b.run(b.root)
	before := b.body("old/a.jpg")
	b.must(os.Rename(b.path("old"), b.path("new")))
	if done := b.run(b.root); done.Files != 2 || c.asked.Load() != 2 || b.body("new/a.jpg") != before {
		t.Errorf("%+v, asked %d times, %q", done, c.asked.Load(), b.body("new/a.jpg"))
	}
	b.must(os.Rename(b.path("new/b.jpg"), b.path("new/c.jpg"))) // its name is in its text
	if b.run(b.root); c.asked.Load() != 3 || b.body("new/c.jpg") != "# c\n\n## Description\n\nA barn in the rain" {
		t.Errorf("asked %d times, %q", c.asked.Load(), b.body("new/c.jpg"))
	}
	info, err := os.Stat(b.path("new/a.jpg"))
	b.must(err)
	b.write("new/a.jpg", photo("Tom on the roof")) // another picture of the same size and time
	b.must(os.Chtimes(b.path("new/a.jpg"), info.ModTime(), info.ModTime()))
	b.must(os.Rename(b.path("new/a.jpg"), b.path("a.jpg")))
	if b.run(b.root); c.asked.Load() != 4 || b.body("a.jpg") != "# a\n\nTom on the roof\n\n## Description\n\nA barn in the rain" {
		t.Errorf("asked %d times, %q", c.asked.Load(), b.body("a.jpg"))
	}
}

// While folders are watched, nothing waits for a program.
func TestNotesDoNotWaitForProgramsWhileFoldersAreWatched(t *testing.T) {
	b, c := newBench(t), newCaptioner("A barn in the rain")
	b.write("a.jpg", photo("Ann on the roof"))
	b.write("b.jpg", photo(""))
	b.run(b.root)
	asked, answer := make(chan struct{}), make(chan struct{})
	c.on = func(ctx context.Context, _ string) {
		select {
		case asked <- struct{}{}:
		case <-ctx.Done():
		}
		select {
		case <-answer:
		case <-ctx.Done():
		}
	}
	b.use(c, "captioner")
	ctx, cancel := context.WithCancel(t.Context())
	ready, ended := make(chan struct{}), make(chan error)
	go func() { ended <- b.index.Watch(ctx, []string{b.root}, func() { close(ready) }) }()
	<-ready
	b.told("that wait for programs of yours: 2")
	<-asked
	b.write("note.md", "unicorn\n")
	b.write("d.jpg", photo("Tom and the unicorn"))
	testwait.Until(t, "the note is there", func() bool { return b.files()["note.md"] > 0 && b.files()["d.jpg"] > 0 })
	if text := b.body("a.jpg"); text != "# a\n\nAnn on the roof" {
		t.Errorf("%q", text)
	}
	answer <- struct{}{}
	for range 2 {
		<-asked
		answer <- struct{}{}
	}
	testwait.Until(t, "the pictures are there", func() bool { return len(b.files()) == 4 && b.embeddedWith("barn") == 3 })
	b.must(os.Mkdir(b.path("moved"), 0o700))
	b.must(os.Rename(b.path("d.jpg"), b.path("moved/d.jpg")))
	testwait.Until(t, "the moved picture is there", func() bool { return len(b.files()) == 4 && b.files()["moved/d.jpg"] > 0 })
	if n := c.asked.Load(); n != 3 {
		t.Errorf("asked %d times", n)
	}
	b.write("c.jpg", photo(""))
	<-asked // a program under way ends with the watcher
	cancel()
	if err := <-ended; err != nil && !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	c.on = nil
	if b.run(b.root); c.asked.Load() != 5 || b.body("c.jpg") != "# c\n\n## Description\n\nA barn in the rain" {
		t.Errorf("asked %d times, %q", c.asked.Load(), b.body("c.jpg"))
	}
}

// embeddedWith returns how many texts with a word were embedded.
func (b *bench) embeddedWith(word string) (n int) {
	b.embed.mu.Lock()
	defer b.embed.mu.Unlock()
	for _, text := range b.embed.embedded {
		if strings.Contains(text, word) {
			n++
		}
	}
	return n
}

// A program is not given another file than the one that was opened.
func TestAFileThatChangesWhileItIsRead(t *testing.T) {
	secret := filepath.Join(t.TempDir(), "secret.jpg")
	if err := os.WriteFile(secret, []byte(photo("")), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(path string) error{
		"written": func(path string) error { return os.WriteFile(path, []byte(photo("Another one")), 0o600) },
		"replaced": func(path string) error {
			return errors.Join(os.Remove(path), os.WriteFile(path, []byte(photo("")), 0o600))
		},
		"a link": func(path string) error { return errors.Join(os.Remove(path), os.Symlink(secret, path)) },
		"gone":   os.Remove,
	} {
		b, c := newBench(t), newCaptioner("A barn in the rain")
		b.write("a.jpg", photo(""))
		old := time.Now().Add(-time.Hour)
		b.must(os.Chtimes(b.path("a.jpg"), old, old))
		c.on = func(_ context.Context, path string) { b.must(change(path)) }
		b.use(c, "captioner")
		if done := b.run(b.root); done.Files != 0 || done.Skipped[string(skip.Unreadable)] != 1 {
			t.Errorf("%s: %+v", name, done)
		}
	}
}
