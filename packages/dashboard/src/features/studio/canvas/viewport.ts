// The part of the plane that the canvas shows: moved and zoomed by mouse, wheel and buttons.
import {
  type PointerEvent,
  type RefObject,
  useCallback,
  useEffect,
  useRef,
  useState,
} from 'react'
import type { Box } from '../flows/layout.ts'

export interface Viewport {
  /** Of the origin of the plane, in pixels of the canvas. */
  x: number
  y: number
  zoom: number
}

const minZoom = 0.08
const maxZoom = 1.5
const margin = 32

export interface Size {
  width: number
  height: number
}

const limitZoom = (zoom: number) => Math.min(Math.max(zoom, minZoom), maxZoom)

/** Returns the view with the whole of the boxes, at most in their natural size. */
export function toFit(boxes: Iterable<Box>, { width, height }: Size): Viewport {
  const all = [...boxes]
  if (all.length === 0) return { x: margin, y: margin, zoom: 1 }
  const left = Math.min(...all.map(({ x }) => x))
  const top = Math.min(...all.map(({ y }) => y))
  const right = Math.max(...all.map((box) => box.x + box.width))
  const bottom = Math.max(...all.map((box) => box.y + box.height))
  const fitting = Math.min(
    (width - 2 * margin) / (right - left),
    (height - 2 * margin) / (bottom - top),
  )
  const zoom = Math.min(limitZoom(fitting), 1)
  return { x: margin - left * zoom, y: margin - top * zoom, zoom }
}

/** Returns the view after a zoom, in which the point of the canvas stays in place. */
export function zoomAt(
  view: Viewport,
  factor: number,
  point: { x: number; y: number },
): Viewport {
  const zoom = limitZoom(view.zoom * factor)
  const ratio = zoom / view.zoom
  return {
    x: point.x - (point.x - view.x) * ratio,
    y: point.y - (point.y - view.y) * ratio,
    zoom,
  }
}

/** Returns the visible part of the plane. */
export const toVisible = ({ x, y, zoom }: Viewport, { width, height }: Size): Box => ({
  x: -x / zoom,
  y: -y / zoom,
  width: width / zoom,
  height: height / zoom,
})

export const overlaps = (one: Box, other: Box) =>
  one.x < other.x + other.width &&
  other.x < one.x + one.width &&
  one.y < other.y + other.height &&
  other.y < one.y + one.height

/** Below this zoom, the text would not be readable, so a flow that is larger begins at its first node. */
const readableZoom = 0.65

export function toFirstView(boxes: Iterable<Box>, size: Size): Viewport {
  const all = [...boxes]
  const fit = toFit(all, size)
  if (fit.zoom >= readableZoom || !all[0]) return fit
  return { x: margin - all[0].x, y: margin - all[0].y, zoom: 1 }
}

export function useViewport(
  area: RefObject<HTMLDivElement | null>,
  first: (size: Size) => Viewport,
) {
  const [size, setSize] = useState<Size>({ width: 0, height: 0 })
  const [view, setView] = useState<Viewport | null>(null)
  const opened = useRef(first)
  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => {
      const { width, height } = entry!.contentRect
      setSize({ width, height })
      setView((known) => known ?? opened.current({ width, height }))
    })
    observer.observe(area.current!)
    return () => observer.disconnect()
  }, [area])
  const toPoint = useCallback(
    ({ clientX, clientY }: { clientX: number; clientY: number }) => {
      const { left, top } = area.current!.getBoundingClientRect()
      return { x: clientX - left, y: clientY - top }
    },
    [area],
  )
  useWheel(area, toPoint, setView)
  const move = useCallback(
    (dx: number, dy: number) =>
      setView((known) => known && { ...known, x: known.x + dx, y: known.y + dy }),
    [],
  )
  return {
    size,
    view: view ?? { x: 0, y: 0, zoom: 1 },
    isReady: view !== null,
    setView,
    move,
    toPoint,
  }
}

/** The browser would scroll or zoom the page. */
function useWheel(
  area: RefObject<HTMLDivElement | null>,
  toPoint: (event: WheelEvent) => { x: number; y: number },
  setView: (change: (known: Viewport | null) => Viewport | null) => void,
) {
  useEffect(() => {
    const element = area.current!
    const onWheel = (event: WheelEvent) => {
      event.preventDefault()
      const point = toPoint(event)
      const { deltaX, deltaY, deltaMode } = event
      const unit = deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1
      setView((known) => {
        if (!known) return known
        if (event.ctrlKey || event.metaKey)
          return zoomAt(known, Math.exp(-deltaY * unit * 0.002), point)
        return { ...known, x: known.x - deltaX * unit, y: known.y - deltaY * unit }
      })
    }
    element.addEventListener('wheel', onWheel, { passive: false })
    return () => element.removeEventListener('wheel', onWheel)
  }, [area, toPoint, setView])
}

interface Drag {
  onMove: (dx: number, dy: number, event: globalThis.PointerEvent) => void
  /** `isMoved` is false after a click. */
  onEnd: (isMoved: boolean, event: globalThis.PointerEvent) => void
}

const clickPixels = 4

/** Follows the pointer until it is released. Distances are from the begin. */
export function startDrag(begin: PointerEvent, { onMove, onEnd }: Drag): void {
  const { clientX, clientY, pointerId } = begin
  let isMoved = false
  const moved = (event: globalThis.PointerEvent) => {
    if (event.pointerId !== pointerId) return
    const [dx, dy] = [event.clientX - clientX, event.clientY - clientY]
    isMoved ||= Math.hypot(dx, dy) > clickPixels
    if (isMoved) onMove(dx, dy, event)
  }
  const ended = (event: globalThis.PointerEvent) => {
    if (event.pointerId !== pointerId) return
    removeEventListener('pointermove', moved)
    removeEventListener('pointerup', ended)
    removeEventListener('pointercancel', ended)
    onEnd(isMoved, event)
  }
  addEventListener('pointermove', moved)
  addEventListener('pointerup', ended)
  addEventListener('pointercancel', ended)
}
