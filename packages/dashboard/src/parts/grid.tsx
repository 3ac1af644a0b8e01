// A table of few rows, which scrolls sideways on a phone.
import { Table } from '@mantine/core'
import { isValidElement, type ReactNode } from 'react'

interface GridProps {
  head: string[]
  /** The first cell of a row is its key, or has it. */
  rows: ReactNode[][]
  /** Of the scrolling area. */
  label?: string
}

export function Grid({ head, rows, label }: GridProps) {
  return (
    <Table.ScrollContainer
      minWidth={300}
      mah={420}
      scrollAreaProps={{ viewportProps: { tabIndex: 0, 'aria-label': label } }}
    >
      <Table>
        <Table.Thead>
          <Table.Tr>
            {head.map((title) => (
              <Table.Th key={title}>{title}</Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((cells) => (
            <Table.Tr key={getKey(cells[0])}>
              {cells.map((cell, at) => (
                <Table.Td key={head[at]} className="foreign grid-cell">
                  {cell}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}

const getKey = (cell: ReactNode) => (isValidElement(cell) ? cell.key : String(cell))
