// A value to copy, such as a key or a URL.
import { Button, Code, CopyButton, Group } from '@mantine/core'
import { texts } from '../texts/texts.ts'

export function CopyField({ value }: { value: string }) {
  return (
    <Group gap="xs" wrap="nowrap" align="center">
      <Code className="foreign" style={{ flex: 1 }}>
        {value}
      </Code>
      <CopyButton value={value}>
        {({ copied, copy }) => (
          <Button size="compact-sm" variant="default" onClick={copy} aria-live="polite">
            {copied ? texts.common.copied : texts.common.copy}
          </Button>
        )}
      </CopyButton>
    </Group>
  )
}
