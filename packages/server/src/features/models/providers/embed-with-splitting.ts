// Splits requests that the endpoint rejects: a text that is too long must not block the embeddings
// of others.
import type { Embeddings, EmbedOptions } from './embeddings.ts'
import { EndpointError } from './endpoint.ts'

/** Statuses for texts that are too long, singly or together. Some endpoints use 500. */
const rejections = [400, 413, 422, 500]
/** In characters; every model accepts so short a text. */
const short = 250

/**
 * Embeds texts, and splits rejected batches into halves. A text that is rejected alone is shortened
 * to its first half repeatedly; null for one that is rejected however short. Throws when the
 * endpoint fails: it does not answer, accepts no text at all, or needs more than `timeoutMs` in
 * total.
 */
export async function embedWithSplitting(
  embeddings: Embeddings,
  texts: string[],
  { timeoutMs, ...options }: EmbedOptions,
): Promise<(Float32Array | null)[]> {
  const until = performance.now() + timeoutMs
  const ask = (some: string[]) =>
    embeddings.embed(some, {
      ...options,
      timeoutMs: Math.max(1, Math.ceil(until - performance.now())),
    })
  const askFor = async (some: string[]): Promise<(Float32Array | null)[]> => {
    try {
      return await ask(some)
    } catch (error) {
      if (!(error instanceof EndpointError && rejections.includes(error.status)))
        throw error
      return await split(some)
    }
  }
  const split = async (some: string[]) => {
    const half = Math.ceil(some.length / 2)
    if (some.length > 1)
      return [...(await askFor(some.slice(0, half))), ...(await askFor(some.slice(half)))]
    const text = some[0]!
    if (text.length > short)
      return askFor([text.slice(0, text.length / 2).toWellFormed()])
    await ask(['text'])
    return [null]
  }
  return askFor(texts)
}

/** Splits requests that the endpoint rejects, as `embedWithSplitting`. */
export const withSplitting = (embeddings: Embeddings): Embeddings => ({
  ...embeddings,
  embed: (texts, options) => embedWithSplitting(embeddings, texts, options),
})
