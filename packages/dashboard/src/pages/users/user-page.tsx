// One user: properties and states, which operators may change, and conversations.
import type { Erasure, FoundUser } from '@botstead/contract'
import { Button, Group, SimpleGrid, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useRefreshOnMessages } from '../../api/live.tsx'
import { useBot } from '../../api/scope.ts'
import { useMay } from '../../api/session.ts'
import { AlsoKnownAs } from '../../features/persons/also-known-as.tsx'
import { Confirm } from '../../parts/forms/confirm.tsx'
import { CopyField } from '../../parts/forms/copy-field.tsx'
import { ForeignAvatar } from '../../parts/messages/foreign-media.tsx'
import { notifyDone } from '../../parts/notify.ts'
import { Fact } from '../../parts/objects/fact.tsx'
import { ObjectStates } from '../../parts/objects/object-states.tsx'
import { TagEditor } from '../../parts/objects/tag-editor.tsx'
import { Page } from '../../parts/page.tsx'
import { Section } from '../../parts/section.tsx'
import { isMissing, Loaded, wasDeleted } from '../../parts/states.tsx'
import { exactTime } from '../../parts/texts/moment.tsx'
import { nameOfUser } from '../../parts/texts/user-name.ts'
import { texts } from '../../texts/texts.ts'
import { useUserChange } from './change.ts'
import { ErasureDialog, PersonalData } from './personal-data.tsx'
import { TestUser } from './test-user.tsx'
import { UserConversations } from './user-conversations.tsx'
import { UserProfile } from './user-profile.tsx'

const t = texts.users

export function UserPage() {
  const { userId = '' } = useParams({ strict: false })
  const { botId, client } = useBot()
  const [erasure, setErasure] = useState<Erasure | null>(null)
  const query = useQuery({
    queryKey: ['users', botId, userId],
    queryFn: ({ signal }) =>
      client.platform.getUser({ params: { id: userId } }, { signal }),
    // Notes of an erasure would refetch a deleted user.
    enabled: ({ state }) => !erasure && !isMissing(state.error),
  })
  useRefreshOnMessages(botId, 'users', { part: userId })
  const isDeleted = wasDeleted(query)
  const isDeletable =
    useMay()('data.write') && userId !== botId && query.data !== undefined
  return (
    <Page
      title={
        query.data ? nameOfUser({ ...query.data.user, fid: query.data.fid }) : t.user
      }
      actions={isDeletable && !erasure && !isDeleted && <DeleteUser id={userId} />}
    >
      {erasure ? (
        <ErasureDialog erasure={erasure} />
      ) : (
        <Loaded query={query}>
          {(found) => (
            <SimpleGrid
              type="container"
              cols={{ base: 1, '720px': 2 }}
              style={{ alignItems: 'start' }}
            >
              <Facts key={userId} found={found} />
              <Stack miw={0}>
                {!isDeleted && (
                  <>
                    <Section title={t.conversations}>
                      <UserConversations userId={userId} />
                    </Section>
                    {userId !== botId && <AlsoKnownAs userId={userId} />}
                    <Section title={t.states}>
                      <ObjectStates type="user" id={userId} stored={found.states} />
                    </Section>
                  </>
                )}
                {isDeletable && !isDeleted && (
                  <PersonalData user={found.user} onErase={setErasure} />
                )}
              </Stack>
            </SimpleGrid>
          )}
        </Loaded>
      )}
    </Page>
  )
}

function Facts({ found: { user, integration, lastActiveAt } }: { found: FoundUser }) {
  const change = useUserChange(user.id)
  const isEditor = useMay()('data.write')
  return (
    <Stack miw={0}>
      <Section title={t.about}>
        <Group wrap="nowrap" align="start">
          <ForeignAvatar url={user.pictureUrl} />
          <Stack flex={1} miw={0} gap={4}>
            <TestUser user={user} />
            <CopyField value={user.id} />
            <Fact name={t.integration}>{integration ?? t.noIntegration}</Fact>
            <Fact name={t.created}>{exactTime(user.createdAt)}</Fact>
            <Fact name={t.lastMessage}>
              {lastActiveAt ? exactTime(lastActiveAt) : t.never}
            </Fact>
          </Stack>
        </Group>
        <UserProfile user={user} />
      </Section>
      <Section title={t.tags}>
        <TagEditor
          label={t.newTag}
          tags={user.tags}
          empty={t.noTags}
          save={isEditor ? (tags) => change({ tags }) : undefined}
        />
      </Section>
      <Section title={t.attributes} hint={t.attributesHint}>
        <TagEditor
          label={t.newAttribute}
          tags={user.properties ?? {}}
          empty={t.noAttributes}
          save={isEditor ? (properties) => change({ properties }) : undefined}
        />
      </Section>
    </Stack>
  )
}

function DeleteUser({ id }: { id: string }) {
  const { workspaceId, botId, client } = useBot()
  const navigate = useNavigate()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button variant="default" c="var(--bad)" onClick={() => setOpen(true)}>
        {t.delete}
      </Button>
      {isOpen && (
        <Confirm
          title={t.delete}
          button={texts.common.delete}
          onConfirm={async () => {
            await client.runtime.deleteUser({ params: { id } })
            notifyDone(t.deleted)
            await navigate({
              to: '/w/$workspaceId/bots/$botId/users',
              params: { workspaceId, botId },
              replace: true,
              ignoreBlocker: true,
            })
          }}
          onClose={() => setOpen(false)}
        >
          {t.deleteHint}
        </Confirm>
      )}
    </>
  )
}
