// A list of any length: only visible rows are in the document, further pages load while scrolling.
import { Text } from '@mantine/core'
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query'
import { useVirtualizer } from '@tanstack/react-virtual'
import {
  type CSSProperties,
  memo,
  type ReactNode,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { texts } from '../texts/texts.ts'
import { Failed, Loading } from './states.tsx'

export interface Column<Row> {
  title: string
  /** Width in the grid, such as `2fr` or `120px`. */
  width: string
  /** Not shown in a narrow list. */
  wideOnly?: boolean
  /** Takes a separate line in a list as narrow as a phone. */
  fullLine?: boolean
  /** Aligned as numbers are. */
  isNumber?: boolean
  cell: (row: Row) => ReactNode
}

type Wrap<Row> = (row: Row, cells: ReactNode, className: string) => ReactNode

interface RowListProps<Page, Row> {
  label: string
  query: UseInfiniteQueryResult<InfiniteData<Page>>
  getRows: (page: Page) => Row[]
  getKey: (row: Row) => string
  columns: Column<Row>[]
  /** Wraps the cells of a row, for example in a link. */
  wrap?: Wrap<Row>
  empty: ReactNode
}

const rowHeight = 56

const inBlock = (_row: unknown, cells: ReactNode, className: string) => (
  <div className={className}>{cells}</div>
)

export function RowList<Page, Row>(props: RowListProps<Page, Row>) {
  const { query, getRows, empty } = props
  const pages = query.data?.pages
  const rows = useMemo(() => pages?.flatMap(getRows), [pages, getRows])
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = query
  const isFiltered = rows?.length === 0 && hasNextPage
  // `rowsOf` may find rows on later pages only.
  useEffect(() => {
    if (isFiltered && !isFetchingNextPage) void fetchNextPage()
  }, [isFiltered, isFetchingNextPage, fetchNextPage])
  if (!rows && query.error)
    return <Failed error={query.error} retry={() => void query.refetch()} />
  if (!rows) return <Loading />
  return rows.length === 0 ? empty : <Rows {...props} rows={rows} />
}

function Rows<Page, Row>({
  label,
  query,
  rows,
  getKey,
  columns,
  wrap = inBlock,
}: RowListProps<Page, Row> & { rows: Row[] }) {
  const scroller = useRef<HTMLElement>(null)
  const head = useHeight()
  const stableWrap = useStable(wrap)
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    getItemKey: (index) => getKey(rows[index]!),
    overscan: 12,
    // The first rows are there with the first frame, before the list is measured.
    initialRect: { width: 0, height: 600 },
  })
  const items = virtualizer.getVirtualItems()
  const last = items.at(-1)?.index ?? 0
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = query
  useEffect(() => {
    if (last >= rows.length - 15 && hasNextPage && !isFetchingNextPage)
      void fetchNextPage()
  }, [last, rows.length, hasNextPage, isFetchingNextPage, fetchNextPage])
  return (
    <section
      ref={scroller}
      className="rows panel"
      style={{
        flex: 1,
        ...toHeights(virtualizer.getTotalSize() + head.height),
        ...toWidths(columns),
      }}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling area must be reachable by keyboard
      tabIndex={0}
      aria-label={label}
    >
      <div ref={head.ref} className="rows-head row-cells" aria-hidden="true">
        {columns.map(({ title, ...column }) => (
          <span key={title} className={toClass(column)}>
            {title}
          </span>
        ))}
      </div>
      <ul className="rows-canvas" style={{ height: virtualizer.getTotalSize() }}>
        {items.map(({ index, key, start }) => (
          <li
            aria-setsize={hasNextPage ? -1 : rows.length}
            aria-posinset={index + 1}
            key={key}
            data-index={index}
            ref={virtualizer.measureElement}
            className="list-row"
            style={{ transform: `translateY(${start}px)` }}
          >
            <RowContent row={rows[index]!} columns={columns} wrap={stableWrap} />
          </li>
        ))}
      </ul>
      {isFetchingNextPage && (
        <Text p="sm" size="sm" c="dimmed" ta="center">
          {texts.common.loading}
        </Text>
      )}
    </section>
  )
}

/** Callers pass a new function with each render. Without this, a further page would render all rows. */
function useStable<Row>(wrap: Wrap<Row>): Wrap<Row> {
  const latest = useRef(wrap)
  latest.current = wrap
  return useCallback((...values) => latest.current(...values), [])
}

interface RowContentProps<Row> {
  row: Row
  columns: Column<Row>[]
  wrap: Wrap<Row>
}

/** Scrolling moves rows without rendering their content again, which would cost frames. */
const RowContent = memo(function RowContent<Row>({
  row,
  columns,
  wrap,
}: RowContentProps<Row>) {
  const cells = columns.map(({ title, cell, ...column }) => (
    <div key={title} className={toClass(column)}>
      {cell(row)}
    </div>
  ))
  return wrap(row, cells, 'row-cells')
}) as <Row>(props: RowContentProps<Row>) => ReactNode

type Shape = Pick<Column<unknown>, 'width' | 'wideOnly' | 'fullLine' | 'isNumber'>

const toClass = ({ wideOnly, fullLine, isNumber }: Omit<Shape, 'width'>) =>
  [wideOnly ? 'wide-only' : fullLine && 'full-line', isNumber && 'number-cell']
    .filter(Boolean)
    .join(' ') || undefined

const minHeight = 200
const borders = 2

/** The height of an element, which is 0 while it is hidden. */
function useHeight() {
  const ref = useRef<HTMLDivElement>(null)
  const [height, setHeight] = useState(0)
  useEffect(() => {
    const measured = new ResizeObserver(([entry]) =>
      setHeight(Math.ceil(entry!.target.getBoundingClientRect().height)),
    )
    measured.observe(ref.current!)
    return () => measured.disconnect()
  }, [])
  return { ref, height }
}

/** A short list is as tall as its content. */
function toHeights(contentHeight: number) {
  const height = contentHeight + borders
  return { maxHeight: height, minHeight: Math.min(minHeight, height) }
}

/** The widths of the columns by the width of the list: some are hidden or below others. */
function toWidths(columns: Shape[]) {
  const widths = (shown: Shape[]) => shown.map(({ width }) => width).join(' ')
  const narrow = columns.filter(({ wideOnly }) => !wideOnly)
  const isStacked = narrow.some(({ fullLine }) => fullLine)
  return {
    '--columns': widths(columns),
    '--columns-narrow': widths(narrow),
    '--columns-phone': isStacked ? 'minmax(0, 1fr) auto' : widths(narrow),
    '--head-phone': isStacked ? 'none' : 'grid',
  } as CSSProperties
}
