package cli

// benchSwapHelp is what dowse bench swap says of itself.
const benchSwapHelp = `Swap measures a model whose weights do not fit into memory, in sizes of memory
that hold --shares of them. Each way runs in a process of its own, in a control
group that holds it to that memory, pages of files included; it needs Linux and a
group that it may make, as root may. The file leaves the page cache before each run.

Ways:
  auto       As people get it: active rows where the model of costs says that they
             pay on this disk, which is measured once, otherwise as streamed.
  drafted    The same with drafts from the text so far, of which a pass checks
             several; one pass reads the same for one token as for many.
  rows       The rows that a token needs are swapped in, from the row pack that
             "dowse models swap" makes. Inputs below a threshold are left out:
             as --sparsity says, or as people get it.
  cold       The same, but the prompt leaves no rows in memory: the first token waits
             for all that it needs.
  groups     Whole groups are read from the row pack, and nothing is left out.
  streamed   Layers come through two buffers; as many as fit are kept.
  mapped     The pack is mapped, and the system reads its pages as they are used.
  beside     The command of --beside, whose last word is its tokens a second. It is told
             DOWSE_PROMPT, DOWSE_TOKENS and DOWSE_THREADS; and its group, DOWSE_GROUP,
             which it may leave while it loads what is no memory of the model's.
             internal/bench/testdata/llamacpp.py measures llama.cpp.

Columns:
  takes           what auto chose
  of weights      memory for the weights, in percent of their 8-bit form
  from, to        tokens a second of the slowest and the fastest round
  ratio           of tokens a second to the mapped way of the same run
  first token     reading the prompt of --prompt tokens of TEXT, to the first token
  tokens a pass   more than 1 with drafts alone
  hits            active rows that were in memory
  preloaded used  rows read ahead that were active
  on demand       active rows that were read when they were wanted
  peak            the most that the control group held, pages of files included

Tables behind that:
  operators   Of the rows way: how many rows that were read ahead were active
              (guessed right: precision), and how many that were not in memory were
              read ahead (misses guessed: recall).
  loads       Rows of channels of all layers are read as they lie with groups of 1,
              2, 4 and 8 layers; with 1 each row is a read. It is of the bundles
              that the residual stream feeds, and takes channels as active in all
              layers of a group.
  caches      Which active rows of TEXT two caches of equal size would hold: those
              that were active most often in its first half (static), and those of
              the text at hand behind a prompt of 128 tokens (contextual). No fixed
              cache holds more than that of the rows to come (best fixed).

Texts are continued greedily, whatever they say. Ways that leave nothing out must
write the same tokens. Speeds are medians of --rounds, in which the ways take turns.

--shape NAME measures a model that you need not have: llama-2-7b, qwen2.5-7b,
smollm2-135m, qwen3-30b-a3b or mixtral-8x7b with random weights, which say nothing
about quality. They are written once, to the cache or to --dir, and take as much of
the disk as the model: --memory holds a part of them. Tokens are drawn at random.
Ways are rows, of which half of the inputs are left out, or as --sparsity says, and
groups, which leaves nothing out. Of a mixture the experts are read that its routers
choose, beside the mapped file. The disk's bound is the tokens a second if the bytes
that were read were all that takes time.`
