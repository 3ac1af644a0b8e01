// The conversations of the person of a user, in all channels, last active first.

import { Group, Stack, Text } from '@mantine/core'
import { useRefreshOnMessages } from '../../api/live.tsx'
import { usePages } from '../../api/pages.ts'
import { useBot } from '../../api/scope.ts'
import { toText } from '../../parts/messages/message-text.ts'
import { MoreButton } from '../../parts/more-button.tsx'
import { ConversationLink } from '../../parts/objects/object-links.tsx'
import { Loaded } from '../../parts/states.tsx'
import { Moment } from '../../parts/texts/moment.tsx'
import { texts } from '../../texts/texts.ts'

const t = texts.users

interface UserConversationsProps {
  userId: string
  /** Id of the conversation beside which the others are shown. */
  except?: string
}

export function UserConversations({ userId, except }: UserConversationsProps) {
  const { botId, client } = useBot()
  useRefreshOnMessages(botId, 'conversations', { part: 'of-user' })
  const query = usePages(['conversations', botId, 'of-user', userId], (page, options) =>
    client.platform.searchConversations(
      { query: { userId, ofPerson: true, pageSize: 20, ...page } },
      options,
    ),
  )
  return (
    <Loaded query={query}>
      {({ pages }) => {
        const rows = pages
          .flatMap(({ conversations }) => conversations)
          .filter(({ conversation }) => conversation.id !== except)
        return (
          <>
            {rows.length === 0 && (
              <Text size="sm" c="dimmed">
                {except ? texts.conversations.noOthers : t.noConversations}
              </Text>
            )}
            <Stack component="ul" gap="sm" p={0} m={0} style={{ listStyle: 'none' }}>
              {rows.map(({ conversation, lastMessage }) => (
                <li key={conversation.id}>
                  <Group justify="space-between" wrap="nowrap" gap="sm">
                    <Text size="sm" className="one-line" component="div">
                      <ConversationLink id={conversation.id}>
                        {lastMessage
                          ? toText(lastMessage)
                          : texts.conversations.noMessages}
                      </ConversationLink>
                    </Text>
                    <Text size="sm" component="div" style={{ flexShrink: 0 }}>
                      <Moment at={lastMessage?.createdAt ?? conversation.createdAt} />
                    </Text>
                  </Group>
                  <Text size="xs" c="dimmed" className="foreign one-line">
                    {t.conversation(conversation.integration, conversation.messageCount)}
                  </Text>
                </li>
              ))}
            </Stack>
            <MoreButton query={query} label={texts.common.more} />
          </>
        )
      }}
    </Loaded>
  )
}
