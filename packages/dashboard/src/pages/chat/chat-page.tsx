// Address, snippet and appearance of the bot's chat, with a preview of unsaved changes.
import { chatOf } from '@botstead/client'
import type { Bot } from '@botstead/contract'
import { Anchor, Button, Group, Stack } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useBotQuery } from '../../api/bot-query.ts'
import { useBot } from '../../api/scope.ts'
import { useMay } from '../../api/session.ts'
import { ActionError } from '../../parts/action-error.tsx'
import { ReadOnlyHint } from '../../parts/forms/read-only-hint.tsx'
import { useUnsaved } from '../../parts/forms/unsaved.tsx'
import { notifyDone } from '../../parts/notify.ts'
import { LocalOnly } from '../../parts/objects/local-only.tsx'
import { Page } from '../../parts/page.tsx'
import { Section } from '../../parts/section.tsx'
import { Loaded } from '../../parts/states.tsx'
import { isLocalHost } from '../../parts/texts/local-host.ts'
import { texts } from '../../texts/texts.ts'
import { type Appearance, type Draft, toDraft, toSettings } from './appearance.ts'
import { AppearanceForm } from './appearance-form.tsx'
import { Preview } from './preview.tsx'
import { Labelled, SignedVisitors, toSignedSnippet } from './signed-visitors.tsx'

const t = texts.chat

export function ChatPage() {
  const query = useBotQuery()
  return (
    <Page title={t.title} docs="webchat">
      <Loaded query={query}>
        {({ bot }) => {
          const [alias, chat] = chatOf(bot.integrations) ?? []
          if (!alias || !chat) return <NoChat />
          return <Chat bot={bot} alias={alias} configuration={chat.configuration} />
        }}
      </Loaded>
    </Page>
  )
}

function NoChat() {
  const { workspaceId, botId } = useBot()
  return (
    <Section title={t.none} hint={t.noneHint}>
      <Anchor
        component={Link}
        to="/w/$workspaceId/bots/$botId/integrations"
        params={{ workspaceId, botId } as never}
      >
        {t.integrations}
      </Anchor>
    </Section>
  )
}

interface ChatProps {
  bot: Bot
  alias: string
  configuration: Record<string, unknown>
}

function Chat({ bot, alias, configuration }: ChatProps) {
  const stored = (configuration.appearance ?? {}) as Appearance
  const origins = (configuration.allowedOrigins ?? []) as string[]
  // Only edited fields, so that changes by others appear and stay.
  const [edited, setEdited] = useState<Partial<Draft>>({})
  const draft = { ...toDraft(stored, origins), ...edited }
  const save = useSave(alias, configuration, () => setEdited({}))
  useUnsaved(JSON.stringify(draft) !== JSON.stringify(toDraft(stored, origins)))
  const { appearance, allowedOrigins } = toSettings(draft)
  const share = useShareQuery()
  const encryptionKey = String(configuration.encryptionKey ?? '')
  return (
    <Stack>
      <Section title={t.share}>
        <Loaded query={share}>
          {(addresses) => <Share {...addresses} isSigned={encryptionKey !== ''} />}
        </Loaded>
      </Section>
      <div className="beside">
        <Section title={t.look} hint={t.lookHint}>
          <ReadOnlyHint needs="bots.update" />
          <AppearanceForm
            botName={bot.name}
            value={draft}
            change={(changes) => setEdited({ ...edited, ...changes })}
            readOnly={!useMay()('bots.update')}
            isSaving={save.isPending}
            onSubmit={() => save.mutate({ appearance, allowedOrigins })}
          />
          <ActionError error={save.error} />
        </Section>
        <Preview
          botId={bot.id}
          settings={{ botName: bot.name, ...named(appearance) }}
          button={draft}
        />
      </div>
      {share.data && (
        <SignedVisitors
          encryptionKey={encryptionKey}
          snippet={share.data.snippet}
          save={(encryptionKey) => save.mutateAsync({ encryptionKey })}
        />
      )}
    </Stack>
  )
}

const named = ({ name, ...look }: Appearance) => ({
  ...look,
  ...(name && { botName: name }),
})

interface Changes {
  appearance?: Appearance
  allowedOrigins?: string[]
  encryptionKey?: string | undefined
}

/** The configuration is replaced as a whole. */
function useSave(
  alias: string,
  configuration: Record<string, unknown>,
  onSaved: () => void,
) {
  const { botId, client } = useBot()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (changes: Changes) =>
      client.admin.updateBot({
        params: { id: botId },
        body: {
          integrations: { [alias]: { configuration: { ...configuration, ...changes } } },
        },
      }),
    onSuccess: async () => {
      notifyDone(t.saved)
      await queries.invalidateQueries({ queryKey: ['bots', botId] })
      onSaved()
    },
  })
}

interface Addresses {
  link: string
  snippet: string
  isLocal: boolean
}

function useShareQuery() {
  const { botId, client } = useBot()
  return useQuery({
    queryKey: ['bots', botId, 'webchat'],
    queryFn: ({ signal }) =>
      client.admin.getBotWebchat(
        { params: { id: botId }, query: { type: 'sharableUrl' } },
        { signal },
      ),
    select: ({ code }): Addresses => {
      const { origin, hostname } = new URL(code)
      return {
        link: `${origin}/talk/${botId}`,
        snippet: `<script src="${origin}/webchat.js" data-bot="${botId}"></script>`,
        isLocal: isLocalHost(hostname),
      }
    },
  })
}

/** The chat page has only anonymous visitors. */
function Share({ link, snippet, isLocal, isSigned }: Addresses & { isSigned: boolean }) {
  return (
    <>
      {!isSigned && (
        <>
          <Labelled label={t.link} value={link} />
          <Group>
            <Button
              component="a"
              href={link}
              target="_blank"
              rel="noopener"
              variant="default"
            >
              {t.open}
            </Button>
          </Group>
        </>
      )}
      <Labelled
        label={`${t.snippet}. ${isSigned ? t.signedShareHint : t.snippetHint}`}
        value={isSigned ? toSignedSnippet(snippet) : snippet}
      />
      {isLocal && <LocalOnly />}
    </>
  )
}
