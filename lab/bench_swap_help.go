package main

// benchSwapHelp is what lab bench swap says of itself.
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
             lab/bench/testdata/llamacpp.py measures llama.cpp.

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

Texts are continued greedily, whatever they say. Ways that leave nothing out must
write the same tokens. Speeds are medians of --rounds, in which the ways take turns.`
