// The messages between the server and the process of local models.
import type { LocalModel } from './model-folder.ts'

/** The model in the optional packages (included-embeddings.ts). */
interface IncludedModel {
  name: string
  kind: 'included'
}

export type ProcessModel = LocalModel | IncludedModel

export type ModelRequest =
  | { kind: 'open'; models: ProcessModel[] }
  | { kind: 'embed'; model: string; texts: string[] }
  | ({ kind: 'rank' } & RankRequest)

export interface RankRequest {
  model: string
  question: string
  texts: string[]
}

export type ModelMessage =
  | { kind: 'ready' }
  | { kind: 'broken'; name: string; reason: string }
  | ({ kind: 'embedded' } & Embedded)
  | { kind: 'ranked'; scores: number[] }
  | { kind: 'failed'; reason: string }

export interface Embedded {
  /** Unit vectors, in the order of the texts. */
  vectors: Float32Array[]
  tokens: number
}

export interface Encoder {
  /** Returns unit vectors. */
  embed(texts: string[]): Promise<Embedded>
  /** Returns the probability that each text answers the question. */
  rank(question: string, texts: string[]): Promise<number[]>
}

/** By this signal the guard of the process reports the memory limit. */
export const memorySignal = 'SIGUSR2'
