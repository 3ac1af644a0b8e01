// Removes an integration from a bot, and shows the effect on its chat before.
import { chatOf } from '@botstead/client'
import type { Installation } from '@botstead/contract'
import { Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useBotQuery } from '../../api/bot-query.ts'
import { useBot } from '../../api/scope.ts'
import { Confirm } from '../../parts/forms/confirm.tsx'
import { notifyDone } from '../../parts/notify.ts'
import { Loaded } from '../../parts/states.tsx'
import { texts } from '../../texts/texts.ts'

const t = texts.integrations

/** Whether the chat has the appearance of this integration when the integration is enabled. */
export function ownsChat(
  integrations: Record<string, Installation>,
  alias: string,
): boolean {
  const installation = integrations[alias]
  if (!installation) return false
  return (
    chatOf({ ...integrations, [alias]: { ...installation, enabled: true } })?.[0] ===
    alias
  )
}

export function Remove({ alias, onClose }: { alias: string; onClose: () => void }) {
  const { workspaceId, botId, client } = useBot()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const query = useQuery({
    // Not below the bot, which changes when the integration is removed: it has no uses then.
    queryKey: ['integrationUses', botId, alias],
    queryFn: ({ signal }) =>
      client.platform.getIntegrationUses({ params: { botId, alias } }, { signal }),
  })
  return (
    <Confirm
      title={t.removeTitle(alias)}
      button={t.remove}
      name={alias}
      onConfirm={async () => {
        await client.admin.updateBot({
          params: { id: botId },
          body: { integrations: { [alias]: null } },
        })
        notifyDone(t.removed(alias))
        await queries.invalidateQueries({ queryKey: ['bots', botId] })
        await navigate({
          to: '/w/$workspaceId/bots/$botId/integrations',
          params: { workspaceId, botId },
          ignoreBlocker: true,
        })
      }}
      onClose={onClose}
    >
      <Loaded query={query}>
        {(uses) => {
          const lines = [
            ...(uses.conversations > 0 ? [t.conversations(uses.conversations)] : []),
            ...(uses.users > 0 ? [t.users(uses.users)] : []),
            ...(uses.sandboxConversations > 0
              ? [t.sandboxConversations(uses.sandboxConversations)]
              : []),
            ...(uses.registerSchedule ? [t.schedule(uses.registerSchedule)] : []),
            ...uses.plugins.map(t.plugin),
            ...uses.references.map(t.reference),
          ]
          return (
            <>
              <Text>{t.addressStops}</Text>
              <RemovedChat alias={alias} />
              {lines.length === 0 ? (
                <Text>{t.breaksNothing}</Text>
              ) : (
                <div>
                  <Text>{t.breaks}</Text>
                  <ul className="foreign">
                    {lines.map((line) => (
                      <li key={line}>{line}</li>
                    ))}
                  </ul>
                </div>
              )}
              <Text size="sm" c="dimmed">
                {t.codeNotSearched}
              </Text>
            </>
          )
        }}
      </Loaded>
    </Confirm>
  )
}

/** The effect on the chat page and websites, if the integration has their appearance. */
function RemovedChat({ alias }: { alias: string }) {
  const { integrations = {} } = useBotQuery().data?.bot ?? {}
  if (!ownsChat(integrations, alias)) return null
  const { [alias]: _removed, ...others } = integrations
  const [nextAlias, next] = chatOf(others) ?? []
  const origins = next?.configuration.allowedOrigins
  const isOpen = !Array.isArray(origins) || origins.length === 0
  return (
    <Text>
      {nextAlias === undefined ? t.chatStops : t.chatGoesOn(nextAlias)}{' '}
      {t.appearanceDeleted} {isOpen && t.thenEveryWebsite}
    </Text>
  )
}
