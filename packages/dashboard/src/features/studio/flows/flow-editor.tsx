// The selection in a flow, and the actions on it, for the canvas, the list and the form beside them.
import {
  createContext,
  type ReactNode,
  useContext,
  useEffect,
  useMemo,
  useState,
} from 'react'
import { useFilter } from '../../../api/filters.ts'
import { type Edit, toPointer } from '../draft/edits.ts'
import { useStudio } from '../draft/use-draft.tsx'
import {
  findFlow,
  freeName,
  type Json,
  listNodes,
  toNode,
  toObject,
} from './bot-document.ts'
import {
  addNode,
  type Copied,
  connect,
  copyCard,
  copyNodes,
  deleteCard,
  deleteNodes,
  insertCard,
  moveCard,
  pasteNodes,
} from './commands.ts'
import { toGraph } from './flow-graph.ts'
import { besideNode, layOut } from './layout.ts'
import { makeCard } from './make-card.ts'
import { nodePointer } from './places.ts'

export interface Selection {
  nodes: string[]
  card?: number | undefined
  /** Whether the form of the node or card is open. */
  isOpen: boolean
}

/** Where a new card or node goes. */
export interface Place {
  /** Of the new card; without it, it gets a new node. */
  node?: string | undefined
  index?: number | undefined
  position?: { x: number; y: number } | undefined
  /** The way out that leads to the new node. */
  exit?: string | undefined
}

/** `asks` is the kind of answer that a question waits for. */
export type NewKind = { card: string; asks?: string } | { node: string }

export interface FlowEditor {
  flow: string
  selection: Selection
  select: (selection: Selection) => void
  /** The place for which the palette is open. */
  place: Place | null
  openPalette: (place: Place | null) => void
  add: (kind: NewKind, place: Place) => void
  connectTo: (exit: string, node: string) => void
  move: (by: -1 | 1) => void
  remove: () => void
  duplicate: () => void
  copy: () => Copied | null
  paste: (copied: Copied) => void
  openFlow: (flow: string) => void
}

const Context = createContext<FlowEditor | null>(null)

export function useFlowEditor(): FlowEditor {
  const editor = useContext(Context)
  if (!editor) throw new Error('This part is outside of a flow')
  return editor
}

const nothing: Selection = { nodes: [], isOpen: false }

interface EditedFlowProps {
  flow: string
  openFlow: (flow: string) => void
  children: ReactNode
}

export function EditedFlow({ flow, openFlow, children }: EditedFlowProps) {
  const { value, edit, isEditor } = useStudio()
  const [selection, select] = useState<Selection>(nothing)
  const [wanted, setWanted] = useFilter('node')
  useEffect(() => {
    if (!wanted) return
    const [node = '', card] = wanted.split('/')
    select({
      nodes: [node],
      card: card === undefined ? undefined : Number(card),
      isOpen: true,
    })
    setWanted('')
  }, [wanted, setWanted])
  const [place, openPalette] = useState<Place | null>(null)
  const editor = useMemo(
    (): FlowEditor => ({
      flow,
      selection: withExisting(value, flow, selection),
      select,
      place,
      openPalette: (wanted) => (isEditor ? openPalette(wanted) : undefined),
      openFlow,
      ...toActions({ value, flow, selection, select, edit: isEditor ? edit : () => {} }),
    }),
    [value, flow, selection, place, openFlow, edit, isEditor],
  )
  return <Context value={editor}>{children}</Context>
}

/** Others may have deleted the selected parts. */
function withExisting(document: Json, flow: string, selection: Selection): Selection {
  const nodes = toObject(findFlow(document, flow).nodes)
  const left = selection.nodes.filter((name) => Object.hasOwn(nodes, name))
  if (left.length === 0) return selection.nodes.length === 0 ? selection : nothing
  const count = toNode(nodes[left[0]!]).cards.length
  const card =
    selection.card !== undefined && selection.card < count ? selection.card : undefined
  return left.length === selection.nodes.length && card === selection.card
    ? selection
    : { ...selection, nodes: left, card }
}

interface Scene {
  value: Json
  flow: string
  selection: Selection
  select: (selection: Selection) => void
  edit: (edits: Edit[]) => void
}

type Actions = Pick<
  FlowEditor,
  'add' | 'connectTo' | 'move' | 'remove' | 'duplicate' | 'copy' | 'paste'
>

const toActions = (scene: Scene): Actions => ({
  add: (kind, place) => add(scene, kind, place),
  connectTo: (exit, node) =>
    scene.edit(connect(exit, scene.flow, { flow: scene.flow, node })),
  move: (by) => move(scene, by),
  remove: () => remove(scene),
  duplicate: () => duplicate(scene),
  copy: () => copy(scene),
  paste: (copied) => paste(scene, copied),
})

