// Links to the page of a user, conversation or file of the bot.
import { Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useBot } from '../api/scope.ts'

interface ObjectLinkProps {
  id: string
  children?: ReactNode
}

interface ForeignAnchorProps {
  renderRoot: (props: object) => ReactNode
  children: ReactNode
}

/** The texts are those of other people. */
const ForeignAnchor = (props: ForeignAnchorProps) => (
  <Anchor size="sm" className="foreign" {...props} />
)

export function UserLink({ id, children = id }: ObjectLinkProps) {
  const { workspaceId, botId } = useBot()
  return (
    <ForeignAnchor
      renderRoot={(props) => (
        <Link
          {...props}
          to="/w/$workspaceId/bots/$botId/users/$userId"
          params={{ workspaceId, botId, userId: id }}
        />
      )}
    >
      {children}
    </ForeignAnchor>
  )
}

export function ConversationLink({
  id,
  messageId,
  children = id,
}: ObjectLinkProps & { messageId?: string | undefined }) {
  const { workspaceId, botId } = useBot()
  return (
    <ForeignAnchor
      renderRoot={(props) => (
        <Link
          {...props}
          to="/w/$workspaceId/bots/$botId/conversations/$conversationId"
          params={{ workspaceId, botId, conversationId: id }}
          search={messageId ? { message: messageId } : {}}
        />
      )}
    >
      {children}
    </ForeignAnchor>
  )
}

export function FileLink({ id, children }: { id: string; children: ReactNode }) {
  const { workspaceId, botId } = useBot()
  return (
    <ForeignAnchor
      renderRoot={(props) => (
        <Link
          {...props}
          to="/w/$workspaceId/bots/$botId/knowledge/files/$fileId"
          params={{ workspaceId, botId, fileId: id }}
        />
      )}
    >
      {children}
    </ForeignAnchor>
  )
}
