// A link to another page of the same bot.
import { Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useBot } from '../../api/scope.ts'

interface BotLinkProps {
  page:
    | 'chat'
    | 'conversations'
    | 'deliveries'
    | 'inbox'
    | 'issues'
    | 'knowledge'
    | 'knowledge/answers'
    | 'knowledge/search'
    | 'knowledge/unanswered'
    | 'versions'
    | `tables/${string}`
  search?: Record<string, string>
  children: string
}

export function BotLink({ page, search = {}, children }: BotLinkProps) {
  const { workspaceId, botId } = useBot()
  return (
    <Anchor
      size="sm"
      renderRoot={(props) => (
        <Link
          to={`/w/$workspaceId/bots/$botId/${page}`}
          params={{ workspaceId, botId }}
          search={search}
          {...props}
        />
      )}
    >
      {children}
    </Anchor>
  )
}
