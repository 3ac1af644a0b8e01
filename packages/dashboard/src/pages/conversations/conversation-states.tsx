// The states of a conversation that the bot declares.

import { RequestError } from '@botstead/client'
import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useBotQuery } from '../../api/bot-query.ts'
import { useBot } from '../../api/scope.ts'
import { useMay } from '../../api/session.ts'
import { Json } from '../../parts/json-view.tsx'
import { notifyDone } from '../../parts/notify.ts'
import { Failed, Loaded } from '../../parts/states.tsx'
import { texts } from '../../texts/texts.ts'

const t = texts.conversations

export function ConversationStates({ conversationId }: { conversationId: string }) {
  const query = useBotQuery()
  return (
    <Loaded query={query}>
      {({ bot: { states } }) => {
        const names = Object.keys(states).filter((name) => states[name]!.type === 'conversation')
        if (names.length === 0)
          return (
            <Text size="sm" c="dimmed">
              {t.noStates}
            </Text>
          )
        return names.map((name) => <State key={name} name={name} conversationId={conversationId} />)
      }}
    </Loaded>
  )
}

interface StateProps {
  name: string
  conversationId: string
}

function State({ name, conversationId }: StateProps) {
  const { botId, client } = useBot()
  const isEditor = useMay()('data.write')
  const [isEditing, setEditing] = useState(false)
  const query = useQuery({
    queryKey: ['conversations', botId, conversationId, 'state', name],
    queryFn: async ({ signal }) => {
      const params = { type: 'conversation', id: conversationId, name } as const
      try {
        return (await client.runtime.getState({ params }, { signal })).state.payload
      } catch (error) {
        if (error instanceof RequestError && error.status === 404) return null
        throw error
      }
    },
  })
  return (
    <Loaded query={query}>
      {(payload) => (
        <Stack gap={4}>
          <Group justify="space-between" wrap="nowrap">
            <Text size="sm" fw={600} className="foreign">
              {name}
            </Text>
            {isEditor && (
              <Button
                size="compact-xs"
                variant="default"
                aria-label={t.editState(name)}
                onClick={() => setEditing(true)}
              >
                {t.edit}
              </Button>
            )}
          </Group>
          {payload === null ? (
            <Text size="sm" c="dimmed">
              {t.notSet}
            </Text>
          ) : (
            <Json label={name} value={payload} maxHeight={200} />
          )}
          {isEditing && (
            <EditState
              name={name}
              conversationId={conversationId}
              payload={payload}
              onClose={() => setEditing(false)}
            />
          )}
        </Stack>
      )}
    </Loaded>
  )
}

function EditState({
  name,
  conversationId,
  payload,
  onClose,
}: StateProps & { payload: unknown; onClose: () => void }) {
  const { botId, client } = useBot()
  const queries = useQueryClient()
  const [text, setText] = useState(() => JSON.stringify(payload ?? {}, null, 2))
  const save = useMutation({
    mutationFn: async () => {
      const params = { type: 'conversation', id: conversationId, name } as const
      await client.runtime.setState({ params, body: { payload: parsed(text) } })
      await queries.invalidateQueries({ queryKey: ['conversations', botId, conversationId] })
    },
    onSuccess: () => {
      notifyDone(t.stateSaved)
      onClose()
    },
  })
  return (
    <Modal opened onClose={onClose} title={t.editState(name)} size="lg">
      <Stack>
        <Json label={name} value={text} onChange={setText} />
        {save.error && <Failed error={save.error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {texts.common.cancel}
          </Button>
          <Button onClick={() => save.mutate()} loading={save.isPending}>
            {texts.common.save}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}

function parsed(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text)
  } catch {
    throw new Error(t.notJson)
  }
}
