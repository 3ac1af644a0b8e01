// Says that an address works on this computer only, and where the remedy is described.
import { Text } from '@mantine/core'
import { texts } from '../../texts/texts.ts'
import { DocsLink } from './docs-link.tsx'

export const LocalOnly = () => (
  <Text size="sm">
    {texts.common.localOnly}{' '}
    <DocsLink page="webchat#an-address-for-visitors">
      {texts.common.publicAddress}
    </DocsLink>
  </Text>
)
