// The person of a conversation, its other conversations, and notes. Facts that people who answer
// seldom need are folded.

import type { Conversation, Message, User } from '@botstead/contract'
import { Group, Stack, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useBot } from '../../api/scope.ts'
import { useMay } from '../../api/session.ts'
import { Folded } from '../../parts/folded.tsx'
import { CopyField } from '../../parts/forms/copy-field.tsx'
import { VisitFacts } from '../../parts/messages/visit-facts.tsx'
import { Fact } from '../../parts/objects/fact.tsx'
import { UserLink } from '../../parts/objects/object-links.tsx'
import { ObjectStates } from '../../parts/objects/object-states.tsx'
import { TagEditor } from '../../parts/objects/tag-editor.tsx'
import { Section } from '../../parts/section.tsx'
import { exactTime } from '../../parts/texts/moment.tsx'
import { UserMark } from '../../parts/texts/user-mark.tsx'
import { nameOfUser } from '../../parts/texts/user-name.ts'
import { texts } from '../../texts/texts.ts'
import { UserConversations } from '../users/user-conversations.tsx'
import { Notes } from './notes.tsx'
import { Participants } from './participants.tsx'
import { usePeople } from './use-people.ts'

const t = texts.conversations
/** People at the top; **Details** has all participants. */
const maxPeople = 3

interface ConversationInfoProps {
  conversation: Conversation
  /** The last visible message of the user. */
  seen: Message | undefined
}

export function ConversationInfo({ conversation, seen }: ConversationInfoProps) {
  const { people, lastMessage } = usePeople(conversation.id)
  const [first] = people
  return (
    <Stack>
      <Section title={t.person}>
        {people.slice(0, maxPeople).map((user) => (
          <Person key={user.id} user={user} />
        ))}
        {people.length > maxPeople && (
          <Text size="sm">{t.more(people.length - maxPeople)}</Text>
        )}
        {!first && (
          <Text size="sm" c="dimmed">
            {t.noParticipants}
          </Text>
        )}
        <div>
          <Fact name={t.channel}>{toChannel(conversation)}</Fact>
          <VisitFacts message={toNewer(seen, lastMessage)} />
        </div>
      </Section>
      {first && (
        <Section title={t.earlierConversations}>
          <UserConversations userId={first.id} except={conversation.id} />
        </Section>
      )}
      <Notes conversationId={conversation.id} />
      <Folded title={t.details}>
        <Details conversation={conversation} />
      </Folded>
    </Stack>
  )
}

/** The API names the only channel of a chat `channel`. */
const toChannel = ({ integration, channel }: Conversation) =>
  channel === 'channel' ? integration : `${integration} · ${channel}`

const toNewer = (one: Message | undefined, other: Message | undefined) =>
  one && other && one.createdAt < other.createdAt ? other : (one ?? other)

const Person = ({ user }: { user: User }) => (
  <Group gap="sm" wrap="nowrap">
    <UserMark user={user} />
    <UserLink id={user.id}>{nameOfUser(user)}</UserLink>
  </Group>
)

function Details({ conversation }: { conversation: Conversation }) {
  const hasStates = useMay()('data.read')
  return (
    <Stack>
      <Section title={t.about}>
        <CopyField value={conversation.id} />
        <div>
          <Fact name={t.created}>{exactTime(conversation.createdAt)}</Fact>
          <Fact name={t.count}>{conversation.messageCount}</Fact>
        </div>
      </Section>
      <Section title={t.participants}>
        <Participants conversationId={conversation.id} />
      </Section>
      <Section title={t.tags}>
        <Tags conversation={conversation} />
      </Section>
      {hasStates && (
        <Section title={t.states}>
          <ObjectStates type="conversation" id={conversation.id} />
        </Section>
      )}
    </Stack>
  )
}

function Tags({ conversation: { id, tags } }: { conversation: Conversation }) {
  const { botId, client } = useBot()
  const isEditor = useMay()('conversations.write')
  const queries = useQueryClient()
  const save = async (changes: Record<string, string | null>) => {
    await client.runtime.updateConversation({ params: { id }, body: { tags: changes } })
    await queries.invalidateQueries({ queryKey: ['conversations', botId] })
  }
  return (
    <TagEditor
      label={t.newTag}
      tags={tags}
      empty={t.noTags}
      save={isEditor ? save : undefined}
    />
  )
}
