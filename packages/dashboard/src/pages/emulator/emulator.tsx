// The emulator: a conversation with the bot, as its users have it, beside every page.
import type { Event } from '@botstead/contract'
import {
  ActionIcon,
  Box,
  Button,
  CloseButton,
  Group,
  ScrollArea,
  Stack,
  Text,
  Title,
  Tooltip,
} from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type RefObject, useEffect, useRef } from 'react'
import { useBotQuery } from '../../api/bot-query.ts'
import { useBot } from '../../api/scope.ts'
import { sessionQuery, useMay } from '../../api/session.ts'
import { IconPlus } from '../../icons/icons.tsx'
import { notifyFailed } from '../../parts/notify.ts'
import { NotDeployed } from '../../parts/objects/not-deployed.tsx'
import { Empty, Failed, Loaded, Loading } from '../../parts/states.tsx'
import { useFailedEvents } from '../../parts/traces/failed-events.tsx'
import { texts } from '../../texts/texts.ts'
import { Composer } from './composer.tsx'
import { EntryView, Failure, settleMs } from './entry-view.tsx'
import { Greeting } from './greeting.tsx'
import { type Entry, useChat } from './use-chat.ts'
import { useTyping } from './use-typing.ts'
import { useWork, Waiting } from './waiting.tsx'

interface EmulatorProps {
  title?: string | undefined
  /** Of the person who talks to the bot; by default none. */
  language?: string | undefined
  onClose: () => void
  /** Gets the stored messages when there is a new one. */
  onMessages?: ((messages: Entry[]) => void) | undefined
  /** A message is sent when it has ended. Must not throw. */
  beforeSend?: (() => Promise<void>) | undefined
}

export function Emulator(props: EmulatorProps) {
  const bot = useBotQuery()
  return (
    <Loaded query={bot}>
      {({ bot: { integrations } }) => {
        const chat = Object.values(integrations).find(
          ({ name, enabled }) => name === 'chat' && enabled,
        )
        return chat ? (
          <Talk webhookId={chat.webhookId} {...props} />
        ) : (
          <Stack gap={0}>
            <Head title={props.title} onClose={props.onClose} />
            <InstallChat />
          </Stack>
        )
      }}
    </Loaded>
  )
}

interface HeadProps extends Pick<EmulatorProps, 'title' | 'onClose'> {
  onNew?: () => void
}

function Head({ title = texts.emulator.title, onClose, onNew }: HeadProps) {
  return (
    <Group justify="space-between" p="xs" pl="md" wrap="nowrap">
      <Title order={2} size="h5">
        {title}
      </Title>
      <Group gap={4}>
        {onNew && (
          <Tooltip label={texts.emulator.newConversation}>
            <ActionIcon
              variant="subtle"
              color="gray"
              onClick={onNew}
              aria-label={texts.emulator.newConversation}
            >
              <IconPlus size={18} aria-hidden="true" />
            </ActionIcon>
          </Tooltip>
        )}
        <CloseButton onClick={onClose} aria-label={texts.shell.closeEmulator} />
      </Group>
    </Group>
  )
}

function InstallChat() {
  const { botId, client } = useBot()
  const may = useMay()
  const queries = useQueryClient()
  const install = useMutation({
    mutationFn: async () => {
      const { integration } = await client.admin.getPublicIntegration({
        params: { name: 'chat', version: 'latest' },
      })
      await client.admin.updateBot({
        params: { id: botId },
        body: {
          integrations: { chat: { integrationId: integration.id, enabled: true } },
        },
      })
      await queries.invalidateQueries({ queryKey: ['bots', botId] })
    },
    onError: notifyFailed,
  })
  return (
    <Empty
      title={texts.emulator.noChat}
      hint={texts.emulator.noChatHint}
      action={
        may('bots.update') && (
          <Button onClick={() => install.mutate()} loading={install.isPending}>
            {texts.emulator.installChat}
          </Button>
        )
      }
    />
  )
}

interface TalkProps extends EmulatorProps {
  webhookId: string
}

