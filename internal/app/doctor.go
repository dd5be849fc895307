package app

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"

	"github.com/dustin/go-humanize"

	"dowse/engine"
	"dowse/engine/answer/local"
	"dowse/engine/kernel"
	"dowse/internal/config"
	"dowse/internal/daemon"
	"dowse/internal/registry"
	"dowse/models"
)

// Level rates a finding.
type Level string

// The levels, from best to worst.
const (
	Fine    Level = "ok"
	Warning Level = "warning" // works, but not as well as it could
	Broken  Level = "broken"  // dowse cannot work
)

// Finding is one thing that the doctor looked at.
type Finding struct {
	Topic  string `json:"topic"`
	Level  Level  `json:"level"`
	Detail string `json:"detail"`
}

// Doctor looks at everything that dowse needs from this machine.
func (a *App) Doctor(ctx context.Context) []Finding {
	access := a.checkAccess() // first, since finding models mends their folder
	findings := []Finding{
		a.checkKernels(),
		a.checkModel(ctx),
		a.checkReranker(ctx),
		a.checkReader(ctx),
		a.checkAnswerer(ctx),
		a.checkPDFium(),
		a.checkOCR(ctx),
		a.checkFolder("index", a.Home.Data),
		a.checkRecords(ctx),
		a.checkConversations(ctx),
		a.checkFolder("cache", a.Home.Cache),
		access,
		a.checkOwner(ctx),
	}
	findings = append(findings, a.checkMedia()...)
	if a.Config.Folders.Model != "" {
		findings = append(findings, a.checkFolderModel(ctx))
	}
	if runtime.GOOS == "linux" {
		findings = append(findings, checkWatches())
	}
	return append(findings, checkEditor())
}

// checkKernels says what the matrix products run on.
func (a *App) checkKernels() Finding {
	f := Finding{Topic: "kernels", Level: Fine}
	k, err := kernel.New(kernel.Options{Library: a.RuntimeLibrary()})
	if err != nil {
		return Finding{"kernels", Broken, err.Error()}
	}
	loadErr := k.LoadRuntime()
	d := k.Describe()
	f.Detail = fmt.Sprintf("%s on %s; %s: %s", d.ISA, runtime.GOARCH, d.Backend, d.Reason)
	if d.Problem != "" || loadErr != nil {
		f.Level = Warning
		f.Detail += "; " + d.Problem
	}
	if os.Getenv(models.RuntimeVariable) != "" {
		if _, err := a.FindRuntime(); err != nil {
			f.Level = Warning
			f.Detail += "; " + err.Error()
		}
	}
	if d.ISA == kernel.Plain {
		f.Level = Warning
		f.Detail += "; this is many times slower than the processor allows: build with cgo and a C compiler"
	}
	if err := k.Close(); err != nil {
		return Finding{"kernels", Warning, err.Error()}
	}
	return f
}

// checkModel reads every byte of the embedder.
func (a *App) checkModel(ctx context.Context) Finding {
	if a.Config.EmbedServer.URL != "" {
		return a.checkEmbedServer(ctx)
	}
	path, err := a.PackPath(a.Config.Model)
	if err != nil {
		return Finding{"model", Broken, err.Error()}
	}
	return checkPack(ctx, "model", a.Config.Model, a.Config.Model, path, Broken)
}

// checkFolderModel reads every byte of the embedder that folders have of their own. Without
// it they are searched by words.
func (a *App) checkFolderModel(ctx context.Context) Finding {
	const topic = "folders"
	own := a.Config.Folders
	m, err := a.FindModel(own.Model)
	if err == nil && m.Role() != models.Embedder {
		err = fmt.Errorf("the model %s is %s, and embeds nothing; dowse models use NAME --folder PATH names another one", m.Name, m.Role().WithArticle())
	}
	if err != nil {
		return Finding{topic, Warning, fmt.Sprintf("%s: %v", strings.Join(own.Paths, ", "), err)}
	}
	f := checkPack(ctx, topic, own.Model, own.Model, m.Path, Warning)
	if f.Level == Fine {
		f.Detail = strings.Join(own.Paths, ", ") + ": " + f.Detail
	}
	return f
}

