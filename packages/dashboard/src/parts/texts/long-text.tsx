// Text of any length: its beginning, and on demand the rest.
import { Button, Text } from '@mantine/core'
import { useState } from 'react'
import { texts } from '../../texts/texts.ts'

export const maxLength = 4_000

const isLong = (text: string) => text.length > maxLength
export const toBeginning = (text: string) =>
  isLong(text) ? `${text.slice(0, maxLength)} …` : text

interface LongTextProps {
  text: string
  /** The first lines, inside a button that opens the whole. */
  isFixed?: boolean
}

export function LongText({ text, isFixed = false }: LongTextProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Text
        size="sm"
        className="foreign wrapped"
        component="div"
        {...(isFixed && { lineClamp: 6 })}
      >
        {isOpen ? text : toBeginning(text)}
      </Text>
      {isLong(text) && !isFixed && !isOpen && (
        <Button size="compact-xs" variant="default" onClick={() => setOpen(true)}>
          {texts.common.showAll(text.length)}
        </Button>
      )}
    </>
  )
}
