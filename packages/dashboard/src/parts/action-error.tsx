// The error of an action, beside the button that caused it.
import { Text } from '@mantine/core'
import { explain } from './states.tsx'
import { CodedText } from './texts/coded-text.tsx'

export function ActionError({ error }: { error: unknown }) {
  if (!error) return null
  const { title, hint } = explain(error)
  return (
    <div role="alert">
      <Text size="sm" c="var(--bad)" fw={600}>
        {title}
      </Text>
      {hint && (
        <Text size="sm" c="var(--bad)" className="foreign">
          <CodedText text={hint} />
        </Text>
      )}
    </div>
  )
}
