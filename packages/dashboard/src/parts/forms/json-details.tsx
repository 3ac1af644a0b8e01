// JSON behind a summary; it loads when it is opened.
import { Text } from '@mantine/core'
import { useState } from 'react'
import { Json } from './json-view.tsx'

export function JsonDetails({ title, value }: { title: string; value: unknown }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <Text component="summary" size="sm" mb="xs">
        {title}
      </Text>
      {isOpen && <Json label={title} value={value} />}
    </details>
  )
}
