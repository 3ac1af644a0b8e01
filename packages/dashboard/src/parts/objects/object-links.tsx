// Links to the page of a user, conversation or file of the bot.
import { Anchor, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useBot } from '../../api/scope.ts'
import { useMay } from '../../api/session.ts'

interface ObjectLinkProps {
  id: string
  children?: ReactNode
}

interface BelowBotProps {
  /** Below the address of the bot. */
  path:
    | 'users/$userId'
    | 'conversations/$conversationId'
    | 'broadcasts/$broadcastId'
    | 'knowledge/files/$fileId'
    | 'knowledge/websites/$sourceId'
    | 'knowledge/answers'
  /** Parameters of the path. */
  params?: Record<string, string>
  search?: Record<string, string>
  children: ReactNode
}

/** The texts are those of other people. */
function BelowBot({ path, params = {}, search = {}, children }: BelowBotProps) {
  const { workspaceId, botId } = useBot()
  return (
    <Anchor
      size="sm"
      className="foreign"
      renderRoot={(props) => (
        <Link
          {...props}
          to={`/w/$workspaceId/bots/$botId/${path}`}
          params={{ workspaceId, botId, ...params } as never}
          search={search}
        />
      )}
    >
      {children}
    </Anchor>
  )
}

/** Only a name, for roles that may not open the page of the user. */
export function UserLink({ id, children = id }: ObjectLinkProps) {
  if (!useMay()('data.read'))
    return (
      <Text size="sm" component="span" className="foreign">
        {children}
      </Text>
    )
  return (
    <BelowBot path="users/$userId" params={{ userId: id }}>
      {children}
    </BelowBot>
  )
}

export const BroadcastLink = ({ id, children = id }: ObjectLinkProps) => (
  <BelowBot path="broadcasts/$broadcastId" params={{ broadcastId: id }}>
    {children}
  </BelowBot>
)

export const WebsiteLink = ({ id, children = id }: ObjectLinkProps) => (
  <BelowBot path="knowledge/websites/$sourceId" params={{ sourceId: id }}>
    {children}
  </BelowBot>
)

export const FileLink = ({ id, children = id }: ObjectLinkProps) => (
  <BelowBot path="knowledge/files/$fileId" params={{ fileId: id }}>
    {children}
  </BelowBot>
)

type ConversationLinkProps = ObjectLinkProps & { messageId?: string | undefined }

export const ConversationLink = ({
  id,
  messageId,
  children = id,
}: ConversationLinkProps) => (
  <BelowBot
    path="conversations/$conversationId"
    params={{ conversationId: id }}
    search={messageId ? { message: messageId } : {}}
  >
    {children}
  </BelowBot>
)

/** The curated answers with the words. */
export const AnswersLink = ({
  search,
  children,
}: {
  search: string
  children: ReactNode
}) => (
  <BelowBot path="knowledge/answers" search={{ search }}>
    {children}
  </BelowBot>
)
