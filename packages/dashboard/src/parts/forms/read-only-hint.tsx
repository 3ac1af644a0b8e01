// Says why the fields of a page are read-only, to members with a role without the permission.
import type { Permission } from '@botstead/contract'
import { Text } from '@mantine/core'
import { useMay } from '../../api/session.ts'
import { texts } from '../../texts/texts.ts'

export function ReadOnlyHint({ needs }: { needs: Permission }) {
  if (useMay()(needs)) return null
  return (
    <Text size="sm" c="dimmed">
      {texts.common.readOnly}
    </Text>
  )
}
