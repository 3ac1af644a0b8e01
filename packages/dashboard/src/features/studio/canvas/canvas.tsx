// A flow as a plane of nodes: drag nodes, ways out and the plane; zoom by wheel; shift and drag selects.
import { ActionIcon, Button } from '@mantine/core'
import { memo, type PointerEvent, useEffect, useMemo, useRef, useState } from 'react'
import { IconPlus } from '../../../icons/icons.tsx'
import { texts } from '../../../texts/texts.ts'
import { useChecks } from '../checks/checks.tsx'
import { useNodeCounts } from '../counts/node-counts.tsx'
import { useStudio } from '../draft/use-draft.tsx'
import { type FlowEditor, useFlowEditor } from '../flows/flow-editor.tsx'
import type { Graph, GraphNode } from '../flows/flow-graph.ts'
import { type Box, layOut } from '../flows/layout.ts'
import { nodePointer } from '../flows/places.ts'
import { type Path, usePath } from '../path/path.tsx'
import { useUntested } from '../tests/test-results.tsx'
import styles from './canvas.module.css'
import { DrawnLine, Edges, listLines } from './edges.tsx'
import { Minimap } from './minimap.tsx'
import { type NodeActions, NodeView } from './node-view.tsx'
import { useFlowKeys } from './use-flow-keys.ts'
import { useGestures } from './use-gestures.ts'
import {
  overlaps,
  type Size,
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
    if (box && !isWithin(box, visible))
      show(box.x + box.width / 2, box.y + box.height / 2)
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
    <div
      className={styles.plane}
      style={{ transform: `translate(${x}px, ${y}px) scale(${zoom})` }}
    >
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
          style={{
            left: marquee.x,
            top: marquee.y,
            width: marquee.width,
            height: marquee.height,
          }}
        />
      )}
    </div>
  )
}

/** Returns a larger part of the plane, which most movements leave as it is: they need no rendering then. */
function useRendered({ x, y, width, height }: Box): Box {
  const step = 2 ** Math.ceil(Math.log2(Math.max(width, height, 1) / 3))
  const [left, top] = [x, y].map((at) => Math.floor(at / step) * step) as [number, number]
  const [right, bottom] = [x + width, y + height].map(
    (at) => Math.ceil(at / step) * step,
  ) as [number, number]
  return useMemo(
    () => ({ x: left, y: top, width: right - left, height: bottom - top }),
    [left, top, right, bottom],
  )
}

const isWithin = (box: Box, { x, y, width, height }: Box) =>
  box.x >= x &&
  box.y >= y &&
  box.x + box.width <= x + width &&
  box.y + box.height <= y + height

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
      <ActionIcon
        variant="default"
        aria-label={t.zoomOut}
        onClick={() => zoom(1 / zoomStep)}
      >
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

const Nodes = memo(function Nodes({
  graph,
  boxes,
  visible,
  isSmall,
  actions,
}: NodesProps) {
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
function describePassed(
  { nodes, cards, last }: Path,
  pointer: string,
  { rows }: GraphNode,
) {
  if (!nodes.has(pointer)) return undefined
  const passed = rows.flatMap(({ card }) =>
    cards.has(`${pointer}/cards/${card}`) ? [card] : [],
  )
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
