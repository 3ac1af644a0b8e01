// Facts about a handoff and its user.
import type { HandoffDetails } from '@botstead/contract'
import { Group, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useBot } from '../../api/scope.ts'
import { useMay } from '../../api/session.ts'
import { Notes } from '../../pages/conversations/notes.tsx'
import { useUserChange } from '../../pages/users/change.ts'
import { UserConversations } from '../../pages/users/user-conversations.tsx'
import { VisitFacts } from '../../parts/messages/visit-facts.tsx'
import { Fact } from '../../parts/objects/fact.tsx'
import { ConversationLink, UserLink } from '../../parts/objects/object-links.tsx'
import { TagEditor } from '../../parts/objects/tag-editor.tsx'
import { Section } from '../../parts/section.tsx'
import { Loaded } from '../../parts/states.tsx'
import { exactTime } from '../../parts/texts/moment.tsx'
import { UserMark } from '../../parts/texts/user-mark.tsx'
import { nameOfUser } from '../../parts/texts/user-name.ts'
import { texts } from '../../texts/texts.ts'
import { useMemberName } from './members.ts'
import { useHandoffChange } from './use-handoff.ts'

const t = texts.inbox

export function HandoffInfo({ handoff }: { handoff: HandoffDetails }) {
  return (
    <Stack>
      {handoff.user && <Person id={handoff.user.id} last={handoff.lastUserMessage} />}
      <Notes conversationId={handoff.conversationId} />
      <Facts handoff={handoff} />
    </Stack>
  )
}

interface PersonProps {
  id: string
  /** The last message of the user. */
  last: HandoffDetails['lastUserMessage']
}

function Person({ id, last }: PersonProps) {
  const { botId, client } = useBot()
  const isEditor = useMay()('conversations.write')
  const change = useUserChange(id)
  const query = useQuery({
    queryKey: ['users', botId, id],
    queryFn: ({ signal }) => client.platform.getUser({ params: { id } }, { signal }),
  })
  const hasOthers =
    query.data && (query.data.conversationCount > 1 || query.data.isMerged)
  return (
    <>
      <Section title={t.person}>
        <Loaded query={query}>
          {({ user, fid, integration }) => (
            <>
              <div>
                <Group gap="sm" wrap="nowrap">
                  <UserMark user={user} />
                  <UserLink id={id}>{nameOfUser({ ...user, fid })}</UserLink>
                </Group>
                <Fact name={texts.conversations.channel}>
                  {integration ?? texts.conversations.noChannel}
                </Fact>
                <VisitFacts message={last} />
                {Object.entries(user.properties ?? {}).map(([name, value]) => (
                  <Fact key={name} name={name}>
                    {value}
                  </Fact>
                ))}
              </div>
              <TagEditor
                label={texts.users.newTag}
                tags={user.tags}
                empty={texts.users.noTags}
                save={isEditor ? (tags) => change({ tags }) : undefined}
              />
            </>
          )}
        </Loaded>
      </Section>
      {hasOthers && (
        <Section title={t.allConversations}>
          <UserConversations userId={id} />
        </Section>
      )}
    </>
  )
}

/** Without a member. */
const requesters = { ...t.filters.sources, request: t.bot }

function Facts({ handoff }: { handoff: HandoffDetails }) {
  const { state, requestedAt, requestedBy, source, assignedTo } = handoff
  const getName = useMemberName([requestedBy, assignedTo])
  const { assignedAt, answeredAt, closedAt } = handoff
  return (
    <Section title={t.handoff}>
      <div>
        <Fact name={t.requested}>{exactTime(requestedAt)}</Fact>
        <Fact name={t.requestedBy}>
          {requestedBy ? getName(requestedBy) : requesters[source]}
        </Fact>
        <Fact name={t.answers}>
          {assignedTo ? getName(assignedTo) : t.unassigned[state]}
        </Fact>
        {assignedAt && <Fact name={t.assigned}>{exactTime(assignedAt)}</Fact>}
        {answeredAt && <Fact name={t.answered}>{exactTime(answeredAt)}</Fact>}
        {closedAt && <Fact name={t.closed}>{exactTime(closedAt)}</Fact>}
      </div>
      <HandoffTags handoff={handoff} />
      <ConversationLink id={handoff.conversationId}>
        {t.wholeConversation}
      </ConversationLink>
    </Section>
  )
}

function HandoffTags({ handoff: { id, tags } }: { handoff: HandoffDetails }) {
  const { client } = useBot()
  const isEditor = useMay()('conversations.write')
  const change = useHandoffChange(id, (tags: Record<string, string | null>) =>
    client.platform.updateHandoff({ params: { id }, body: { tags } }),
  )
  return (
    <TagEditor
      label={t.tags.new}
      tags={tags}
      empty={t.tags.none}
      save={isEditor ? change.mutateAsync : undefined}
    />
  )
}
