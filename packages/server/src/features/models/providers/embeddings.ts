// Embeddings of texts, by any OpenAI-compatible endpoint (`POST …/embeddings`) that the operator
// configures; texts of bots are sent there.
import type { ModelSettings } from '../../../core/config/index.ts'
import { openEndpoint } from './endpoint.ts'

export interface EmbedOptions {
  timeoutMs: number
  /** The bot with the texts, which is charged; null for a check of the source. */
  botId: string | null
  /** Texts of files. Models on this machine compute questions first. */
  isBackground?: boolean
}

export interface Embeddings {
  model: string
  /**
   * Whether the model knows the language of the text: vectors of other texts find wrong passages.
   * `language` is that of PostgreSQL's text search; null if unknown. Without it, the model knows all
   * languages.
   */
  knows?: (text: string, language: string | null) => boolean
  /**
   * Returns unit vectors in the order of the texts; null for a text with a zero vector. Throws when
   * there is no valid answer.
   */
  embed(texts: string[], options: EmbedOptions): Promise<(Float32Array | null)[]>
  close(): Promise<void>
}

/** Returns the relevance of each text for the question, from 0 to 1. The bot is charged. */
export type Rerank = (
  request: { question: string; texts: string[]; timeoutMs: number },
  botId: string,
) => Promise<number[]>

const maxAnswerBytes = 64 * 1_048_576
const maxDimensions = 16_384

export function openEmbeddings({ url, key, model }: ModelSettings): Embeddings {
  const endpoint = openEndpoint({
    url,
    key,
    path: '/embeddings',
    name: 'the embeddings endpoint',
    maxAnswerBytes,
  })
  return {
    model,
    async embed(texts, { timeoutMs }) {
      const body = { model, input: texts, encoding_format: 'float' }
      return parseVectors(
        await endpoint.request(body, AbortSignal.timeout(timeoutMs)),
        texts.length,
      )
    },
    close: () => endpoint.close(),
  }
}

function parseVectors(answer: unknown, count: number): (Float32Array | null)[] {
  const data = (answer as { data?: unknown } | null)?.data
  if (!Array.isArray(data)) throw wrongCount()
  const inOrder: unknown[] = []
  for (const [at, one] of data.entries())
    inOrder[typeof one?.index === 'number' ? one.index : at] = one?.embedding
  return toUnitVectors(inOrder, count)
}

/** Throws unless there are `count` vectors of one length. */
export function toUnitVectors(given: unknown[], count: number): (Float32Array | null)[] {
  if (given.length !== count) throw wrongCount()
  const vectors = Array.from(given, parseVector)
  if (new Set(vectors.map(({ length }) => length)).size !== 1) throw invalid()
  return vectors.map(unit)
}

const wrongCount = () =>
  new Error(
    'the embeddings endpoint returned another number of embeddings than requested',
  )

function parseVector(given: unknown): Float32Array {
  if (!Array.isArray(given) || given.length === 0 || given.length > maxDimensions)
    throw invalid()
  const numbers = Float32Array.from(given)
  if (!numbers.every(Number.isFinite)) throw invalid()
  return numbers
}

function unit(vector: Float32Array): Float32Array | null {
  const length = Math.hypot(...vector)
  return length === 0 ? null : vector.map((value) => value / length)
}

const invalid = () =>
  new Error('the embeddings endpoint returned values that are not vectors of one length')
