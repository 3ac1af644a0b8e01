// A message of the bot that its channel could not send: the reason, and sending it again.
import type { DeadLetter } from '@botstead/contract'
import { Button, Group, Text } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useBot } from '../../api/scope.ts'
import { useMay } from '../../api/session.ts'
import { ActionError } from '../../parts/action-error.tsx'
import { texts } from '../../texts/texts.ts'
import { toUnsentKey, useDetailsStored } from './transcript-details.ts'

const t = texts.conversations

/**
 * Returns the newest of a conversation, by the ids of their messages. They come with the transcript; members
 * who may not list dead letters see those of that time.
 */
export function useUnsentMessages(
  conversationId: string,
): ReadonlyMap<string, DeadLetter> {
  const { botId, client } = useBot()
  const isReader = useMay()('data.read')
  const { data } = useQuery({
    queryKey: toUnsentKey(botId, conversationId),
    queryFn: ({ signal }) =>
      client.platform.listDeadLetters(
        { query: { conversationId, kind: 'message', pageSize: 100 } },
        { signal },
      ),
    enabled: useDetailsStored(conversationId) && isReader,
  })
  return new Map(data?.deadLetters.map((letter) => [letter.messageId ?? '', letter]))
}

export function UnsentMessage({ letter: { id, reason } }: { letter: DeadLetter }) {
  const { botId, client } = useBot()
  const isEditor = useMay()('data.write')
  const queries = useQueryClient()
  const send = useMutation({
    mutationFn: () => client.platform.redeliverDeadLetter({ params: { id }, body: {} }),
    onSettled: () => queries.invalidateQueries({ queryKey: ['deadLetters', botId] }),
  })
  return (
    <Group gap="xs">
      <Text size="xs" c="var(--bad)" className="foreign">
        {t.notSent(reason)}
      </Text>
      {isEditor && (
        <Button
          size="compact-xs"
          variant="default"
          loading={send.isPending}
          onClick={() => send.mutate()}
        >
          {t.sendAgain}
        </Button>
      )}
      <ActionError error={send.error} />
    </Group>
  )
}
