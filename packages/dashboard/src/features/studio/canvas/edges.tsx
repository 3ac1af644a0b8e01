// The lines from the ways out of nodes to other nodes.
import { memo } from 'react'
import type { Graph } from '../flows/flow-graph.ts'
import { type Box, headHeight, nodeWidth, toPorts } from '../flows/layout.ts'
import styles from './canvas.module.css'
import { overlaps } from './viewport.ts'

export interface Line {
  pointer: string
  from: { x: number; y: number }
  to: { x: number; y: number }
}

/** Returns the lines of a flow, also to the node itself. Targets in other flows have none. */
export function listLines({ flow, nodes }: Graph, boxes: Map<string, Box>): Line[] {
  return nodes.flatMap((node) => {
    const box = boxes.get(node.name)!
    const ports = toPorts(node)
    return node.rows.flatMap(({ exits }) =>
      exits.flatMap(({ pointer, target }) => {
        const end = target?.flow === flow ? boxes.get(target.node ?? '') : undefined
        if (!end) return []
        const from = { x: box.x + nodeWidth, y: box.y + ports.get(pointer)! }
        return [{ pointer, from, to: { x: end.x, y: end.y + headHeight / 2 } }]
      }),
    )
  })
}

/** Lines that lead back go around: far from the nodes between. */
export function toPath({ from, to }: Pick<Line, 'from' | 'to'>): string {
  const reach = to.x >= from.x ? Math.max((to.x - from.x) / 2, 40) : 90
  const { x, y } = from
  return `M${x},${y}C${x + reach},${y} ${to.x - reach},${to.y} ${to.x},${to.y}`
}

const toBounds = ({ from, to }: Line): Box => ({
  x: Math.min(from.x, to.x) - 100,
  y: Math.min(from.y, to.y) - 4,
  width: Math.abs(from.x - to.x) + 200,
  height: Math.abs(from.y - to.y) + 8,
})

interface EdgesProps {
  lines: Line[]
  visible: Box
}

export const Edges = memo(function Edges({ lines, visible }: EdgesProps) {
  return (
    <svg className={styles.edges} width={1} height={1} aria-hidden="true">
      <defs>
        <marker
          id="studio-arrow"
          viewBox="0 0 8 8"
          refX={7}
          refY={4}
          markerWidth={7}
          markerHeight={7}
          orient="auto"
        >
          <path d="M0,0L8,4L0,8z" className={styles.arrow} />
        </marker>
      </defs>
      {lines.map((line) =>
        overlaps(toBounds(line), visible) ? (
          <Edge key={line.pointer} path={toPath(line)} />
        ) : null,
      )}
    </svg>
  )
})

/** The line that is being drawn. */
export const DrawnLine = ({ line }: { line: Pick<Line, 'from' | 'to'> }) => (
  <svg className={styles.edges} width={1} height={1} aria-hidden="true">
    <path d={toPath(line)} className={styles.drawn} />
  </svg>
)

const Edge = memo(({ path }: { path: string }) => (
  <path d={path} className={styles.edge} markerEnd="url(#studio-arrow)" />
))