// checkReranker reads every byte of the reranker. Search works without.
func (a *App) checkReranker(ctx context.Context) Finding {
	if e := a.Config.RerankServer; e.URL != "" {
		return checkServer(ctx, "reranker", registry.ServerOf(e.Endpoint), registry.RerankGets, config.DefaultReranker)
	}
	if a.Config.Reranker == config.NoReranker {
		return Finding{"reranker", Fine, "turned off"}
	}
	m, err := a.FindModel(a.Config.Reranker)
	if err != nil {
		return Finding{"reranker", Warning, err.Error()}
	}
	if m.Role() != models.Reranker {
		return Finding{"reranker", Warning, fmt.Sprintf("the model %s is %s, and scores nothing; name another one with dowse models use", m.Name, m.Role().WithArticle())}
	}
	return checkInstalled(ctx, "reranker", m)
}

// checkReader reads every byte of the model that marks evidence. Without it there are no
// answers, and searches go on.
func (a *App) checkReader(ctx context.Context) Finding {
	m, err := a.FindModel(models.DefaultReader)
	if err != nil {
		return Finding{"reader", Warning, err.Error()}
	}
	return checkInstalled(ctx, "reader", m)
}

// checkAnswerer reads every byte of the answerer. Answers can be extracted
// without.
func (a *App) checkAnswerer(ctx context.Context) Finding {
	const topic = "answerer"
	if a.Config.Endpoint.URL != "" {
		return a.checkEndpoint(ctx)
	}
	name := a.Answerer()
	if name == config.Extract {
		return Finding{topic, Fine, "none; answers are chosen from the passages"}
	}
	m, err := a.FindModel(name)
	if err == nil && m.Role() != models.Answerer {
		err = fmt.Errorf("the model %s is %s, and writes nothing; name another one with dowse models use", m.Name, m.Role().WithArticle())
	}
	if err == nil {
		err = local.CheckTemplate(m.Path)
	}
	if err != nil {
		return Finding{topic, Warning, err.Error()}
	}
	return checkInstalled(ctx, topic, m)
}

// checkInstalled reads every byte of a model that dowse can do without, and says
// what its job is. Its adapter was read when it was found.
func checkInstalled(ctx context.Context, topic string, m models.Installation) Finding {
	owner := m.Name
	if m.Job != nil && m.Job.Base != "" {
		owner = m.Job.Base
	}
	f := checkPack(ctx, topic, m.Name, owner, m.Path, Warning)
	if f.Level == Fine && m.Rows != "" && m.Rows != m.Path {
		if _, err := models.VerifyWeights(ctx, m.Rows); err != nil {
			return Finding{topic, Warning, fmt.Sprintf("%s cannot be used: %v; run dowse models swap %s", m.Rows, err, owner)}
		}
		f.Detail += "; its row pack too"
	}
	if f.Level == Fine && m.Job != nil {
		f.Detail += "; " + registry.SourceOf(m)
	}
	return f
}

// checkPack reads every byte of the pack, or row pack, of a model, whose owner another one may
// be; bad is how bad it is if that fails.
func checkPack(ctx context.Context, topic, name, owner, path string, bad Level) Finding {
	size, err := models.VerifyWeights(ctx, path)
	if err != nil && size == 0 {
		return Finding{topic, bad, fmt.Sprintf("%s cannot be used: %v; run dowse models remove %s and dowse models pull", path, err, owner)}
	}
	if err != nil {
		return Finding{topic, bad, fmt.Sprintf("%s is damaged: %v; run dowse models remove %s and dowse models pull", path, err, owner)}
	}
	return Finding{topic, Fine, fmt.Sprintf("%s, %s, every block as written", name, humanize.Bytes(uint64(size)))}
}

// probeSize is the bytes that the doctor writes to see whether the disk is
// full: an empty file often still fits.
const probeSize = 256 << 10

