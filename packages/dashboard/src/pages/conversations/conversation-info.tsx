// Facts about a conversation: participants, tags and states.

import type { Conversation } from '@botstead/contract'
import { ActionIcon, Anchor, Badge, Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useBot } from '../../api/scope.ts'
import { useMay } from '../../api/session.ts'
import { CopyField } from '../../parts/copy-field.tsx'
import { exactTime } from '../../parts/moment.tsx'
import { notifyDone, notifyFailed } from '../../parts/notify.ts'
import { Section } from '../../parts/section.tsx'
import { Loaded } from '../../parts/states.tsx'
import { texts } from '../../texts/texts.ts'
import { ConversationStates } from './conversation-states.tsx'

const t = texts.conversations

export function ConversationInfo({ conversation }: { conversation: Conversation }) {
  return (
    <Stack>
      <Section title={t.id}>
        <CopyField value={conversation.id} />
        <Fact name={t.filters.integration} value={conversation.integration} />
        <Fact name={t.channel} value={conversation.channel} />
        <Fact name={t.created} value={exactTime(conversation.createdAt)} />
        <Fact name={t.count} value={String(conversation.messageCount)} />
      </Section>
      <Section title={t.participants}>
        <Participants conversationId={conversation.id} />
      </Section>
      <Section title={t.tags}>
        <TagList conversation={conversation} />
      </Section>
      <Section title={t.states}>
        <ConversationStates conversationId={conversation.id} />
      </Section>
    </Stack>
  )
}

const Fact = ({ name, value }: { name: string; value: string }) => (
  <Text size="sm">
    <Text span c="dimmed" size="sm">
      {name}:{' '}
    </Text>
    <span className="foreign">{value}</span>
  </Text>
)

function Participants({ conversationId }: { conversationId: string }) {
  const { workspaceId, botId, client } = useBot()
  const query = useQuery({
    queryKey: ['conversations', botId, conversationId, 'participants'],
    queryFn: ({ signal }) =>
      client.runtime.listParticipants({ params: { id: conversationId } }, { signal }),
  })
  return (
    <Loaded query={query}>
      {({ participants }) => (
        <Stack component="ul" gap={4} p={0} m={0} style={{ listStyle: 'none' }}>
          {participants.map(({ id, name }) => (
            <li key={id}>
              <Anchor
                size="sm"
                className="foreign"
                renderRoot={(props) => (
                  <Link
                    {...props}
                    to="/w/$workspaceId/bots/$botId/conversations"
                    params={{ workspaceId, botId }}
                    search={{ user: id }}
                  />
                )}
              >
                {name ?? id}
              </Anchor>
            </li>
          ))}
        </Stack>
      )}
    </Loaded>
  )
}

function TagList({ conversation: { id, tags } }: { conversation: Conversation }) {
  const { botId, client } = useBot()
  const isEditor = useMay()('data.write')
  const queries = useQueryClient()
  const change = useMutation({
    mutationFn: (changes: Record<string, string | null>) =>
      client.runtime.updateConversation({ params: { id }, body: { tags: changes } }),
    onSuccess: async () => {
      notifyDone(t.tagSaved)
      await queries.invalidateQueries({ queryKey: ['conversations', botId] })
    },
    onError: notifyFailed,
  })
  return (
    <>
      {Object.keys(tags).length === 0 && (
        <Text size="sm" c="dimmed">
          {t.noTags}
        </Text>
      )}
      <Group gap={4}>
        {Object.entries(tags).map(([name, value]) => (
          <Badge
            key={name}
            variant="default"
            tt="none"
            className="foreign"
            rightSection={
              // Tags of integrations are read-only.
              isEditor &&
              !name.includes(':') && (
                <ActionIcon
                  size="xs"
                  variant="transparent"
                  aria-label={t.removeTag(name)}
                  onClick={() => change.mutate({ [name]: null })}
                >
                  <IconX size={12} aria-hidden="true" />
                </ActionIcon>
              )
            }
          >
            {name}={value}
          </Badge>
        ))}
      </Group>
      {isEditor && <NewTag onAdd={(name, value) => change.mutateAsync({ [name]: value })} />}
    </>
  )
}

function NewTag({ onAdd }: { onAdd: (name: string, value: string) => Promise<unknown> }) {
  const [name, setName] = useState('')
  const [value, setValue] = useState('')
  const add = () =>
    onAdd(name.trim(), value).then(
      () => {
        setName('')
        setValue('')
      },
      () => {},
    )
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        void add()
      }}
    >
      <Group gap="xs" wrap="nowrap" align="end">
        <TextInput
          label={t.tagName}
          size="xs"
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <TextInput
          label={t.tagValue}
          size="xs"
          value={value}
          maxLength={500}
          onChange={(event) => setValue(event.currentTarget.value)}
        />
        <Button type="submit" size="xs" variant="default" disabled={!name.trim() || !value}>
          {t.addTag}
        </Button>
      </Group>
    </form>
  )
}
