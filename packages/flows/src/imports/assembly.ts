// Collects flows, nodes and the report of an import, and makes a document of them. Importers name the
// targets of cards by ids of the source; finishing replaces them by names of nodes.
import type { CardByType } from '../document/card-shapes.ts'
import {
  documentVersion,
  type Flow,
  type FlowDocument,
  type FlowNode,
  type Settings,
} from '../document/document.ts'
import { ImportError } from './import-error.ts'
import { spreadNodes } from './layout.ts'
import { UniqueNames } from './names.ts'
import {
  type Places,
  type PlannedFlow,
  type PlannedNode,
  toNodes,
} from './planned-nodes.ts'
import { repairDocument } from './repair.ts'
import { type ImportEntry, type ImportReport, shorten } from './report.ts'
import { withoutSecrets } from './secrets.ts'
import { ImportedVariables } from './variables.ts'

type Say = CardByType<'send'>['message']
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
  readonly #bases = new Map<
    string,
    { name: string; label: string; documents: string[] }
  >()
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
    const name =
      builtIn ?? this.#flowNames.create(this.#flows.size === 0 ? 'main' : label, 'flow')
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
    if (!this.#flows.get(flow)!.nodes.some(({ id }) => id === node.id))
      this.addNode(flow, node)
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
    const base = known ?? {
      name: this.#baseNames.create(label, 'knowledge'),
      label,
      documents: [],
    }
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
  #place(): Places {
    const places: Places = new Map()
    for (const flow of this.#flows.values()) {
      const names = new UniqueNames('-')
      const ids = flow.nodes.map(({ id }) => id)
      if (flow.entry === undefined || !ids.includes(flow.entry)) flow.entry = ids[0] ?? ''
      for (const { id, label } of flow.nodes)
        if (!places.has(id))
          places.set(id, { flow: flow.name, node: names.create(label, 'node') })
    }
    return places
  }

  #toDocument(places: Places): FlowDocument {
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
        triggers: {
          welcome: { type: 'conversationStarted', flow: this.findFlow('opening') },
        },
      }),
      flows: Object.fromEntries(flows),
    } as FlowDocument
  }

  #toKnowledgeBases() {
    return Object.fromEntries(
      [...this.#bases.values()].map(({ name, label }) => [
        name,
        { description: shorten(label) },
      ]),
    )
  }

  #withoutSecrets<Value>(value: Value, isCode = false): Value {
    const onFound = (name: string) => this.addSecret(name)
    if (typeof value === 'string')
      return withoutSecrets(value, { isCode, onFound })
        .toWellFormed()
        .replaceAll('\0', '') as Value
    if (Array.isArray(value))
      return value.map((one) => this.#withoutSecrets(one)) as Value
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value).map(([name, one]) => [
        name,
        this.#withoutSecrets(one, name === 'code'),
      ]),
    ) as Value
  }

  #toReport(places: Places): ImportReport {
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