// checkFolder checks whether dowse may write where it must.
func (a *App) checkFolder(topic, dir string) Finding {
	probe := dir
	for {
		if _, err := os.Stat(probe); err == nil || probe == filepath.Dir(probe) {
			break
		}
		probe = filepath.Dir(probe)
	}
	f, err := os.CreateTemp(probe, ".dowse-*")
	if err != nil {
		return Finding{topic, Broken, fmt.Sprintf("%s cannot be written (%v); set DOWSE_HOME to a folder that can", dir, err)}
	}
	_, err = f.Write(make([]byte, probeSize))
	err = errors.Join(err, f.Close(), os.Remove(f.Name()))
	if errors.Is(err, syscall.ENOSPC) {
		return Finding{topic, Broken, fmt.Sprintf("the disk of %s is full; free some space", dir)}
	}
	if err != nil {
		return Finding{topic, Warning, err.Error()}
	}
	return Finding{topic, Fine, dir}
}

// checkRecords looks at the index as dowse check does.
func (a *App) checkRecords(ctx context.Context) Finding {
	const topic = "records"
	service, err := a.Open(ctx, Read)
	switch {
	case errors.Is(err, errNothingIndexed):
		return Finding{topic, Fine, "none yet; dowse index DIR indexes a folder"}
	case unusable(err):
		return Finding{topic, Broken, err.Error()}
	case err != nil:
		return Finding{topic, Warning, "not looked at: " + err.Error()}
	}
	first := ""
	report, err := service.Check(ctx, func(e engine.Event) {
		if first == "" {
			first = e.Problem
		}
	})
	switch err = errors.Join(err, service.Close()); {
	case err != nil:
		return Finding{topic, Warning, err.Error()}
	case report.Problems > 0:
		return Finding{topic, Broken, fmt.Sprintf("the index has %d problems, such as %s; run dowse index to repair it", report.Problems, first)}
	}
	return Finding{topic, Fine, fmt.Sprintf("of %d files and %d passages, every one as written", report.Files, report.Chunks)}
}

// checkOwner checks whether the index is kept fresh.
func (a *App) checkOwner(ctx context.Context) Finding {
	client, err := daemon.Dial(ctx, a.Home.Socket())
	switch {
	case errors.Is(err, daemon.ErrNobody):
		return Finding{"watch", Fine, "no process keeps the index fresh; dowse watch would"}
	case err != nil:
		return Finding{"watch", Warning, err.Error()}
	}
	st, err := client.Status(ctx)
	if err != nil {
		return Finding{"watch", Warning, err.Error()}
	}
	if !st.Watching {
		return Finding{"watch", Fine, "a process serves the index"}
	}
	return Finding{"watch", Fine, fmt.Sprintf("process %d keeps %d folders fresh", st.Owner, len(st.Roots))}
}

// fewWatches is a limit below which large folders cannot be watched whole.
const fewWatches = 65536

// checkWatches reads the system's limit on watched folders.
func checkWatches() Finding {
	data, err := os.ReadFile("/proc/sys/fs/inotify/max_user_watches")
	if err != nil {
		return Finding{"watches", Warning, fmt.Sprintf("the limit on watched folders is unknown: %v", err)}
	}
	text := strings.TrimSpace(string(data))
	if n, err := strconv.Atoi(text); err == nil && n < fewWatches {
		return Finding{"watches", Warning, text + " folders may be watched; beyond them changes are found by looking every half minute: raise fs.inotify.max_user_watches"}
	}
	return Finding{"watches", Fine, text + " folders may be watched"}
}

// checkEditor says what enter opens.
func checkEditor() Finding {
	for _, name := range []string{"VISUAL", "EDITOR"} {
		if v := os.Getenv(name); v != "" {
			return Finding{"editor", Fine, "$" + name + " is " + v}
		}
	}
	return Finding{"editor", Warning, "neither VISUAL nor EDITOR is set; set EDITOR to the program that should open results"}
}