function add(scene: Scene, kind: NewKind, place: Place) {
  const { value, flow, edit, select } = scene
  const made = 'card' in kind ? makeCard(value, flow, kind.card, kind.asks) : null
  if (place.node !== undefined && made) {
    const count = toNode(toObject(findFlow(value, flow).nodes)[place.node]).cards.length
    const index = place.index ?? count
    edit([...made.edits, ...insertCard(value, flow, place.node, index, made.card)])
    return select({ nodes: [place.node], card: index, isOpen: true })
  }
  const own = 'node' in kind ? toNewNode(kind.node) : {}
  const { exit, position } = place.exit === undefined ? afterSelected(scene) : place
  const node = { ...own, cards: made ? [made.card] : [], position }
  const { name, edits } = addNode(value, flow, node)
  const joined = exit === undefined ? [] : connect(exit, flow, { flow, node: name })
  edit([...(made?.edits ?? []), ...edits, ...joined])
  select({ nodes: [name], ...(made && { card: 0 }), isOpen: true })
}

/**
 * Returns the place of a new step: after the selected one, if that has a way out that leads nowhere. Beside a
 * step that its author has put somewhere; the layout places the others.
 */
function afterSelected({
  value,
  flow,
  selection,
}: Scene): Pick<Place, 'exit' | 'position'> {
  const graph = toGraph(value, flow)
  const node = graph.nodes.find(({ name }) => name === selection.nodes[0])
  const free = (node?.rows ?? []).flatMap(({ card, exits }) =>
    exits.flatMap(({ pointer, target }) => (target ? [] : [{ card, pointer }])),
  )
  const chosen = free.find(({ card }) => card !== undefined && card === selection.card)
  return {
    exit: (chosen ?? free.at(-1))?.pointer,
    position: node?.position && besideNode(node.name, layOut(graph)),
  }
}

const toNewNode = (type: string) =>
  type === 'agent' ? { type, fields: { instructions: 'Help the user.' } } : { type }

function move({ flow, selection, edit, select }: Scene, by: -1 | 1) {
  const [node] = selection.nodes
  const { card } = selection
  if (node === undefined || card === undefined || card + by < 0) return
  edit(moveCard(flow, node, card, card + by))
  select({ ...selection, card: card + by })
}

function remove({ flow, selection, edit, select }: Scene) {
  const [node] = selection.nodes
  if (node === undefined) return
  if (selection.card !== undefined) {
    edit(deleteCard(flow, node, selection.card))
    return select({ nodes: [node], isOpen: false })
  }
  edit(deleteNodes(flow, selection.nodes))
  select(nothing)
}

function copy({ value, flow, selection }: Scene): Copied | null {
  const [node] = selection.nodes
  if (node === undefined) return null
  return selection.card === undefined
    ? copyNodes(value, flow, selection.nodes)
    : copyCard(value, flow, node, selection.card)
}

function duplicate(scene: Scene) {
  const copied = copy(scene)
  if (copied) paste(scene, copied)
}

/** Cards go behind the selected card, or to the end of the selected node. */
function paste({ value, flow, selection, edit, select }: Scene, copied: Copied) {
  if ('nodes' in copied) {
    const { names, edits } = pasteNodes(value, flow, copied.nodes)
    edit(edits)
    return select({ nodes: names, isOpen: false })
  }
  const [node = listNodes(value, flow)[0]?.[0]] = selection.nodes
  if (node === undefined) return
  const { cards } = toNode(toObject(findFlow(value, flow).nodes)[node])
  const index = selection.card === undefined ? cards.length : selection.card + 1
  const [first, ...others] = copied.cards
  if (!first) return
  edit([
    ...insertCard(value, flow, node, index, first),
    ...others.map(
      (card, each): Edit => ({
        op: 'insert',
        pointer: `${nodePointer(flow, node)}/cards/${index + 1 + each}`,
        value: card,
      }),
    ),
  ])
  select({ nodes: [node], card: index, isOpen: false })
}

/** Returns the edits that add a flow, and its name. */
export function addFlow(document: Json) {
  const flows = toObject(document.flows)
  const name = freeName('flow', Object.keys(flows))
  const nodes = { start: { type: 'entry', cards: [] } }
  const edits: Edit[] = [
    { op: 'insert', pointer: toPointer('flows', name), value: { nodes } },
  ]
  return { name, edits }
}
