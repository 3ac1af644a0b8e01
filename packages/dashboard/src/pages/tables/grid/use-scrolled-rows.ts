// The rows that a scrolling area shows. Browsers limit the height of elements, so a long table has a
// shorter one: small movements scroll row by row, large ones go to the place in proportion.
import { type RefObject, useCallback, useLayoutEffect, useRef, useState } from 'react'

export const rowHeight = 34
/** Below the limits of all browsers, in pixels. */
const maxHeight = 8_000_000
/** Rows above and below the visible ones. */
export const overscan = 8

interface View {
  first: number
  last: number
  /** What to subtract from the position of a row in a table of full height. */
  shift: number
  left: number
  width: number
}

export interface ScrolledRows extends View {
  /** Of all rows, in pixels. */
  height: number
  scrollTo: (row: number) => void
}

export function useScrolledRows(
  scroller: RefObject<HTMLElement | null>,
  count: number,
  headHeight: number,
): ScrolledRows {
  const full = count * rowHeight
  const height = Math.min(full, maxHeight)
  /** The position in the area, and in a table of full height. */
  const place = useRef({ at: 0, top: 0 })
  const [view, setView] = useState<View>({
    first: 0,
    last: -1,
    shift: 0,
    left: 0,
    width: 0,
  })

  const show = useCallback(() => {
    const area = scroller.current
    if (!area) return
    const visible = area.clientHeight - headHeight
    const { at, top } = place.current
    const next = {
      first: Math.max(0, Math.floor(top / rowHeight) - overscan),
      last: Math.min(count - 1, Math.ceil((top + visible) / rowHeight) + overscan),
      shift: top - at,
      left: area.scrollLeft,
      width: area.clientWidth,
    }
    setView((before) =>
      Object.entries(next).every(([name, value]) => before[name as keyof View] === value)
        ? before
        : next,
    )
  }, [scroller, count, headHeight])

  useLayoutEffect(() => {
    const area = scroller.current
    if (!area) return
    const follow = () => {
      const visible = area.clientHeight - headHeight
      const at = area.scrollTop
      place.current = { at, top: topAt(at, place.current, { full, height, visible }) }
      show()
    }
    const resized = new ResizeObserver(follow)
    resized.observe(area)
    area.addEventListener('scroll', follow, { passive: true })
    follow()
    return () => {
      resized.disconnect()
      area.removeEventListener('scroll', follow)
    }
  }, [scroller, full, height, headHeight, show])

  const scrollTo = (row: number) => {
    const area = scroller.current
    if (!area) return
    const visible = area.clientHeight - headHeight
    const { at, top } = place.current
    const highest = (row + 1) * rowHeight - visible
    const wanted = Math.max(0, Math.min(Math.max(top, highest), row * rowHeight))
    if (wanted === top) return
    const isNear = full === height || Math.abs(wanted - top) < visible * 2
    area.scrollTop = isNear
      ? at + wanted - top
      : (wanted * (height - visible)) / Math.max(1, full - visible)
    place.current = { at: area.scrollTop, top: wanted }
    show()
  }
  return { ...view, height, scrollTo }
}

interface Heights {
  full: number
  height: number
  visible: number
}

/** Returns the position in a table of full height. Its ends are those of the area. */
function topAt(
  at: number,
  before: { at: number; top: number },
  { full, height, visible }: Heights,
): number {
  const end = Math.max(0, full - visible)
  if (full === height) return Math.min(at, end)
  if (at <= 0) return 0
  if (at >= height - visible - 1) return end
  const moved = at - before.at
  const top =
    Math.abs(moved) < visible * 3
      ? before.top + moved
      : (at * end) / Math.max(1, height - visible)
  return Math.min(end, Math.max(0, top))
}
