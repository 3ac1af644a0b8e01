// Address, snippet and appearance of the bot's chat, with a preview of unsaved changes.
import { chatOf } from '@botstead/client'
import type { Bot } from '@botstead/contract'
import { Anchor, Flex, Stack, Text } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useBotQuery } from '../../api/bot-query.ts'
import { useBot } from '../../api/scope.ts'
import { useMay } from '../../api/session.ts'
import { ActionError } from '../../parts/action-error.tsx'
import { CopyField } from '../../parts/copy-field.tsx'
import { notifyDone } from '../../parts/notify.ts'
import { Page } from '../../parts/page.tsx'
import { Section } from '../../parts/section.tsx'
import { Loaded } from '../../parts/states.tsx'
import { texts } from '../../texts/texts.ts'
import { type Appearance, type Draft, draftOf, settingsOf } from './appearance.ts'
import { AppearanceForm } from './appearance-form.tsx'
import { Preview } from './preview.tsx'

const t = texts.chat

export function ChatPage() {
  const query = useBotQuery()
  return (
    <Page title={t.title}>
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
  const draft = { ...draftOf(stored, origins), ...edited }
  const save = useSave(alias, configuration, () => setEdited({}))
  const { appearance, allowedOrigins } = settingsOf(draft)
  return (
    <Stack>
      <Share />
      <Flex gap="md" direction={{ base: 'column', lg: 'row' }} align={{ lg: 'flex-start' }}>
        <Section title={t.look} hint={t.lookHint}>
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
        <Preview botId={bot.id} settings={{ botName: bot.name, ...named(appearance) }} />
      </Flex>
    </Stack>
  )
}

const named = ({ name, ...look }: Appearance) => ({ ...look, ...(name && { botName: name }) })

/** The configuration is replaced as a whole. */
function useSave(alias: string, configuration: Record<string, unknown>, onSaved: () => void) {
  const { botId, client } = useBot()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (changes: { appearance: Appearance; allowedOrigins: string[] }) =>
      client.admin.updateBot({
        params: { id: botId },
        body: { integrations: { [alias]: { configuration: { ...configuration, ...changes } } } },
      }),
    onSuccess: async () => {
      notifyDone(t.saved)
      await queries.invalidateQueries({ queryKey: ['bots', botId] })
      onSaved()
    },
  })
}

function Share() {
  const { botId, client } = useBot()
  const query = useQuery({
    queryKey: ['bots', botId, 'webchat'],
    queryFn: ({ signal }) =>
      client.admin.getBotWebchat(
        { params: { id: botId }, query: { type: 'sharableUrl' } },
        { signal },
      ),
  })
  return (
    <Section title={t.share}>
      <Loaded query={query}>
        {({ code }) => {
          const { origin } = new URL(code)
          return (
            <>
              <Labelled label={t.link} value={`${origin}/talk/${botId}`} />
              <Labelled
                label={`${t.snippet}. ${t.snippetHint}`}
                value={`<script src="${origin}/webchat.js" data-bot="${botId}"></script>`}
              />
            </>
          )
        }}
      </Loaded>
    </Section>
  )
}

function Labelled({ label, value }: { label: string; value: string }) {
  return (
    <div>
      <Text size="sm" c="dimmed" mb={4}>
        {label}
      </Text>
      <CopyField value={value} />
    </div>
  )
}
