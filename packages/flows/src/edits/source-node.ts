import type { Scalar } from 'yaml'

/** A value in the text of a document, with its offsets. */
export interface SourceNode {
  kind: 'map' | 'list' | 'scalar'
  /** With brackets, as all of JSON. */
  isFlow: boolean
  /** Of a scalar or flow collection: without anchor and tag. */
  start: number
  /** Without a comment behind it. */
  end: number
  entries: SourceEntry[]
  isAlias?: boolean
  /** Has an anchor to which an alias refers. */
  isShared?: boolean
  /** How YAML writes it. */
  type?: Scalar.Type | undefined
}

export interface SourceEntry {
  key?: string
  /** Begin of the key, the dash or the item. */
  start: number
  keyEnd: number
  /** Behind the colon or the dash. */
  introEnd: number
  end: number
  value: SourceNode
}
