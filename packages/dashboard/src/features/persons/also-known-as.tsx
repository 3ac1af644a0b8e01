// The other users that are the same person: by hand merged and split, with suggestions.
import type { MergeSuggestion, PersonUser } from '@botstead/contract'
import { Button, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useBot } from '../../api/scope.ts'
import { useMay } from '../../api/session.ts'
import { ActionError } from '../../parts/action-error.tsx'
import { Confirm } from '../../parts/forms/confirm.tsx'
import { UserChoice } from '../../parts/forms/user-choice.tsx'
import { Section } from '../../parts/section.tsx'
import { Loaded } from '../../parts/states.tsx'
import { nameOfUser } from '../../parts/texts/user-name.ts'
import { texts } from '../../texts/texts.ts'
import { toProof, UserLine, usePersonChange } from './person-parts.tsx'

const t = texts.persons

export function AlsoKnownAs({ userId }: { userId: string }) {
  const { botId, client } = useBot()
  const isEditor = useMay()('data.write')
  const query = useQuery({
    queryKey: ['users', botId, userId, 'person'],
    queryFn: ({ signal }) =>
      client.platform.getPerson({ params: { id: userId } }, { signal }),
  })
  return (
    <Section title={t.title} hint={t.hint}>
      <Loaded query={query}>
        {({ person: { users }, suggestions }) => (
          <>
            <OwnAddresses user={users.find(({ user }) => user.id === userId)} />
            <Others userId={userId} users={users} isEditor={isEditor} />
            {isEditor && (
              <Suggestions userId={userId} suggestions={suggestions} users={users} />
            )}
            {isEditor && <MergeForm userId={userId} />}
          </>
        )}
      </Loaded>
    </Section>
  )
}

const toAddresses = ({ addresses }: PersonUser) =>
  addresses.map((one) => `${one.address} (${toProof(one)})`)

const OwnAddresses = ({ user }: { user: PersonUser | undefined }) => (
  <Text size="sm" className="foreign">
    {user && user.addresses.length > 0
      ? toAddresses(user).join(texts.common.comma)
      : t.noAddresses}
  </Text>
)

const list = {
  component: 'ul',
  gap: 'sm',
  p: 0,
  m: 0,
  style: { listStyle: 'none' },
} as const

interface OthersProps {
  userId: string
  users: PersonUser[]
  isEditor: boolean
}

function Others({ userId, users, isEditor }: OthersProps) {
  const [split, setSplit] = useState<PersonUser | null>(null)
  const change = usePersonChange(
    (client, id: string) => client.platform.splitUser({ params: { id }, body: {} }),
    t.isSplit,
  )
  const others = users.filter(({ user }) => user.id !== userId)
  if (others.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {t.none}
      </Text>
    )
  return (
    <Stack {...list} aria-label={t.title}>
      {others.map((one) => (
        <UserLine
          key={one.user.id}
          of={one}
          notes={[...toAddresses(one), ...(one.joinedBy ? [t.joined[one.joinedBy]] : [])]}
        >
          {isEditor && (
            <Button
              size="xs"
              variant="default"
              aria-label={t.splitOff(nameOfUser(one.user))}
              onClick={() => setSplit(one)}
            >
              {t.split}
            </Button>
          )}
        </UserLine>
      ))}
      {split && (
        <Confirm
          title={t.splitTitle}
          button={t.split}
          harmless
          onConfirm={() => change.mutateAsync(split.user.id)}
          onClose={() => setSplit(null)}
        >
          {t.splitText}
        </Confirm>
      )}
    </Stack>
  )
}

interface SuggestionsProps {
  userId: string
  suggestions: MergeSuggestion[]
  users: PersonUser[]
}

function Suggestions({ userId, suggestions, users }: SuggestionsProps) {
  const known = new Set(users.map(({ user }) => user.id))
  const found = suggestions.flatMap(({ address, users: same }) =>
    same.filter(({ user }) => !known.has(user.id)).map((user) => ({ address, user })),
  )
  const merge = useMerge(userId)
  const apart = usePersonChange(
    (client, other: string) =>
      client.platform.keepUsersApart({ params: { id: userId }, body: { userId: other } }),
    t.keptApart,
  )
  if (found.length === 0) return null
  return (
    <div>
      <Text size="sm" fw={600}>
        {t.suggestions}
      </Text>
      <Stack {...list} aria-label={t.suggestions}>
        {found.map(({ address, user: one }) => (
          <UserLine
            key={`${one.user.id} ${address}`}
            of={one}
            notes={[t.suggestion(address)]}
          >
            <Group gap="xs" wrap="nowrap">
              <Button
                size="xs"
                loading={merge.isPending}
                aria-label={t.mergeWith(nameOfUser(one.user))}
                onClick={() => merge.mutate(one.user.id)}
              >
                {t.merge}
              </Button>
              <Button
                size="xs"
                variant="default"
                loading={apart.isPending}
                onClick={() => apart.mutate(one.user.id)}
              >
                {t.apart}
              </Button>
            </Group>
          </UserLine>
        ))}
      </Stack>
      <ActionError error={merge.error ?? apart.error} />
    </div>
  )
}

const useMerge = (userId: string) =>
  usePersonChange(
    (client, other: string) =>
      client.platform.mergeUsers({ params: { id: userId }, body: { userIds: [other] } }),
    t.merged,
  )

function MergeForm({ userId }: { userId: string }) {
  const [other, setOther] = useState<string | null>(null)
  const [isAsking, setAsking] = useState(false)
  const merge = useMerge(userId)
  return (
    <Group gap="xs" wrap="nowrap" align="end">
      <UserChoice label={t.other} flex={1} value={other} onChange={setOther} />
      <Button
        variant="default"
        disabled={other === null || other === userId}
        onClick={() => setAsking(true)}
      >
        {t.merge}
      </Button>
      {isAsking && other && (
        <Confirm
          title={t.mergeTitle}
          button={t.merge}
          harmless
          onConfirm={async () => {
            await merge.mutateAsync(other)
            setOther(null)
          }}
          onClose={() => setAsking(false)}
        >
          {t.mergeText}
        </Confirm>
      )}
    </Group>
  )
}
