// Collects flows, nodes and the report of an import, and makes a document of them. Importers name the
// targets of cards by ids of the source; finishing replaces them by names of nodes.
import { type Card, type CardByType, targetFields } from '../document/card-shapes.ts'
import {
  type AgentNode,
  documentVersion,
  type Flow,
  type FlowDocument,
  type FlowNode,
  type Settings,
} from '../document/document.ts'
import type { Target } from '../document/shapes.ts'
import { ImportError } from './import-error.ts'
import { spreadNodes } from './layout.ts'
import { UniqueNames } from './names.ts'
import { repairDocument } from './repair.ts'
import { type ImportEntry, type ImportReport, shorten } from './report.ts'
import { withoutSecrets } from './secrets.ts'
import { ImportedVariables } from './variables.ts'

type Say = CardByType<'send'>['message']
type AgentFields = Omit<AgentNode, 'type' | 'cards' | 'next' | 'position' | 'description'>

/** Targets of its cards, exits and `next` are ids of the source. */
export interface PlannedNode {
  id: string
  label: string
  cards: Card[]
  next?: string | undefined
  position?: { x: number; y: number } | undefined
  type?: 'end' | 'exit'
  description?: string
  agent?: AgentFields
}

interface PlannedFlow {
  name: string
  label: string
  entry?: string
  description?: string
  nodes: PlannedNode[]
}

interface Imported {
  document: FlowDocument
  report: ImportReport
  /** Texts of files beside the document, by path, such as those of knowledge bases. */
  files: Record<string, string>
}

const maxNodes = 5_000
const maxEntries = 10_000

export class Assembly {
  readonly variables = new ImportedVariables()
  readonly settings: Settings = {}
  languages: FlowDocument['languages']
  readonly #source: string
  readonly #name: string
  readonly #flows = new Map<string, PlannedFlow>()
  readonly #flowNames = new UniqueNames('-', ['error', 'timeout', 'conversationEnd'])
  readonly #baseNames = new UniqueNames('-')
  readonly #bases = new Map<string, { name: string; label: string; documents: string[] }>()
  readonly #actions = new Map<string, NonNullable<FlowDocument['actions']>[string]>()
  readonly #files = new Map<string, string>()
  readonly #entries: (ImportEntry & { node?: string })[] = []
  readonly #secrets = new Set<string>()
  readonly #remarks = new Set<string>()
  #opening: Say | null = null
  #nodeCount = 0

  constructor(source: string, name: string) {
    this.#source = source
    this.#name = shorten(name, 200)
  }

  /** The first flow is `main`; the engine enters built-in ones itself. Returns the name of the flow. */
  addFlow(id: string, label: string, builtIn?: 'error'): string {
    const known = this.#flows.get(id)
    if (known) return known.name
    const name = builtIn ?? this.#flowNames.create(this.#flows.size === 0 ? 'main' : label, 'flow')
    this.#flows.set(id, { name, label, nodes: [] })
    return name
  }

  findFlow(id: string): string | undefined {
    return this.#flows.get(id)?.name
  }

  enterAt(flow: string, node: string): void {
    this.#flows.get(flow)!.entry = node
  }

  /** Adds a note of the source to the description of the flow. */
  describeFlow(flow: string, text: string): void {
    const planned = this.#flows.get(flow)!
    planned.description = [planned.description ?? '', text.trim()]
      .filter(Boolean)
      .join('\n\n')
      .slice(0, 2000)
  }

