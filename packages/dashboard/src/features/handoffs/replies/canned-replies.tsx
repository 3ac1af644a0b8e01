// The canned replies of a bot in a dialog: found by words, inserted into an answer, and edited.

import type { CannedReply } from '@botstead/contract'
import { ActionIcon, Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core'
import { getHotkeyHandler } from '@mantine/hooks'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { usePages } from '../../../api/pages.ts'
import { useBot } from '../../../api/scope.ts'
import { useMay } from '../../../api/session.ts'
import { IconPencil, IconTrash } from '../../../icons/icons.tsx'
import { ActionError } from '../../../parts/action-error.tsx'
import { MoreButton } from '../../../parts/more-button.tsx'
import { Loaded } from '../../../parts/states.tsx'
import { texts } from '../../../texts/texts.ts'
import classes from '../inbox.module.css'
import { EditReply } from './edit-reply.tsx'

const t = texts.inbox.replies
const pageSize = 1_000

interface CannedRepliesProps {
  /** Without it, replies can only be edited. */
  onInsert?: (text: string) => void
  onClose: () => void
}

export function CannedReplies({ onInsert, onClose }: CannedRepliesProps) {
  const { botId, client } = useBot()
  const mayWrite = useMay()('replies.write')
  const [words, setWords] = useState('')
  /** The edited reply; null for a new one. */
  const [edited, setEdited] = useState<CannedReply | null>()
  const query = usePages(['handoffs', botId, 'replies'], (page, options) =>
    client.platform.listCannedReplies({ query: { pageSize, ...page } }, options),
  )
  const found = (query.data?.pages ?? [])
    .flatMap(({ cannedReplies }) => cannedReplies)
    .filter(({ name, text }) => matches(`${name} ${text}`, words))
  const insertFirst = () => {
    if (found[0]) onInsert?.(found[0].text)
  }
  if (edited !== undefined)
    return <EditReply reply={edited} onDone={() => setEdited(undefined)} />
  return (
    <Modal opened onClose={onClose} title={t.title} returnFocus={!onInsert}>
      <Stack>
        <TextInput
          data-autofocus
          label={t.search}
          description={onInsert && t.searchHint}
          value={words}
          onChange={(event) => setWords(event.currentTarget.value)}
          onKeyDown={getHotkeyHandler([['Enter', insertFirst]])}
        />
        <Loaded query={query}>
          {() => (
            <Stack component="ul" gap={0} p={0} m={0} className={classes.replies}>
              {found.map((reply) => (
                <li key={reply.id} className={classes.reply}>
                  <Content reply={reply} onInsert={onInsert} />
                  {mayWrite && <Changes reply={reply} onEdit={setEdited} />}
                </li>
              ))}
            </Stack>
          )}
        </Loaded>
        {query.data && found.length === 0 && (
          <Text size="sm" c="dimmed">
            {words ? t.noneFound : t.none}
          </Text>
        )}
        <Group justify="space-between">
          <MoreButton query={query} label={texts.common.more} />
          {mayWrite && (
            <Button variant="default" ms="auto" onClick={() => setEdited(null)}>
              {t.new}
            </Button>
          )}
        </Group>
      </Stack>
    </Modal>
  )
}

const matches = (text: string, words: string) =>
  words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.toLowerCase().includes(word))

interface ContentProps {
  reply: CannedReply
  onInsert: CannedRepliesProps['onInsert'] | undefined
}

function Content({ reply, onInsert }: ContentProps) {
  const content = (
    <>
      <Text size="sm" fw={600} className="foreign one-line">
        {reply.name}
      </Text>
      <Text size="sm" c="dimmed" className="foreign" lineClamp={2}>
        {reply.text}
      </Text>
    </>
  )
  if (!onInsert) return <div className={classes.insert}>{content}</div>
  return (
    <button type="button" className={classes.insert} onClick={() => onInsert(reply.text)}>
      {content}
    </button>
  )
}

interface ChangesProps {
  reply: CannedReply
  onEdit: (reply: CannedReply) => void
}

function Changes({ reply, onEdit }: ChangesProps) {
  const { botId, client } = useBot()
  const queries = useQueryClient()
  const remove = useMutation({
    mutationFn: () => client.platform.deleteCannedReply({ params: { id: reply.id } }),
    onSuccess: () =>
      queries.invalidateQueries({ queryKey: ['handoffs', botId, 'replies'] }),
  })
  return (
    <>
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={t.editOne(reply.name)}
        onClick={() => onEdit(reply)}
      >
        <IconPencil size={16} aria-hidden="true" />
      </ActionIcon>
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={t.deleteOne(reply.name)}
        loading={remove.isPending}
        onClick={() => remove.mutate()}
      >
        <IconTrash size={16} aria-hidden="true" />
      </ActionIcon>
      <ActionError error={remove.error} />
    </>
  )
}
