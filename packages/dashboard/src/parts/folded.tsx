// Content behind a summary.
import { Text } from '@mantine/core'
import { type ReactNode, useState } from 'react'

/** Its content loads when it is opened. */
export function Folded({ title, children }: { title: string; children: ReactNode }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <Text component="summary" size="sm" mb="xs">
        {title}
      </Text>
      {isOpen && children}
    </details>
  )
}
