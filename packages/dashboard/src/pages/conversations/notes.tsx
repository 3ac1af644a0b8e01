// Notes of a conversation, which only members see.

import type { ConversationNote } from '@botstead/contract'
import { ActionIcon, Button, Group, Stack, Text, Textarea } from '@mantine/core'
import { getHotkeyHandler } from '@mantine/hooks'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { usePages } from '../../api/pages.ts'
import { useBot } from '../../api/scope.ts'
import { useMay } from '../../api/session.ts'
import { useMemberName } from '../../features/handoffs/members.ts'
import { useOwnId } from '../../features/handoffs/use-handoff.ts'
import { IconX } from '../../icons/icons.tsx'
import { ActionError } from '../../parts/action-error.tsx'
import { MoreButton } from '../../parts/more-button.tsx'
import { Section } from '../../parts/section.tsx'
import { Loaded } from '../../parts/states.tsx'
import { LongText } from '../../parts/texts/long-text.tsx'
import { exactTime, Moment } from '../../parts/texts/moment.tsx'
import { texts } from '../../texts/texts.ts'
import classes from './transcript.module.css'
import { useDetailsStored } from './transcript-details.ts'

const t = texts.inbox.notes

export function Notes({ conversationId }: { conversationId: string }) {
  const { botId, client } = useBot()
  const isEditor = useMay()('conversations.write')
  const query = usePages(
    ['conversations', botId, conversationId, 'notes'],
    (page, options) =>
      client.platform.listConversationNotes(
        { params: { id: conversationId }, query: { pageSize: 20, ...page } },
        options,
      ),
    { isEnabled: useDetailsStored(conversationId) },
  )
  return (
    <Section title={t.title} hint={t.hint}>
      {isEditor && <NewNote conversationId={conversationId} />}
      <Loaded query={query}>
        {({ pages }) => (
          <Stack component="ul" gap="sm" p={0} m={0} className={classes.notes}>
            {pages
              .flatMap(({ notes }) => notes)
              .map((note) => (
                <Note key={note.id} note={note} />
              ))}
          </Stack>
        )}
      </Loaded>
      <MoreButton query={query} label={texts.common.more} size="compact-sm" />
    </Section>
  )
}

function Note({
  note: { id, conversationId, accountId, text, createdAt },
}: {
  note: ConversationNote
}) {
  const { client } = useBot()
  const isEditor = useMay()('conversations.write')
  const isOwn = useOwnId() === accountId
  const getName = useMemberName([accountId])
  const refresh = useRefresh(conversationId)
  const remove = useMutation({
    mutationFn: () => client.platform.deleteConversationNote({ params: { id } }),
    onSuccess: refresh,
  })
  return (
    <li>
      <Group gap="xs" wrap="nowrap">
        <Text size="sm" fw={600} className="foreign one-line">
          {accountId ? getName(accountId) : texts.inbox.bot}
        </Text>
        <Moment at={createdAt} />
        {isEditor && isOwn && (
          <ActionIcon
            size="xs"
            variant="transparent"
            color="gray"
            ms="auto"
            aria-label={t.remove(exactTime(createdAt))}
            loading={remove.isPending}
            onClick={() => remove.mutate()}
          >
            <IconX size={14} aria-hidden="true" />
          </ActionIcon>
        )}
      </Group>
      <LongText text={text} />
      <ActionError error={remove.error} />
    </li>
  )
}

function useRefresh(conversationId: string) {
  const { botId } = useBot()
  const queries = useQueryClient()
  return () =>
    queries.invalidateQueries({
      queryKey: ['conversations', botId, conversationId, 'notes'],
    })
}

function NewNote({ conversationId }: { conversationId: string }) {
  const { client } = useBot()
  const [text, setText] = useState('')
  const refresh = useRefresh(conversationId)
  const add = useMutation({
    mutationFn: () =>
      client.platform.createConversationNote({
        params: { id: conversationId },
        body: { text: text.trim() },
      }),
    onSuccess: () => {
      setText('')
      return refresh()
    },
  })
  const isReady = text.trim() !== '' && !add.isPending
  const send = () => {
    if (isReady) add.mutate()
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      <Stack gap="xs">
        <Textarea
          size="xs"
          autosize
          minRows={2}
          maxRows={8}
          maxLength={10_000}
          aria-label={t.text}
          placeholder={t.placeholder}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          onKeyDown={getHotkeyHandler([['mod+Enter', send]])}
        />
        <ActionError error={add.error} />
        <Button
          type="submit"
          size="xs"
          variant="default"
          style={{ alignSelf: 'flex-start' }}
          disabled={!isReady}
          loading={add.isPending}
        >
          {t.add}
        </Button>
      </Stack>
    </form>
  )
}
