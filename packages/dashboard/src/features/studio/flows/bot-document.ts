// The parts of a document that the page Flows shows. A draft may have any value anywhere, so each part is
// checked before it is used.

export type Json = Record<string, unknown>

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const toObject = (value: unknown): Json => (isObject(value) ? value : {})
export const toList = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])
const toText = (value: unknown) => (typeof value === 'string' ? value : '')

/** A card as the document has it. */
export type Card = Json & { type: string }

export interface FlowNode extends Json {
  type: string
  cards: Card[]
}

export const toCard = (value: unknown): Card => {
  const card = toObject(value)
  return { ...card, type: toText(card.type) }
}

export const toNode = (value: unknown): FlowNode => {
  const node = toObject(value)
  return { ...node, type: toText(node.type), cards: toList(node.cards).map(toCard) }
}

export const listFlows = (document: Json): string[] =>
  Object.keys(toObject(document.flows))

export const findFlow = (document: Json, flow: string): Json =>
  toObject(toObject(document.flows)[flow])

export const listNodes = (
  document: Json,
  flow: string,
): [name: string, node: FlowNode][] =>
  Object.entries(toObject(findFlow(document, flow).nodes)).map(([name, node]) => [
    name,
    toNode(node),
  ])

const scopes = ['conversation', 'user', 'bot'] as const

/** Returns the variables that a card of the flow may read and set, as `scope.name`. */
export function listVariables(document: Json, flow: string | undefined): string[] {
  const ofFlow = flow === undefined ? {} : findFlow(document, flow)
  const inFlow = ['variables', 'inputs', 'outputs'].flatMap((kind) =>
    Object.keys(toObject(ofFlow[kind])),
  )
  const shared = toObject(document.variables)
  return [
    ...[...new Set(inFlow)].map((name) => `workflow.${name}`),
    ...scopes.flatMap((scope) =>
      Object.keys(toObject(shared[scope])).map((name) => `${scope}.${name}`),
    ),
  ]
}

/** Names that a text may contain beside variables. */
export const listReadable = (document: Json, flow: string | undefined): string[] => [
  ...listVariables(document, flow),
  ...Object.keys(toObject(toObject(document.variables).configuration)).map(
    (name) => `env.${name}`,
  ),
  'event.preview',
]

/** Returns the first name that is not taken: `step`, `step2`, `step3`. */
export function freeName(wanted: string, taken: Iterable<string>): string {
  const names = new Set(taken)
  if (!names.has(wanted)) return wanted
  for (let number = 2; ; number++) if (!names.has(wanted + number)) return wanted + number
}
