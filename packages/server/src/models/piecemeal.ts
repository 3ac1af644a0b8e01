// What a source refuses is not the end: one text that is too long must not keep others from their vectors, and nobody may silence the source by sending one.
import type { Embeddings } from './embeddings.ts'
import { EndpointRefused } from './endpoint.ts'

/** How it says that it does not take these texts: one of them is too long for its model, or all together are. Some say 500. */
const refusals = [400, 413, 422, 500]
/** So short a text every model takes. */
const short = 250

/**
 * What is refused together is asked for in halves, and of a text that is refused alone its first half must do; null for one that is refused however short.
 * Throws when the source is to blame: it has no answer, takes no text at all, or needs more than `timeoutMs` for all of it.
 */
export async function embedPiecemeal(
  embeddings: Embeddings,
  texts: string[],
  timeoutMs: number,
): Promise<(Float32Array | null)[]> {
  const until = performance.now() + timeoutMs
  const ask = (some: string[]) => embeddings.embed(some, Math.max(1, Math.ceil(until - performance.now())))
  const askFor = async (some: string[]): Promise<(Float32Array | null)[]> => {
    try {
      return await ask(some)
    } catch (error) {
      if (!(error instanceof EndpointRefused && refusals.includes(error.status))) throw error
      return await less(some)
    }
  }
  const less = async (some: string[]) => {
    const half = Math.ceil(some.length / 2)
    if (some.length > 1) return [...(await askFor(some.slice(0, half))), ...(await askFor(some.slice(half)))]
    const text = some[0]!
    if (text.length > short) return askFor([text.slice(0, text.length / 2).toWellFormed()])
    await ask(['text'])
    return [null]
  }
  return askFor(texts)
}
