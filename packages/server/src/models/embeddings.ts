// Vectors of texts, from any endpoint that speaks like OpenAI's (`POST …/embeddings`), when the operator names one: then texts of bots go there.
import { type ModelSettings, openEndpoint } from './endpoint.ts'

export interface Embeddings {
  model: string
  /** In the order of the texts, each of length 1; null for a text that says nothing to the model. Throws when there is no answer, or not such a one. */
  embed(texts: string[], timeoutMs: number): Promise<(Float32Array | null)[]>
  close(): Promise<void>
}

const mostAnswerBytes = 64 * 1_048_576
const mostDimensions = 16_384

export function openEmbeddings({ url, key, model }: ModelSettings): Embeddings {
  const endpoint = openEndpoint({
    url,
    key,
    path: '/embeddings',
    name: 'the source of embeddings',
    mostAnswerBytes,
  })
  return {
    model,
    async embed(texts, timeoutMs) {
      const body = { model, input: texts, encoding_format: 'float' }
      return vectorsOf(await endpoint.ask(body, AbortSignal.timeout(timeoutMs)), texts.length)
    },
    close: () => endpoint.close(),
  }
}

function vectorsOf(answer: unknown, count: number): (Float32Array | null)[] {
  const data = (answer as { data?: unknown } | null)?.data
  if (!Array.isArray(data) || data.length !== count)
    throw new Error('the source of embeddings answered with another number of them than it was asked for')
  const vectors = new Map<number, Float32Array>()
  for (const [at, one] of data.entries())
    vectors.set(typeof one?.index === 'number' ? one.index : at, numbersOf(one?.embedding))
  const inOrder = data.map((_, at) => vectors.get(at))
  if (new Set(inOrder.map((vector) => vector?.length)).size !== 1 || !inOrder[0]) throw unlike()
  return inOrder.map((vector) => unit(vector!))
}

function numbersOf(given: unknown): Float32Array {
  if (!Array.isArray(given) || given.length === 0 || given.length > mostDimensions) throw unlike()
  const numbers = Float32Array.from(given)
  if (!numbers.every(Number.isFinite)) throw unlike()
  return numbers
}

function unit(vector: Float32Array): Float32Array | null {
  const length = Math.hypot(...vector)
  return length === 0 ? null : vector.map((value) => value / length)
}

const unlike = () =>
  new Error('the source of embeddings answered with something else than vectors of one length')
