// Attempts of a call after its caller disconnected.
import { expect, test } from 'vitest'
import { Breakers } from '../providers/breakers.ts'
import type { Model } from '../providers/catalog.ts'
import { ProviderTurns, runChain } from './chain.ts'

const model = {
  id: 'local:one',
  provider: { name: 'local', concurrency: 1, timeoutMs: 1_000 },
} as unknown as Model

/** vitest reports an unhandled rejection, which would end the server, as a failure. */
test('handles the failure of a call after its caller disconnected', async () => {
  const deps = { breakers: new Breakers(), turns: new ProviderTurns() }
  const call = { chain: [model], botId: 'bot_1', timeoutMs: null, onFailure: () => {} }
  await expect(
    runChain(deps, { ...call, signal: AbortSignal.abort() }, async ({ signal }) => {
      signal.throwIfAborted()
    }),
  ).rejects.toMatchObject({ kind: 'canceled' })
  await new Promise((resolve) => setTimeout(resolve, 10))
})
