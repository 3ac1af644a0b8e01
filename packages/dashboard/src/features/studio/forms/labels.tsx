// Label, help and error of an input.
import { Text } from '@mantine/core'
import { CodedText } from '../../../parts/texts/coded-text.tsx'
import { texts } from '../../../texts/texts.ts'
import type { FieldProps } from './field-props.ts'

export const labels = ({ field, error, isReadOnly }: FieldProps) => ({
  label: field.title,
  description: field.help ? <CodedText text={field.help} /> : undefined,
  error,
  required: field.isRequired,
  disabled: isReadOnly,
  ...(field.name in texts.studio.placeholders && {
    placeholder: texts.studio.placeholders[field.name],
  }),
})

/** Help and error above the parts of a field. */
export const Legend = ({ props: { field, error } }: { props: FieldProps }) => (
  <>
    {field.help && (
      <Text size="xs" c="dimmed">
        <CodedText text={field.help} />
      </Text>
    )}
    {error && (
      <Text size="xs" c="var(--bad)">
        {error}
      </Text>
    )}
  </>
)
