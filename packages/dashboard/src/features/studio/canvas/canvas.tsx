// A flow as a plane of nodes: drag nodes, ways out and the plane; zoom by wheel; shift and drag selects.
import { ActionIcon, Button } from '@mantine/core'
import { memo, type PointerEvent, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { IconPlus } from '../../../icons/icons.tsx'
import { texts } from '../../../texts/texts.ts'
import { useChecks } from '../checks/checks.tsx'
import { useNodeCounts } from '../counts/node-counts.tsx'
import { useStudio } from '../draft/use-draft.tsx'
import { moveNode } from '../flows/commands.ts'
import { type FlowEditor, useFlowEditor } from '../flows/flow-editor.tsx'
import type { Graph, GraphNode } from '../flows/flow-graph.ts'
import { type Box, layOut } from '../flows/layout.ts'
import { nodePointer } from '../flows/places.ts'
import { type Path, usePath } from '../path/path.tsx'
import { useUntested } from '../tests/test-results.tsx'
import styles from './canvas.module.css'
import { DrawnLine, Edges, type Line, listLines } from './edges.tsx'
import { Minimap } from './minimap.tsx'
import { type NodeActions, NodeView } from './node-view.tsx'
import { useFlowKeys } from './use-flow-keys.ts'
import {
  overlaps,
  type Size,
  startDrag,
  toFirstView,
  toFit,
  toVisible,
  useViewport,
  type Viewport,
  zoomAt,
} from './viewport.ts'

const t = texts.studio

/** Below this zoom, cards are too small to read. */
const smallZoom = 0.35
const zoomStep = 1.25
/** On a narrower canvas, the map would cover the buttons. */
const minMapWidth = 520

export function Canvas({ graph }: { graph: Graph }) {
  const editor = useFlowEditor()
  const area = useRef<HTMLDivElement>(null)
  const laidOut = useMemo(() => layOut(graph), [graph])
  const [dragged, setDragged] = useState<Map<string, Box> | null>(null)
  const boxes = dragged ?? laidOut
  const plane = useViewport(area, (size) => toFirstView(laidOut.values(), size))
  const { view, size, setView } = plane
  const visible = toVisible(view, size)
  const gestures = useGestures({ graph, boxes, plane, setDragged })
  const show = (x: number, y: number) =>
    setView((known) => known && { ...known, ...toCentred(x, y, known.zoom, size) })
  const reveal = (name: string) => {
    const box = boxes.get(name)
    if (box && !isWithin(box, visible)) show(box.x + box.width / 2, box.y + box.height / 2)
  }
  useReveal(editor, size, reveal)
  const onKeyDown = useFlowKeys({ area, graph, reveal })
  const middle = { x: size.width / 2, y: size.height / 2 }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a region of a page is no section with a heading
    <div
      ref={area}
      className={styles.area}
      role="region"
      aria-label={t.canvas(graph.flow)}
      onPointerDown={gestures.onPlanePointer}
      onKeyDown={onKeyDown}
    >
      {plane.isReady && <Plane {...{ graph, boxes, visible, view, gestures }} />}
      <Controls
        zoom={(factor) => setView((known) => known && zoomAt(known, factor, middle))}
        fit={() => setView(toFit(boxes.values(), size))}
      />
      {plane.isReady && graph.nodes.length > 1 && size.width > minMapWidth && (
        <Minimap boxes={boxes} visible={visible} onCentre={show} />
      )}
    </div>
  )
}

/** Returns the position of the plane with which this point of it is in the middle. */
const toCentred = (x: number, y: number, zoom: number, { width, height }: Size) => ({
  x: width / 2 - x * zoom,
  y: height / 2 - y * zoom,
})

interface PlaneProps {
  graph: Graph
  boxes: Map<string, Box>
  visible: Box
  view: Viewport
  gestures: ReturnType<typeof useGestures>
}

function Plane({ graph, boxes, visible, view, gestures }: PlaneProps) {
  const lines = useMemo(() => listLines(graph, boxes), [graph, boxes])
  const { x, y, zoom } = view
  const rendered = useRendered(visible)
  const { marquee } = gestures
  return (
    <div className={styles.plane} style={{ transform: `translate(${x}px, ${y}px) scale(${zoom})` }}>
      <Edges lines={lines} visible={rendered} />
      {gestures.drawn && <DrawnLine line={gestures.drawn} />}
      <Nodes
        graph={graph}
        boxes={boxes}
        visible={rendered}
        isSmall={zoom < smallZoom}
        actions={gestures.actions}
      />
      {marquee && (
        <div
          className={styles.marquee}
          style={{ left: marquee.x, top: marquee.y, width: marquee.width, height: marquee.height }}
        />
      )}
    </div>
  )
}

/** Returns a larger part of the plane, which most movements leave as it is: they need no rendering then. */
function useRendered({ x, y, width, height }: Box): Box {
  const step = 2 ** Math.ceil(Math.log2(Math.max(width, height, 1) / 3))
  const [left, top] = [x, y].map((at) => Math.floor(at / step) * step) as [number, number]
  const [right, bottom] = [x + width, y + height].map((at) => Math.ceil(at / step) * step) as [
    number,
    number,
  ]
  return useMemo(
    () => ({ x: left, y: top, width: right - left, height: bottom - top }),
    [left, top, right, bottom],
  )
}

