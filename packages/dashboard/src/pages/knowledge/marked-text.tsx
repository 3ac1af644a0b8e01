// A text with marked words.
import { Text } from '@mantine/core'
import { Fragment } from 'react'

interface MarkedTextProps {
  text: string
  /** Words as they are written. */
  marked: string[]
}

export function MarkedText({ text, marked }: MarkedTextProps) {
  const words = new Set(marked)
  // Odd parts are words.
  const parts = text.split(/([\p{L}\p{N}\p{M}]+)/u)
  return (
    <Text size="sm" className="foreign wrapped" component="div">
      {parts.map((part, index) =>
        words.has(part) ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text keep their order
          <mark key={index}>{part}</mark>
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text keep their order
          <Fragment key={index}>{part}</Fragment>
        ),
      )}
    </Text>
  )
}