function Talk({
  webhookId,
  title,
  language,
  onClose,
  onMessages,
  beforeSend,
}: TalkProps) {
  const { client } = useBot()
  const account = useQuery(sessionQuery).data?.account
  const name = account?.displayName || account?.email || texts.emulator.name
  const chat = useChat(client, { webhookId, name, language, beforeSend })
  const { entries, isReady, session, isTyping, isOnline } = chat
  const typed = useTyping(client, webhookId, session)
  const oldest = entries[0]?.createdAt
  const { events, ofMessages } = useFailedEvents(session?.conversationId, oldest)
  const work = useWork(session?.conversationId, entries)
  const failures = failuresAfter(entries, ofMessages)
  const otherFailure = events.find(({ messageId }) => !messageId)
  useEffect(
    () => onMessages?.(entries.filter(({ state }) => state === 'stored')),
    [entries, onMessages],
  )
  const viewport = useRef<HTMLDivElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const end = useRef<HTMLDivElement>(null)
  const latest = [
    entries.at(-1)?.id,
    entries.length > 0,
    isTyping || !!work,
    events.length,
  ].join()
  useEndInSight(list, end, latest, entries[0]?.id)
  return (
    <Stack gap={0} h="100%">
      <Head title={title} onClose={onClose} onNew={chat.startOver} />
      <ScrollArea
        flex={1}
        px="md"
        viewportRef={viewport}
        viewportProps={{ role: 'log', 'aria-label': texts.emulator.log, tabIndex: 0 }}
      >
        {chat.error ? <Failed error={chat.error} /> : null}
        {!chat.error && !isReady ? <Loading /> : null}
        {isReady && entries.length === 0 ? (
          <Greeting
            webhookId={webhookId}
            language={language}
            onSend={(payload) => void chat.send(payload)}
          />
        ) : null}
        {chat.readOlder && <Older read={chat.readOlder} viewport={viewport} />}
        <Stack ref={list} gap={0} pb="sm">
          {entries.map((entry, index) => (
            <EntryView
              key={entry.id}
              entry={entry}
              answer={entries[index + 1]?.isOwn && entries[index + 1]?.payload}
              failure={failures.get(entry.id)}
              chat={session ? { webhookId, session } : undefined}
              onSend={(payload) => void chat.send(payload)}
              onResend={() => chat.resend(entry)}
            />
          ))}
          {otherFailure && (
            <Failure event={otherFailure} title={texts.emulator.failedElse} />
          )}
        </Stack>
        {isTyping && (
          <Text size="sm" c="dimmed">
            {texts.emulator.typing}
          </Text>
        )}
        {work && !isTyping && <Waiting work={work} />}
        <div ref={end} />
      </ScrollArea>
      <Box px="md">
        <NotDeployed />
      </Box>
      <Text size="xs" c="dimmed" px="md" role="status">
        {isOnline ? '' : texts.emulator.offline}
      </Text>
      <Composer isEnabled={isReady} onSend={chat.send} onTyped={typed} />
    </Stack>
  )
}

/**
 * Returns the failed events of messages by the entry below which they are shown: the last answer to
 * the message, which the bot sent before it failed.
 */
function failuresAfter(entries: Entry[], ofMessages: Map<string, Event>) {
  const failures = new Map<string, Event>()
  let failure: Event | undefined
  for (const [index, { id, isOwn }] of entries.entries()) {
    if (isOwn) failure = ofMessages.get(id)
    const next = entries[index + 1]
    if (failure && (!next || next.isOwn)) failures.set(id, failure)
  }
  return failures
}

/** Reads the messages before the first one. The visible ones keep their place. */
function Older({
  read,
  viewport,
}: {
  read: () => Promise<void>
  viewport: RefObject<HTMLDivElement | null>
}) {
  const reading = useMutation({ mutationFn: read, onError: notifyFailed })
  const start = () => {
    // At its very top, the browser would keep the top in place.
    if (viewport.current?.scrollTop === 0) viewport.current.scrollTop = 1
    reading.mutate()
  }
  return (
    <Group justify="center" style={{ overflowAnchor: 'none' }}>
      <Button
        size="compact-xs"
        variant="default"
        loading={reading.isPending}
        onClick={start}
      >
        {texts.emulator.older}
      </Button>
    </Group>
  )
}

/**
 * Scrolls to the end when there is more to see at the end, also while open traces above it still
 * grow. `latest` changes then; older messages change `firstId`, and end the scrolling.
 */
function useEndInSight(
  list: RefObject<HTMLDivElement | null>,
  end: RefObject<HTMLDivElement | null>,
  latest: string,
  firstId: string | undefined,
) {
  const shown = useRef('')
  // biome-ignore lint/correctness/useExhaustiveDependencies: older messages end the scrolling
  useEffect(() => {
    if (latest === shown.current || !list.current) return
    shown.current = latest
    const show = () => end.current?.scrollIntoView({ block: 'end' })
    show()
    const resized = new ResizeObserver(show)
    resized.observe(list.current)
    const timer = setTimeout(() => resized.disconnect(), settleMs)
    return () => {
      clearTimeout(timer)
      resized.disconnect()
    }
  }, [list, end, latest, firstId])
}