const isWithin = (box: Box, { x, y, width, height }: Box) =>
  box.x >= x && box.y >= y && box.x + box.width <= x + width && box.y + box.height <= y + height

/** Shows a node that another part of the page has selected, and again when its form takes a part of the canvas. */
function useReveal(
  { selection: { nodes } }: FlowEditor,
  { width, height }: Size,
  reveal: (node: string) => void,
) {
  const [first] = nodes
  const shown = useRef(reveal)
  shown.current = reveal
  // biome-ignore lint/correctness/useExhaustiveDependencies: another size may hide the node
  useEffect(() => {
    if (first !== undefined) shown.current(first)
  }, [first, width, height])
}

interface ControlsProps {
  zoom: (factor: number) => void
  fit: () => void
}

function Controls({ zoom, fit }: ControlsProps) {
  const { openPalette } = useFlowEditor()
  const { isEditor } = useStudio()
  const stop = (event: PointerEvent) => event.stopPropagation()
  return (
    <div className={styles.controls} onPointerDown={stop}>
      {isEditor && (
        <Button
          size="compact-sm"
          leftSection={<IconPlus size={16} aria-hidden="true" />}
          onClick={() => openPalette({})}
        >
          {texts.common.add}
        </Button>
      )}
      <ActionIcon variant="default" aria-label={t.zoomOut} onClick={() => zoom(1 / zoomStep)}>
        −
      </ActionIcon>
      <ActionIcon variant="default" aria-label={t.zoomIn} onClick={() => zoom(zoomStep)}>
        +
      </ActionIcon>
      <Button variant="default" size="compact-sm" onClick={fit}>
        {t.fit}
      </Button>
    </div>
  )
}

interface NodesProps {
  graph: Graph
  boxes: Map<string, Box>
  visible: Box
  isSmall: boolean
  actions: NodeActions
}

const Nodes = memo(function Nodes({ graph, boxes, visible, isSmall, actions }: NodesProps) {
  const { selection } = useFlowEditor()
  const { problems } = useChecks()
  const path = usePath()
  const { find: findCounts } = useNodeCounts(graph.flow)
  const untested = useUntested()
  const chosen = new Set(selection.nodes)
  const byNode = useMemo(() => groupByNode(problems, graph.flow), [problems, graph.flow])
  return graph.nodes.map((node) => {
    const box = boxes.get(node.name)
    if (!box || !(overlaps(box, visible) || chosen.has(node.name))) return null
    const pointer = nodePointer(graph.flow, node.name)
    return (
      <NodeView
        key={node.name}
        node={node}
        flow={graph.flow}
        x={box.x}
        y={box.y}
        isSelected={chosen.has(node.name)}
        selectedCard={chosen.has(node.name) ? selection.card : undefined}
        problems={byNode.get(pointer) ?? ''}
        passed={describePassed(path, pointer, node)}
        counts={findCounts && t.nodeCounts(findCounts(node.name))}
        isUntested={untested.has(pointer)}
        isSmall={isSmall}
        pointer={pointer}
        actions={actions}
      />
    )
  })
})

/** Returns the cards of a node that the conversation passed, which tries the draft. */
function describePassed({ nodes, cards, last }: Path, pointer: string, { rows }: GraphNode) {
  if (!nodes.has(pointer)) return undefined
  const passed = rows.flatMap(({ card }) => (cards.has(`${pointer}/cards/${card}`) ? [card] : []))
  return ` ${passed.join(' ')} ${last === pointer ? 'last ' : ''}`
}

/** Returns the pointers of problems by the pointer of their node. */
function groupByNode(problems: { pointer: string }[], flow: string): Map<string, string> {
  const groups = new Map<string, string>()
  const prefix = nodePointer(flow, '')
  for (const { pointer } of problems) {
    if (!pointer.startsWith(prefix)) continue
    const end = pointer.indexOf('/', prefix.length)
    const node = end < 0 ? pointer : pointer.slice(0, end)
    groups.set(node, groups.has(node) ? `${groups.get(node)}\n${pointer}` : pointer)
  }
  return groups
}

interface GesturesOptions {
  graph: Graph
  boxes: Map<string, Box>
  plane: ReturnType<typeof useViewport>
  setDragged: (boxes: Map<string, Box> | null) => void
}

