// A sentence of the server, with its parts in backticks as code.
import { Code } from '@mantine/core'
import { Fragment } from 'react'

export const CodedText = ({ text }: { text: string }) =>
  text.split(/`([^`]+)`/).map((part, index) =>
    index % 2 === 1 ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text keep their order
      <Code key={index}>{part}</Code>
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text keep their order
      <Fragment key={index}>{part}</Fragment>
    ),
  )
