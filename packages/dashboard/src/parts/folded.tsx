// Content behind a summary.
import { Text } from '@mantine/core'
import { type ReactNode, useState } from 'react'

interface FoldedProps {
  title: string
  children: ReactNode
  /** At first. */
  isOpen?: boolean
}

/** Its content loads when it is opened. */
export function Folded({ title, children, isOpen: isOpenAtFirst = false }: FoldedProps) {
  const [isOpen, setOpen] = useState(isOpenAtFirst)
  return (
    <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <Text component="summary" size="sm" mb="xs">
        {title}
      </Text>
      {isOpen && children}
    </details>
  )
}