/** What the pointer does on the canvas. */
function useGestures(options: GesturesOptions) {
  const editor = useFlowEditor()
  const { edit, isEditor } = useStudio()
  const [drawn, setDrawn] = useState<Pick<Line, 'from' | 'to'> | null>(null)
  const [marquee, setMarquee] = useState<Box | null>(null)
  const latest = useRef({ ...options, editor, edit, isEditor })
  latest.current = { ...options, editor, edit, isEditor }
  const toPlane = useCallback((event: { clientX: number; clientY: number }) => {
    const { toPoint, view } = latest.current.plane
    const { x, y } = toPoint(event)
    return { x: (x - view.x) / view.zoom, y: (y - view.y) / view.zoom }
  }, [])

  const actions = useMemo((): NodeActions => toActions(latest, toPlane, setDrawn), [toPlane])

  const onPlanePointer = (event: PointerEvent) => {
    if (event.button !== 0) return
    const { plane } = latest.current
    if (event.shiftKey) return startMarquee(event)
    const { view, setView } = plane
    startDrag(event, {
      onMove: (dx, dy) => setView({ ...view, x: view.x + dx, y: view.y + dy }),
      onEnd: (isMoved) => {
        if (!isMoved) latest.current.editor.select({ nodes: [], isOpen: false })
      },
    })
  }

  const startMarquee = (begin: PointerEvent) => {
    const from = toPlane(begin)
    const toBox = (event: globalThis.PointerEvent): Box => {
      const to = toPlane(event)
      return {
        x: Math.min(from.x, to.x),
        y: Math.min(from.y, to.y),
        width: Math.abs(from.x - to.x),
        height: Math.abs(from.y - to.y),
      }
    }
    startDrag(begin, {
      onMove: (_dx, _dy, event) => setMarquee(toBox(event)),
      onEnd: (_isMoved, event) => {
        setMarquee(null)
        const { boxes } = latest.current
        const nodes = [...boxes].flatMap(([name, box]) =>
          overlaps(box, toBox(event)) ? [name] : [],
        )
        latest.current.editor.select({ nodes, isOpen: false })
      },
    })
  }
  return { actions, drawn, marquee, onPlanePointer }
}

type Latest = {
  current: GesturesOptions & {
    editor: FlowEditor
    edit: ReturnType<typeof useStudio>['edit']
    isEditor: boolean
  }
}
type ToPlane = (event: { clientX: number; clientY: number }) => { x: number; y: number }

/** Their identity never changes, so that nodes need no update. */
const toActions = (
  latest: Latest,
  toPlane: ToPlane,
  setDrawn: (line: Pick<Line, 'from' | 'to'> | null) => void,
): NodeActions => ({
  onOpenNode: (node) => latest.current.editor.select({ nodes: [node], isOpen: true }),
  onOpenCard: (node, card) => latest.current.editor.select({ nodes: [node], card, isOpen: true }),
  onOpenFlow: (flow) => latest.current.editor.openFlow(flow),
  onFocus(node) {
    const { selection, select } = latest.current.editor
    if (!selection.nodes.includes(node)) select({ nodes: [node], isOpen: selection.isOpen })
  },
  onNodePointer(event, node) {
    event.stopPropagation()
    if (event.button !== 0) return
    const { editor } = latest.current
    if (event.shiftKey) {
      const { nodes } = editor.selection
      const others = nodes.filter((name) => name !== node)
      return editor.select({
        nodes: others.length < nodes.length ? others : [...nodes, node],
        isOpen: false,
      })
    }
    dragNodes(latest, event, node)
  },
  onExitPointer(event, _node, exit) {
    event.stopPropagation()
    event.preventDefault()
    if (event.button !== 0 || !latest.current.isEditor) return
    const from = toPlane(event)
    startDrag(event, {
      onMove: (_dx, _dy, moved) => setDrawn({ from, to: toPlane(moved) }),
      onEnd(isMoved, ended) {
        setDrawn(null)
        if (!isMoved) return
        const target = document.elementFromPoint(ended.clientX, ended.clientY)
        const node = target?.closest<HTMLElement>('[data-node]')?.dataset.node
        const { connectTo, openPalette } = latest.current.editor
        if (node !== undefined) connectTo(exit.pointer, node)
        else openPalette({ exit: exit.pointer, position: toPlane(ended) })
      },
    })
  },
})

/** Moves the selected nodes, or the one under the pointer. */
function dragNodes(latest: Latest, begin: PointerEvent, node: string) {
  const { editor, boxes, plane, graph, isEditor } = latest.current
  const { nodes } = editor.selection
  const names = nodes.includes(node) ? nodes : [node]
  const toMoved = (dx: number, dy: number) =>
    new Map(
      [...boxes].map(([name, box]) => {
        const { zoom } = plane.view
        const isDragged = names.includes(name)
        return [name, isDragged ? { ...box, x: box.x + dx / zoom, y: box.y + dy / zoom } : box]
      }),
    )
  let moved: Map<string, Box> | null = null
  startDrag(begin, {
    onMove(dx, dy) {
      if (!isEditor) return
      moved = toMoved(dx, dy)
      latest.current.setDragged(moved)
    },
    onEnd() {
      latest.current.setDragged(null)
      if (moved) {
        const placed = moved
        latest.current.edit(names.map((name) => moveNode(graph.flow, name, placed.get(name)!)))
      } else if (!nodes.includes(node))
        editor.select({ ...editor.selection, nodes: [node], card: undefined })
    },
  })
}
