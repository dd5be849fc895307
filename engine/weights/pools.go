package weights

import "dowse/engine/kernel"

// Pools of the ledger.
const (
	ResidentPool    = "weights"          // weights of a resident model; of a streamed one what is never streamed
	WindowPool      = "weights.window"   // the two buffers that layers come through
	KeptPool        = "weights.cache"    // layers of a streamed model that stay
	RowsPool        = "embed.lru"        // embedding rows of a streamed model
	HiddenPool      = "acts.hidden"      // hidden states of a pass
	ActivationsPool = kernel.ScratchPool // working memory of a layer
)
