// Values that all conversions of nodes share.
import type { Card } from '../../document/card-shapes.ts'
import type { Assembly } from '../assembly.ts'
import type { Graph } from '../graph.ts'
import type { Json } from '../reading.ts'
import type { ImportResult } from '../report.ts'
import type { DifyTexts } from './texts.ts'

export interface DifyContext {
  bot: Assembly
  texts: DifyTexts
  graph: Graph
  hasMemory: boolean
  nodes: Json[]
}

/** Cards of a node. The result and the note are those of its kind unless they are given. */
export interface Step {
  cards: Card[]
  /** Of a node with several outputs. */
  next?: string | undefined
  result?: ImportResult
  note?: string
}
