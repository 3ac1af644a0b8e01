// Vectors of texts, from any endpoint that speaks like OpenAI's (`POST …/embeddings`), when the operator names one: then texts of bots go there.
import { Agent } from 'undici'

export interface EmbeddingsSettings {
  /** To which `/embeddings` is added. */
  url: string
  key: string | null
  model: string
}

export interface Embeddings {
  model: string
  /** In the order of the texts, each of length 1. Throws when there is no answer, or not such a one. */
  embed(texts: string[], timeoutMs: number): Promise<Float32Array[]>
  close(): Promise<void>
}

const mostAnswerBytes = 64 * 1_048_576
const mostDimensions = 16_384

export function openEmbeddings({ url, key, model }: EmbeddingsSettings): Embeddings {
  const agent = new Agent({ connect: { timeout: 5_000 }, headersTimeout: 0, bodyTimeout: 0, maxResponseSize: mostAnswerBytes })
  const place = new URL(`${url}/embeddings`)
  const headers = { 'content-type': 'application/json', ...(key !== null && { authorization: `Bearer ${key}` }) }
  return {
    model,
    async embed(texts, timeoutMs) {
      const body = JSON.stringify({ model, input: texts, encoding_format: 'float' })
      const asked = {
        origin: place.origin,
        path: place.pathname + place.search,
        method: 'POST' as const,
        headers,
        body,
        signal: AbortSignal.timeout(timeoutMs),
      }
      const answer = await agent.request(asked)
      const text = await answer.body.text()
      if (answer.statusCode !== 200) throw new Error(`the source of embeddings answered ${answer.statusCode}: ${text.slice(0, 300)}`)
      return vectorsOf(JSON.parse(text), texts.length)
    },
    close: () => agent.destroy(),
  }
}

function vectorsOf(answer: unknown, count: number): Float32Array[] {
  const data = (answer as { data?: unknown } | null)?.data
  if (!Array.isArray(data) || data.length !== count) throw new Error('the source of embeddings answered with another number of them than it was asked for')
  const vectors: Float32Array[] = []
  for (const [at, one] of data.entries()) vectors[typeof one?.index === 'number' ? one.index : at] = unit(one?.embedding)
  if (vectors.length !== count || new Set(vectors.map((vector) => vector?.length)).size !== 1) throw unlike()
  return vectors
}

function unit(numbers: unknown): Float32Array {
  if (!Array.isArray(numbers) || numbers.length === 0 || numbers.length > mostDimensions) throw unlike()
  const vector = Float32Array.from(numbers)
  const length = Math.hypot(...vector)
  if (!Number.isFinite(length) || length === 0) throw unlike()
  return vector.map((value) => value / length)
}

const unlike = () => new Error('the source of embeddings answered with something else than vectors of one length')
