// The members of the workspace with their roles, and open invitations.

import type { Role, WorkspaceMember } from '@botstead/contract'
import { Button, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { usePages } from '../../api/pages.ts'
import { useWorkspace } from '../../api/scope.ts'
import { sessionQuery, useMay } from '../../api/session.ts'
import { Confirm } from '../../parts/forms/confirm.tsx'
import { notifyDone } from '../../parts/notify.ts'
import { Page } from '../../parts/page.tsx'
import { type Column, RowList } from '../../parts/row-list.tsx'
import { toReason } from '../../parts/states.tsx'
import { Moment } from '../../parts/texts/moment.tsx'
import { texts } from '../../texts/texts.ts'
import { Invitations } from './invitations.tsx'
import { Invite } from './invite.tsx'
import { RoleChoice } from './role-choice.tsx'
import { roleName, useGivableRoles } from './roles.ts'

export function MembersPage() {
  const { workspaceId, client } = useWorkspace()
  const may = useMay()
  const queries = useQueryClient()
  const [isInviting, inviting] = useDisclosure(false)
  const [removed, setRemoved] = useState<WorkspaceMember | null>(null)
  const query = usePages(['members', workspaceId, 'list'], (page, options) =>
    client.admin.listWorkspaceMembers({ query: page }, options),
  )
  const members = query.data?.pages.flatMap((page) => page.members) ?? []
  const hasOneOwner =
    !query.hasNextPage && members.filter(({ role }) => role === 'owner').length === 1
  const isLastOwner = ({ role }: WorkspaceMember) => hasOneOwner && role === 'owner'
  const changed = () => queries.invalidateQueries({ queryKey: ['members', workspaceId] })
  return (
    <Page
      title={texts.members.title}
      actions={
        may('members.write') && (
          <Button onClick={inviting.open}>{texts.members.invite}</Button>
        )
      }
      fills
    >
      <RowList
        label={texts.members.list}
        query={query}
        getRows={({ members }) => members}
        getKey={({ id }) => id}
        columns={useColumns(setRemoved, isLastOwner)}
        empty={null}
      />
      <Invitations />
      {isInviting && <Invite onClose={inviting.close} />}
      {removed && (
        <Confirm
          title={texts.members.removeOne(toName(removed))}
          button={texts.members.remove}
          onConfirm={async () => {
            await client.admin.deleteWorkspaceMember({ params: { id: removed.id } })
            await changed()
          }}
          onClose={() => setRemoved(null)}
        >
          {texts.members.removeText}
        </Confirm>
      )}
    </Page>
  )
}

const toName = ({ displayName, email }: WorkspaceMember) => displayName || email

function useColumns(
  onRemove: (member: WorkspaceMember) => void,
  isLastOwner: (member: WorkspaceMember) => boolean,
): Column<WorkspaceMember>[] {
  const { data } = useQuery(sessionQuery)
  const may = useMay()
  const givable = useGivableRoles()
  const isChangeable = ({ role }: WorkspaceMember) =>
    may('members.write') && givable.includes(role)
  return [
    {
      title: texts.members.name,
      width: 'minmax(0, 2fr)',
      fullLine: true,
      cell: (member) => (
        <>
          <Text size="sm" className="foreign">
            {toName(member)} {member.id === data?.account.id && `(${texts.members.you})`}
          </Text>
          {member.displayName && (
            <Text size="xs" c="dimmed" className="foreign">
              {member.email}
            </Text>
          )}
          {!member.emailVerified && (
            <Text size="xs" c="dimmed">
              {member.isPending ? texts.members.pending : texts.members.unverified}
            </Text>
          )}
        </>
      ),
    },
    {
      title: texts.members.role,
      width: 'minmax(120px, 1fr)',
      cell: (member) =>
        isChangeable(member) ? (
          <RoleSelect member={member} />
        ) : (
          <Text size="sm">{roleName(member.role)}</Text>
        ),
    },
    {
      title: texts.members.since,
      width: '110px',
      wideOnly: true,
      cell: ({ createdAt }) => <Moment at={createdAt} />,
    },
    {
      title: '',
      width: '90px',
      cell: (member) =>
        isChangeable(member) && (
          <Button
            size="compact-sm"
            variant="default"
            aria-label={texts.members.removeOne(toName(member))}
            disabled={isLastOwner(member)}
            title={isLastOwner(member) ? texts.members.lastOwner : undefined}
            onClick={() => onRemove(member)}
          >
            {texts.members.remove}
          </Button>
        ),
    },
  ]
}

function RoleSelect({ member }: { member: WorkspaceMember }) {
  const { workspaceId, client } = useWorkspace()
  const queries = useQueryClient()
  const change = useMutation({
    mutationFn: (role: Role) =>
      client.admin.updateWorkspaceMember({ params: { id: member.id }, body: { role } }),
    onSuccess: () => notifyDone(texts.common.saved),
    onSettled: () => queries.invalidateQueries({ queryKey: ['members', workspaceId] }),
  })
  return (
    <RoleChoice
      aria-label={texts.members.roleOf(toName(member))}
      size="xs"
      maw={240}
      value={change.isPending ? change.variables : member.role}
      onChange={(role) => role !== member.role && change.mutate(role)}
      disabled={change.isPending}
      error={change.error && toReason(change.error)}
    />
  )
}
