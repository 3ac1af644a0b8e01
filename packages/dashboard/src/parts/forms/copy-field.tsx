// A value to copy, such as a key or a URL.
import { Button, Code, CopyButton, Group } from '@mantine/core'
import { texts } from '../../texts/texts.ts'

interface CopyFieldProps {
  value: string
  /** Keeps the lines, such as those of code. */
  isBlock?: boolean
}

export function CopyField({ value, isBlock = false }: CopyFieldProps) {
  return (
    <Group gap="xs" wrap="nowrap" align={isBlock ? 'flex-start' : 'center'}>
      <Code
        className="foreign"
        block={isBlock}
        tabIndex={isBlock ? 0 : undefined}
        style={{ flex: 1, minWidth: 0 }}
      >
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
