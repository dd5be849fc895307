package main

import (
	"context"

	"github.com/spf13/cobra"

	"dowse/internal/app"
	"dowse/lab/bench"
	"dowse/lab/measure"
)

// benchExtractRounds is how many rounds are timed.
const benchExtractRounds = 3

func newBenchExtract(s streams) *cobra.Command {
	var opts bench.ExtractOptions
	one := ""
	cmd := &cobra.Command{
		Use:   "extract DIR...",
		Short: "Measure how fast files of each format give their text",
		Long: `Extract takes the text out of the files below the folders, as indexing does, and
says for each format how long that takes, and what it was left out for. Each
format is read by a process of its own on one core, one file after the other.

Columns:
  first round   all files once, those that give no text too, with what is loaded
                for the first: PDFium is loaded or compiled here
  seconds       reading the files that gave text, from the disk's cache, to the text:
                the median of --rounds
  MB/s          of the files, and of their text
  peak MiB      that the process held in memory (VmHWM), with this program itself,
                some 30 MiB, and with what PDFium holds; - where the system is not Linux

--beside runs another program on the same files in the same rounds, a process a
file, as it runs, where it is installed: pdftotext for pdf, pandoc for docx, odt,
epub, rtf, html, ipynb, org and latex, ssconvert for xlsx and ods, the email and
mailbox packages of python3 for eml and mbox.
  ratio         of its seconds to those of dowse
  starts alone  what as many processes take that do nothing
  failed        files that it says it cannot read

Folders that suit it hold what other people made: manuals of Debian's packages
(debian-policy, groff, octave-doc, r-doc-pdf, texlive-lang-japanese, ...), unpacked
with dpkg -x, and test files of Python's packages for office files, mail and
notebooks (python-docx, python-pptx, odfpy, nbconvert, flufl.bounce, pypdf, ...).`,
		Args: cobra.MinimumNArgs(1),
	}
	measures(s, cmd, func(ctx context.Context, a *app.App, dirs []string, progress bench.Progress) (bench.Report, error) {
		if one != "" {
			return measure.With(a).ExtractOne(ctx, one, dirs, opts, progress)
		}
		return measure.With(a).Extract(ctx, dirs, opts, progress)
	})
	f := cmd.Flags()
	f.IntVar(&opts.Rounds, "rounds", benchExtractRounds, "that are timed after the first")
	f.BoolVar(&opts.Beside, "beside", false, "measure other programs on the same files")
	f.StringVar(&one, "one", "", "")
	_ = f.MarkHidden("one") // there is such a flag
	return cmd
}

func newBenchIndex(s streams) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "index DIR...",
		Short: "Measure indexing, beside embedding alone",
		Long: `Index indexes the folders into a home of its own, which it removes afterwards,
embeds the same passages again in the same batches and does nothing else, and
says how much longer indexing took, what each stage of it took, how large the index
is and what this process held in memory. Your own index is not touched.`,
		Args: cobra.MinimumNArgs(1),
	}
	measures(s, cmd, func(ctx context.Context, a *app.App, dirs []string, progress bench.Progress) (bench.Report, error) {
		return measure.With(a).Index(ctx, dirs, progress)
	})
	return cmd
}
