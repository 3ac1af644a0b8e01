// Marks the users of the emulator. They have the name of the member who tries the bot.
import type { User } from '@botstead/contract'
import { Badge } from '@mantine/core'
import { texts } from '../../texts/texts.ts'

const t = texts.users

/** The emulator tags its users (chat-session.ts). */
export const TestUser = ({ user: { tags } }: { user: Pick<User, 'tags'> }) =>
  Object.hasOwn(tags, 'emulator') && (
    <Badge variant="default" size="sm" title={t.testUserHint} style={{ flexShrink: 0 }}>
      {t.testUser}
    </Badge>
  )
