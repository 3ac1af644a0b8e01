// Facts about a conversation: participants, tags and states.

import type { Conversation } from '@botstead/contract'
import { Stack } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useBot } from '../../api/scope.ts'
import { useMay } from '../../api/session.ts'
import { CopyField } from '../../parts/forms/copy-field.tsx'
import { Fact } from '../../parts/objects/fact.tsx'
import { ObjectStates } from '../../parts/objects/object-states.tsx'
import { TagEditor } from '../../parts/objects/tag-editor.tsx'
import { Section } from '../../parts/section.tsx'
import { exactTime } from '../../parts/texts/moment.tsx'
import { texts } from '../../texts/texts.ts'
import { Notes } from './notes.tsx'
import { Participants } from './participants.tsx'

const t = texts.conversations

export function ConversationInfo({ conversation }: { conversation: Conversation }) {
  return (
    <Stack>
      <Section title={t.about}>
        <CopyField value={conversation.id} />
        <div>
          <Fact name={t.filters.integration}>{conversation.integration}</Fact>
          {conversation.channel !== 'channel' && (
            <Fact name={t.channel}>{conversation.channel}</Fact>
          )}
          <Fact name={t.created}>{exactTime(conversation.createdAt)}</Fact>
          <Fact name={t.count}>{conversation.messageCount}</Fact>
        </div>
      </Section>
      <Section title={t.participants}>
        <Participants conversationId={conversation.id} />
      </Section>
      <Notes conversationId={conversation.id} />
      <Section title={t.tags}>
        <Tags conversation={conversation} />
      </Section>
      <Section title={t.states}>
        <ObjectStates type="conversation" id={conversation.id} />
      </Section>
    </Stack>
  )
}

function Tags({ conversation: { id, tags } }: { conversation: Conversation }) {
  const { botId, client } = useBot()
  const isEditor = useMay()('data.write')
  const queries = useQueryClient()
  const save = async (changes: Record<string, string | null>) => {
    await client.runtime.updateConversation({ params: { id }, body: { tags: changes } })
    await queries.invalidateQueries({ queryKey: ['conversations', botId] })
  }
  return (
    <TagEditor label={t.newTag} tags={tags} empty={t.noTags} save={isEditor ? save : undefined} />
  )
}
