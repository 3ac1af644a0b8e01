// The participants of a conversation: add and remove users.

import { ActionIcon, Button, Group, Stack } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useBot } from '../../api/scope.ts'
import { useMay } from '../../api/session.ts'
import { IconX } from '../../icons/icons.tsx'
import { ActionError } from '../../parts/action-error.tsx'
import { Confirm } from '../../parts/forms/confirm.tsx'
import { UserChoice } from '../../parts/forms/user-choice.tsx'
import { MoreButton } from '../../parts/more-button.tsx'
import { UserLink } from '../../parts/objects/object-links.tsx'
import { Loaded } from '../../parts/states.tsx'
import { nameOfUser } from '../../parts/texts/user-name.ts'
import { texts } from '../../texts/texts.ts'
import { useParticipants } from './use-participants.ts'

const t = texts.conversations

interface Participant {
  id: string
  name?: string
}

const toName = (
  user: { id: string; name?: string | undefined },
  botId: string,
): string => (user.id === botId ? user.name || t.bot : nameOfUser(user))

export function Participants({ conversationId }: { conversationId: string }) {
  const { botId, client } = useBot()
  const isEditor = useMay()('conversations.write')
  const [removed, setRemoved] = useState<Participant | null>(null)
  const { query, participants } = useParticipants(conversationId)
  return (
    <Loaded query={query}>
      {() => (
        <Stack gap="xs">
          <Stack component="ul" gap={4} p={0} m={0} style={{ listStyle: 'none' }}>
            {participants.map(({ id, name }) => (
              <Group component="li" key={id} gap={4} wrap="nowrap">
                <UserLink id={id}>{toName({ id, name }, botId)}</UserLink>
                {isEditor && id !== botId && (
                  <ActionIcon
                    variant="transparent"
                    aria-label={t.removeParticipant(toName({ id, name }, botId))}
                    onClick={() => setRemoved({ id, ...(name && { name }) })}
                  >
                    <IconX size={14} aria-hidden="true" />
                  </ActionIcon>
                )}
              </Group>
            ))}
          </Stack>
          <MoreButton query={query} label={t.moreParticipants} size="xs" />
          {isEditor && <NewParticipant conversationId={conversationId} />}
          {removed && (
            <Confirm
              title={t.removeParticipant(toName(removed, botId))}
              button={t.remove}
              onClose={() => setRemoved(null)}
              onConfirm={async () => {
                const params = { id: conversationId, userId: removed.id }
                await client.runtime.removeParticipant({ params })
                await query.refetch()
              }}
            >
              {t.removeParticipantText}
            </Confirm>
          )}
        </Stack>
      )}
    </Loaded>
  )
}

function NewParticipant({ conversationId: id }: { conversationId: string }) {
  const { botId, client } = useBot()
  const queries = useQueryClient()
  const [userId, setUserId] = useState<string | null>(null)
  const add = useMutation({
    mutationFn: () =>
      client.runtime.addParticipant({ params: { id }, body: { userId: userId! } }),
    onSuccess: async () => {
      setUserId(null)
      await queries.invalidateQueries({ queryKey: ['conversations', botId, id] })
    },
  })
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        add.mutate()
      }}
    >
      <Group gap="xs" wrap="nowrap">
        <UserChoice
          size="xs"
          flex={1}
          aria-label={t.newParticipant}
          value={userId}
          onChange={setUserId}
        />
        <Button
          type="submit"
          size="xs"
          variant="default"
          disabled={userId === null}
          loading={add.isPending}
          aria-label={t.addParticipant}
        >
          {texts.tags.add}
        </Button>
      </Group>
      <ActionError error={add.error} />
    </form>
  )
}
