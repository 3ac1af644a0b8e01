// An error with its stack trace: the frames of the bot, and folded below them those of the server.
import { Code, Text } from '@mantine/core'
import { texts } from '../../texts/texts.ts'
import { splitStack } from './split-stack.ts'

export function StackTrace({ text }: { text: string }) {
  const { own, inner } = splitStack(text)
  return (
    <>
      <Frames text={own} />
      <InnerFrames lines={inner} />
    </>
  )
}

export function InnerFrames({ lines }: { lines: string[] }) {
  if (lines.length === 0) return null
  return (
    <details>
      <Text component="summary" size="xs">
        {texts.trace.innerFrames(lines.length)}
      </Text>
      <Frames text={lines.join('\n')} />
    </details>
  )
}

const Frames = ({ text }: { text: string }) => (
  <Code
    block
    className="foreign scrolled"
    mah={320}
    style={{ overflow: 'auto' }}
    tabIndex={0}
  >
    {text}
  </Code>
)
