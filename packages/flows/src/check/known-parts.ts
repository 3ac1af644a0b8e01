// Computes on parts of documents only once: between two checks, an author changes few of them. Results
// depend on nothing but the content of the part, so a check with known parts finds the same as one without.
import { escapePointer } from '../document/pointer.ts'
import { isObject, type Json } from '../edits/edit.ts'

/** Of all nodes together, as JSON: more than the longest document has. */
const maxCharacters = 6_000_000

/** Nodes of earlier documents by their JSON, the latest last. */
const nodes = new Map<string, Json>()
const shared = new WeakSet<object>()
let characters = 0

/**
 * Returns the document with each node that an earlier one had as the same object, which cannot be changed.
 * The document is a value of JSON.parse.
 */
export const shareNodes = (document: unknown): unknown => mapNodes(document, shareNode)

/** Returns the document, of any form, with other nodes. */
export function mapNodes(
  document: unknown,
  change: (node: Json, pointer: string) => unknown,
): unknown {
  if (!isObject(document) || !isObject(document.flows)) return document
  const flows = mapObjects(document.flows, (flow, name) => {
    if (!isObject(flow.nodes)) return flow
    const pointer = `/flows/${escapePointer(name)}/nodes`
    const toNode = (node: Json, name: string) =>
      change(node, `${pointer}/${escapePointer(name)}`)
    return { ...flow, nodes: mapObjects(flow.nodes, toNode) }
  })
  return { ...document, flows }
}

const mapObjects = (map: Json, change: (value: Json, name: string) => unknown): Json =>
  Object.fromEntries(
    Object.entries(map).map(([name, value]) => [
      name,
      isObject(value) ? change(value, name) : value,
    ]),
  )

function shareNode(node: Json): Json {
  const json = JSON.stringify(node)
  const known = nodes.get(json)
  if (known) nodes.delete(json)
  else {
    freeze(node)
    shared.add(node)
    characters += json.length
  }
  nodes.set(json, known ?? node)
  for (const [oldest] of nodes) {
    if (characters <= maxCharacters) break
    nodes.delete(oldest)
    characters -= oldest.length
  }
  return known ?? node
}

function freeze(value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  Object.freeze(value)
  for (const inner of Object.values(value)) freeze(inner)
}

export const isShared = (part: unknown): part is object => shared.has(part as object)

/** Returns the function, which computes on a shared node only once. */
export function once<Part, Result>(
  compute: (part: Part) => Result,
): (part: Part) => Result {
  const known = new WeakMap<object, { result: Result }>()
  return (part) => {
    if (!isShared(part)) return compute(part)
    const found = known.get(part) ?? { result: compute(part) }
    known.set(part, found)
    return found.result
  }
}

/**
 * Returns pointers in flows, in their order. `find` returns those inside of a node or of another part of a
 * flow, relative to it.
 */
export const findInFlows = (
  flows: Record<string, object>,
  find: (part: unknown) => string[],
): string[] =>
  Object.entries(flows).flatMap(([flow, parts]) =>
    Object.entries(parts).flatMap(([name, part]) => {
      const pointer = `/flows/${escapePointer(flow)}/${escapePointer(name)}`
      const inside =
        name === 'nodes' ? Object.entries(part as object) : [[null, part] as const]
      return inside.flatMap(([node, content]) =>
        find(content).map(
          (found) =>
            (node === null ? pointer : `${pointer}/${escapePointer(node)}`) + found,
        ),
      )
    }),
  )
