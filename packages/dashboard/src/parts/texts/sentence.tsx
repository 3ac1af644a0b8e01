// A sentence of the catalogue with an element in it, such as a link.
import type { ReactNode } from 'react'

interface SentenceProps {
  /** Returns the sentence with this text at the place of the element. */
  text: (element: string) => string
  children: ReactNode
}

const mark = '\0'

export function Sentence({ text, children }: SentenceProps) {
  const [before, after] = text(mark).split(mark)
  return (
    <>
      {before}
      {children}
      {after}
    </>
  )
}
