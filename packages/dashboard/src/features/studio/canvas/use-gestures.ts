// What the pointer does on the canvas: it drags nodes, ways out and the plane, and selects.
import { type PointerEvent, useCallback, useMemo, useRef, useState } from 'react'
import { useStudio } from '../draft/use-draft.tsx'
import { moveNode } from '../flows/commands.ts'
import { type FlowEditor, useFlowEditor } from '../flows/flow-editor.tsx'
import type { Graph } from '../flows/flow-graph.ts'
import type { Box } from '../flows/layout.ts'
import type { Line } from './edges.tsx'
import type { NodeActions } from './node-view.tsx'
import { overlaps, startDrag, type useViewport } from './viewport.ts'

interface GesturesOptions {
  graph: Graph
  boxes: Map<string, Box>
  plane: ReturnType<typeof useViewport>
  setDragged: (boxes: Map<string, Box> | null) => void
}

export function useGestures(options: GesturesOptions) {
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

  const actions = useMemo(
    (): NodeActions => toActions(latest, toPlane, setDrawn),
    [toPlane],
  )

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
  onOpenCard: (node, card) =>
    latest.current.editor.select({ nodes: [node], card, isOpen: true }),
  onOpenFlow: (flow) => latest.current.editor.openFlow(flow),
  onFocus(node) {
    const { selection, select } = latest.current.editor
    if (!selection.nodes.includes(node))
      select({ nodes: [node], isOpen: selection.isOpen })
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
        return [
          name,
          isDragged ? { ...box, x: box.x + dx / zoom, y: box.y + dy / zoom } : box,
        ]
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
        latest.current.edit(
          names.map((name) => moveNode(graph.flow, name, placed.get(name)!)),
        )
      } else if (!nodes.includes(node))
        editor.select({ ...editor.selection, nodes: [node], card: undefined })
    },
  })
}