  addNode(flow: string, node: PlannedNode): void {
    if (++this.#nodeCount > maxNodes)
      throw new ImportError(
        'tooLarge',
        `The bot has more than ${maxNodes} nodes. Export a part of it`,
      )
    this.#flows.get(flow)!.nodes.push(node)
  }

  addNodeOnce(flow: string, node: PlannedNode): void {
    if (!this.#flows.get(flow)!.nodes.some(({ id }) => id === node.id)) this.addNode(flow, node)
  }

  /** A file for a folder beside the document. */
  addFile(path: string, text: string): void {
    this.#files.set(path, text)
  }

  /** `node` is the id of the source. */
  report(entry: ImportEntry & { node?: string }): void {
    if (this.#entries.length < maxEntries) this.#entries.push(entry)
  }

  remark(text: string): void {
    this.#remarks.add(text)
  }

  /** Adds the name of a secret that the file has or needs. */
  addSecret(name: string): void {
    this.#secrets.add(shorten(name, 100))
  }

  /** Returns its name in the document. */
  addKnowledgeBase(key: string, label: string, documents: string[] = []): string {
    const known = this.#bases.get(key)
    const base = known ?? { name: this.#baseNames.create(label, 'knowledge'), label, documents: [] }
    base.documents.push(...documents.filter((one) => !base.documents.includes(one)))
    this.#bases.set(key, base)
    return base.name
  }

  addAction(name: string, action: NonNullable<FlowDocument['actions']>[string]): void {
    this.#actions.set(name, action)
  }

  /** A message at the start of each conversation. */
  openWith(message: Say): void {
    this.#opening = message
  }

  /** Throws ImportError if there is nothing to import, or the document cannot be made valid. */
  finish(): Imported {
    if (this.#nodeCount === 0)
      throw new ImportError(
        'emptyBot',
        'The file has no step that a bot could take. Export another bot',
      )
    this.#addOpening()
    const places = this.#place()
    const cleaned = this.#withoutSecrets(this.#toDocument(places))
    const lost = repairDocument(cleaned)
    for (const { nodes } of Object.values(cleaned.flows)) spreadNodes(nodes)
    for (const { pointer, place, message } of lost)
      this.report({
        result: 'omitted',
        kind: 'card',
        name: pointer,
        place,
        note: `${message} The card keeps its source as a comment: write it again`,
      })
    const files = this.#withoutSecrets(Object.fromEntries(this.#files))
    return { document: cleaned, report: this.#toReport(places), files }
  }

  #addOpening(): void {
    if (this.#opening === null) return
    this.addFlow('opening', 'welcome')
    this.addNode('opening', {
      id: 'opening',
      label: 'welcome',
      cards: [{ type: 'send', message: this.#opening }],
    })
  }

  /** Names the nodes. */
  #place(): Map<string, { flow: string; node: string }> {
    const places = new Map<string, { flow: string; node: string }>()
    for (const flow of this.#flows.values()) {
      const names = new UniqueNames('-')
      const ids = flow.nodes.map(({ id }) => id)
      if (flow.entry === undefined || !ids.includes(flow.entry)) flow.entry = ids[0] ?? ''
      for (const { id, label } of flow.nodes)
        if (!places.has(id)) places.set(id, { flow: flow.name, node: names.create(label, 'node') })
    }
    return places
  }

  #toDocument(places: Map<string, { flow: string; node: string }>): FlowDocument {
    const flows = [...this.#flows.values()].map((flow, index): [string, Flow] => {
      const entryType = index === 0 ? 'start' : 'entry'
      const nodes = flow.nodes.flatMap((node) => toNodes(node, flow, entryType, places))
      const empty: [string, FlowNode][] = [['start', { type: entryType, cards: [] }]]
      const { description } = flow
      return [
        flow.name,
        {
          ...(description && { description }),
          nodes: Object.fromEntries(nodes.length > 0 ? nodes : empty),
        },
      ]
    })
    const variables = this.variables.toDocument()
    return {
      kind: 'bot',
      version: documentVersion,
      ...(Object.keys(this.settings).length > 0 && { settings: this.settings }),
      ...(this.languages && { languages: this.languages }),
      ...(variables && { variables }),
      ...(this.#bases.size > 0 && { knowledgeBases: this.#toKnowledgeBases() }),
      ...(this.#actions.size > 0 && { actions: Object.fromEntries(this.#actions) }),
      ...(this.#opening !== null && {
        triggers: { welcome: { type: 'conversationStarted', flow: this.findFlow('opening') } },
      }),
      flows: Object.fromEntries(flows),
    } as FlowDocument
  }

  #toKnowledgeBases() {
    return Object.fromEntries(
      [...this.#bases.values()].map(({ name, label }) => [name, { description: shorten(label) }]),
    )
  }

  #withoutSecrets<Value>(value: Value, isCode = false): Value {
    const onFound = (name: string) => this.addSecret(name)
    if (typeof value === 'string')
      return withoutSecrets(value, { isCode, onFound }).toWellFormed().replaceAll('\0', '') as Value
    if (Array.isArray(value)) return value.map((one) => this.#withoutSecrets(one)) as Value
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value).map(([name, one]) => [
        name,
        this.#withoutSecrets(one, name === 'code'),
      ]),
    ) as Value
  }

  #toReport(places: Map<string, { flow: string; node: string }>): ImportReport {
    const counts = { carried: 0, changed: 0, omitted: 0 }
    const entries = this.#entries.map(({ node, place, ...entry }): ImportEntry => {
      counts[entry.result]++
      const found = node === undefined ? undefined : places.get(node)
      const at = place ?? (found && `${found.flow}/${found.node}`)
      const name = this.#withoutSecrets(shorten(entry.name, 100))
      const note = entry.note && this.#withoutSecrets(shorten(entry.note, 500), true)
      return {
        result: entry.result,
        kind: shorten(entry.kind, 100),
        name,
        ...(at !== undefined && { place: at }),
        ...(note && { note }),
      }
    })
    return {
      source: this.#source,
      name: this.#name,
      counts,
      entries,
      secrets: [...this.#secrets].slice(0, 200),
      knowledge: [...this.#bases.values()].map(({ name, label, documents }) => ({
        base: name,
        documents: (documents.length > 0 ? documents : [label])
          .slice(0, 200)
          .map((one) => shorten(one)),
      })),
      remarks: [...this.#remarks].slice(0, 200).map((one) => shorten(one, 500)),
    }
  }
}

/** Of the document's schema. */
const maxCards = 200

type Places = Map<string, { flow: string; node: string }>

/** Returns the node; one with too many cards becomes several. */
function toNodes(
  planned: PlannedNode,
  flow: PlannedFlow,
  entryType: 'start' | 'entry',
  places: Places,
): [string, FlowNode][] {
  const place = places.get(planned.id)!
  const resolve = (id: string): Target | null => {
    const found = places.get(id)
    if (!found) return null
    return found.flow === flow.name ? found.node : found
  }
  const leaving = planned.agent || planned.type ? undefined : planned.cards.at(-1)
  // A last card that leads on is the next node.
  const onward = leaving?.type === 'goTo' && typeof leaving.to === 'string' ? leaving.to : undefined
  const given = onward === undefined ? planned.cards : planned.cards.slice(0, -1)
  const cards = given.flatMap((card) => toCards(card, resolve))
  const following = onward ?? planned.next
  const next = following === undefined ? null : resolve(following)
  const isEntry = planned.id === flow.entry
  const last = { ...(next !== null && { next }) }
  const type = isEntry ? entryType : (planned.type ?? 'standard')
  const common = {
    ...(planned.description && { description: planned.description.slice(0, 2000) }),
    ...(planned.position && { position: toPosition(planned.position) }),
  }
  if (planned.agent) {
    const agent = { type: 'agent', ...common, cards, ...last, ...toAgent(planned.agent, resolve) }
    if (!isEntry) return [[place.node, agent as FlowNode]]
    const name = `${place.node.slice(0, 50)}-agent`
    return [
      [place.node, { type: entryType, cards: [], next: name }],
      [name, agent as FlowNode],
    ]
  }
  const ending = type === 'end' || type === 'exit' ? {} : last
  const chunks = Array.from(
    { length: Math.max(1, Math.ceil(cards.length / maxCards)) },
    (_, index) => cards.slice(index * maxCards, (index + 1) * maxCards),
  )
  const toName = (index: number) =>
    index === 0 ? place.node : `${place.node.slice(0, 50)}-part-${index + 1}`
  return chunks.map((chunk, index): [string, FlowNode] => [
    toName(index),
    {
      ...(index === 0 ? { type, ...common } : { type: 'standard' }),
      cards: chunk,
      ...(index === chunks.length - 1 ? ending : { next: toName(index + 1) }),
    } as FlowNode,
  ])
}

/** The bot shows buttons below a question only. */
const withQuestion = (card: Card): Card =>
  card.type === 'capture' &&
  card.question === undefined &&
  (card.kind.endsWith('Choice') || card.kind === 'confirmation')
    ? { ...card, question: 'Please choose:' }
    : card

/** Drops targets that the file does not have. */
function toCards(card: Card, resolve: (id: string) => Target | null): Card[] {
  const copy = { ...withQuestion(card) } as Record<string, unknown>
  for (const name of targetFields) {
    if (typeof copy[name] !== 'string') continue
    const target = resolve(copy[name])
    if (target !== null) copy[name] = target
    else if (name === 'to') return []
    else delete copy[name]
  }
  if (card.type === 'aiTransition') {
    const transitions = card.transitions.flatMap(({ when, to }) => {
      const target = resolve(String(to))
      return target === null ? [] : [{ when, to: target }]
    })
    if (transitions.length === 0) return []
    copy.transitions = transitions.slice(0, 50)
  }
  return [copy as Card]
}

function toAgent(agent: AgentFields, resolve: (id: string) => Target | null): AgentFields {
  const { exits, onFail, ...rest } = agent
  const failing = typeof onFail === 'string' ? resolve(onFail) : null
  return {
    ...rest,
    ...(exits && {
      exits: Object.fromEntries(
        Object.entries(exits).map(([name, { to, ...exit }]) => {
          const target = typeof to === 'string' ? resolve(to) : null
          return [name, { ...exit, ...(target !== null && { to: target }) }]
        }),
      ),
    }),
    ...(failing !== null && { onFail: failing }),
  } as AgentFields
}

const toCoordinate = (value: number) =>
  Math.max(-1_000_000, Math.min(1_000_000, Math.round(Number.isFinite(value) ? value : 0)))
const toPosition = ({ x, y }: { x: number; y: number }) => ({
  x: toCoordinate(x),
  y: toCoordinate(y),
})
