package weights

import "dowse/engine/kernel"

// Pools of the ledger.
const (
	ResidentPool    = "weights"          // weights of a resident model; of a streamed one what is never streamed
	WindowPool      = "weights.window"   // what weights come through on their way: the two buffers of layers; of a Swapper the buffers of reads and of groups
	KeptPool        = "weights.cache"    // what stays of a streamed model's layers, and of a Swapper's rows
	RowsPool        = "embed.lru"        // embedding rows of a streamed model
	HiddenPool      = "acts.hidden"      // hidden states of a pass
	ActivationsPool = kernel.ScratchPool // working memory of a layer
)
