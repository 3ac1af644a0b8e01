// A small picture of the whole flow, with a frame around the visible part.
import { memo, type PointerEvent } from 'react'
import type { Box } from '../flows/layout.ts'
import styles from './canvas.module.css'

const [mapWidth, mapHeight] = [168, 112]

interface MinimapProps {
  boxes: Map<string, Box>
  visible: Box
  /** Shows the part of the plane around this point. */
  onCentre: (x: number, y: number) => void
}

export function Minimap({ boxes, visible, onCentre }: MinimapProps) {
  const all = [...boxes.values(), visible]
  const left = Math.min(...all.map(({ x }) => x))
  const top = Math.min(...all.map(({ y }) => y))
  const width = Math.max(...all.map((box) => box.x + box.width)) - left
  const height = Math.max(...all.map((box) => box.y + box.height)) - top
  const scale = Math.max(width / mapWidth, height / mapHeight, 1)
  const centre = ({
    currentTarget,
    clientX,
    clientY,
    buttons,
  }: PointerEvent<SVGSVGElement>) => {
    if (buttons !== 1) return
    const frame = currentTarget.getBoundingClientRect()
    onCentre(left + (clientX - frame.left) * scale, top + (clientY - frame.top) * scale)
  }
  return (
    <svg
      className={styles.minimap}
      width={mapWidth}
      height={mapHeight}
      viewBox={`${left} ${top} ${mapWidth * scale} ${mapHeight * scale}`}
      aria-hidden="true"
      onPointerDown={centre}
      onPointerMove={centre}
    >
      <Miniatures boxes={boxes} />
      <rect {...visible} className={styles.frame} strokeWidth={2 * scale} />
    </svg>
  )
}

const Miniatures = memo(({ boxes }: Pick<MinimapProps, 'boxes'>) =>
  [...boxes].map(([name, box]) => (
    <rect key={name} {...box} rx={12} className={styles.miniature} />
  )),
)
