// A secret that the server returns only once.
import { Text } from '@mantine/core'
import { CopyField } from '../forms/copy-field.tsx'

export function ShownOnce({ hint, value }: { hint: string; value: string | undefined }) {
  if (value === undefined) return null
  return (
    <>
      <Text size="sm" role="status">
        {hint}
      </Text>
      <CopyField value={value} />
    </>
  )
}
